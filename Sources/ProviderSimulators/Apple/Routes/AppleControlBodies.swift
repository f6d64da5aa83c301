import ProviderKit

/// What the control interface takes and gives.
struct AppleCredentialRequest: Decodable, Sendable {
    let givenName: String
    let clientId: String?
    let redirectUri: String?
    let nonce: String?
    let rawNonce: String?
    let scopes: [String]?

    var grantedScopes: [String] { scopes ?? ["name", "email"] }

    /// Whom and which client the request means; the first client of the kind when it names none.
    func subject(
        in apple: AppleState, kind: AppleSimulator.Application.Kind?
    ) throws(Refusal) -> (person: AppleSimulator.Person, application: AppleSimulator.Application) {
        guard let person = apple.person(givenName: givenName) else {
            throw .control("nobody has this givenName", status: 404)
        }
        let fitting = clientId.map { apple.application($0) } ?? apple.applications.first { $0.kind == kind ?? $0.kind }
        guard let fitting else { throw .control("no application has this clientId", status: 404) }
        return (person, fitting)
    }
}

struct AppleNotificationRequest: Decodable, Sendable {
    let event: String
    let givenName: String
    let clientId: String?
    let audience: String?

    var person: AppleCredentialRequest {
        AppleCredentialRequest(
            givenName: givenName, clientId: clientId, redirectUri: nil, nonce: nil, rawNonce: nil, scopes: nil)
    }
}

struct AppleNewPerson: Decodable, Sendable {
    let givenName: String?
    let familyName: String?
    let email: String?
    let emailVerified: Bool?
    let hidesEmail: Bool?

    var person: AppleSimulator.Person {
        AppleSimulator.Person(
            givenName: givenName, familyName: familyName, email: email, isEmailVerified: emailVerified ?? true,
            hidesEmail: hidesEmail ?? false)
    }
}

struct AppleNewApplication: Decodable, Sendable {
    let clientId: String?
    let name: String?
    let kind: String?
    let teamId: String?
    let returnUrls: [String]?

    var application: AppleSimulator.Application {
        get throws(Refusal) {
            guard let kind = AppleSimulator.Application.Kind(rawValue: kind ?? "web") else {
                throw .control("kind must be native or web")
            }
            var application = AppleSimulator.Application(clientID: clientId, kind: kind, teamID: teamId ?? "")
            application.name = name ?? application.name
            application.returnURLs = returnUrls ?? application.returnURLs
            return application
        }
    }
}

struct AppleNewKey: Decodable, Sendable {
    let keyId: String
    let teamId: String?
    let publicKeyPem: String
}

extension AppleSimulator.Person {
    var json: JSONValue {
        [
            "givenName": JSONValue(givenName), "familyName": JSONValue(familyName), "email": JSONValue(email),
            "emailVerified": .bool(isEmailVerified), "hidesEmail": .bool(hidesEmail),
        ]
    }
}

extension AppleSimulator.Application {
    var json: JSONValue {
        [
            "clientId": .string(clientID), "kind": .string(kind.rawValue), "teamId": .string(teamID),
            "name": .string(name), "returnUrls": .array(returnURLs.map(JSONValue.string)),
        ]
    }
}

extension AppleSimulator.NativeCredential {
    var json: JSONValue {
        [
            "idToken": .string(idToken), "authorizationCode": .string(authorizationCode),
            "givenName": JSONValue(givenName), "familyName": JSONValue(familyName), "email": JSONValue(email),
        ]
    }
}

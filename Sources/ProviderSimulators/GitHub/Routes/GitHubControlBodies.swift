import ProviderKit

/// What the control interface takes and gives.
struct GitHubCredentialRequest: Decodable, Sendable {
    let login: String
    let clientId: String?
    let redirectUri: String?
    let scopes: [String]?
    let codeChallenge: String?

    var grantedScopes: [String] { scopes ?? ["read:user", "user:email"] }

    /// Whom and what the request means.
    func grant(
        in github: GitHubState
    ) throws(Refusal) -> (key: GitHubState.GrantKey, application: GitHubSimulator.Application) {
        guard let person = github.person(login: login) else { throw .control("nobody has this login", status: 404) }
        guard let application = clientId == nil ? github.applications.first : github.application(clientId) else {
            throw .control("no application has this clientId", status: 404)
        }
        return (.init(clientID: application.clientID, personID: person.id), application)
    }
}

struct GitHubNewPerson: Decodable, Sendable {
    struct Email: Decodable, Sendable {
        let email: String
        let primary: Bool?
        let verified: Bool?
        let visibility: GitHubSimulator.Person.Email.Visibility?
    }

    let login: String
    let name: String?
    let emails: [Email]?

    var person: GitHubSimulator.Person {
        GitHubSimulator.Person(
            login: login, name: name,
            emails: (emails ?? []).map {
                .init(
                    address: $0.email, primary: $0.primary ?? true, verified: $0.verified ?? true,
                    visibility: $0.visibility)
            })
    }
}

struct GitHubNewApplication: Decodable, Sendable {
    enum Kind: String, Decodable, Sendable { case oauthApp, gitHubApp }

    let name: String?
    let callbackUrl: String?
    let kind: Kind?
    let deviceFlow: Bool?

    var application: GitHubSimulator.Application {
        var application = GitHubSimulator.Application(
            kind: kind == .gitHubApp ? .gitHubApp() : .oauthApp, deviceFlowEnabled: deviceFlow ?? false)
        application.name = name ?? application.name
        application.callbackURL = callbackUrl ?? application.callbackURL
        return application
    }
}

extension GitHubSimulator.Person {
    var json: JSONValue {
        [
            "id": .integer(id), "login": .string(login), "name": JSONValue(name), "emails": .array(emails.map(\.json)),
            "publicEmail": JSONValue(publicEmail),
        ]
    }
}

extension GitHubSimulator.Application {
    var json: JSONValue {
        [
            "clientId": .string(clientID), "clientSecret": .string(clientSecret), "name": .string(name),
            "callbackUrl": .string(callbackURL), "kind": kind == .oauthApp ? "oauthApp" : "gitHubApp",
            "deviceFlow": .bool(deviceFlowEnabled),
        ]
    }
}

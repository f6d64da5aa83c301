import ProviderKit

/// Apple's control calls.
///
/// | call | body | answer |
/// |---|---|---|
/// | `POST keys` | `{keyId, teamId?, publicKeyPem}` | 204 |
/// | `POST authorization-codes` | `{givenName, clientId?, redirectUri?, nonce?, scopes?}` | `{code, redirectUri}` |
/// | `POST native-credentials` | `{givenName, clientId?, rawNonce?, scopes?}` | `{idToken, authorizationCode, …}` |
/// | `POST notifications` | `{event, givenName, clientId?, audience?}` | `{payload}`, to be posted to a server |
/// | `POST transfers` | `{clientId, teamId}` | 204; the app belongs to another team |
/// | `POST crowd` | `{clientId, count}` | 204; users `000000.crowd.1` and so on have consented to the app |
/// | `POST revocations` | `{givenName, clientId?}` | 204; the next sign-in is a first one again |
extension AppleState {
    static func addControls(to controls: ProviderControls<AppleState>) {
        let usualScopes = ["name", "email"]
        controls.post("keys", NewKey.self) { state, body throws(Refusal) in
            let key = AppleClientKey(pem: body.publicKeyPem, teamID: body.teamId ?? state.teamID)
            guard let key else { throw .control("publicKeyPem is not a P-256 public key in PEM") }
            state.keys[body.keyId] = key
            return nil
        }
        controls.post("transfers", NewTransfer.self) { state, body throws(Refusal) in
            guard state.application(body.clientId) != nil else { throw .control("clientId is no client") }
            state.transfer(body.clientId, to: body.teamId)
            return nil
        }
        controls.post("crowd", NewCrowd.self) { state, body throws(Refusal) in
            guard state.application(body.clientId) != nil else { throw .control("clientId is no client") }
            guard (1...1_000_000).contains(body.count) else { throw .control("count must be 1 to 1000000") }
            state.addCrowd(body.count, of: body.clientId)
            return nil
        }
        controls.credential("authorization-codes", userKey: "givenName", among: { $0.kind == .web }) { state, order in
            let isWeb = order.application.kind == .web
            var request = order.request(redirectURI: order.application.returnURLs.first)
            if !isWeb { request.redirectURI = nil }
            let code = state.consentedCode(
                for: request, to: order.person.id, scopes: order.members.scopes ?? usualScopes)
            return ["code": .string(code), "redirectUri": JSONValue(request.redirectURI)]
        }
        controls.credential("native-credentials", userKey: "givenName", among: { $0.kind == .native }) { state, order in
            state.nativeCredential(
                for: order.person, order.application.clientID, rawNonce: order.members.rawNonce,
                scopes: order.members.scopes ?? usualScopes
            ).json
        }
        controls.credential("notifications", userKey: "givenName") { state, order throws(Refusal) in
            guard let event = order.members.event.flatMap(AppleSimulator.Event.init) else {
                let names = AppleSimulator.Event.allCases.map(\.rawValue).joined(separator: ", ")
                throw .control("event must be one of \(names)")
            }
            let notification = state.notification(
                event.rawValue, about: order.person, order.application.clientID, .init(audience: order.members.audience)
            )
            return ["payload": .string(notification.payload)]
        }
        controls.credential("revocations", userKey: "givenName") { state, order in
            state.removeConsent(state.key(order.person.id, order.application.clientID))
            return nil
        }
    }

    private struct NewTransfer: Decodable, Sendable {
        let clientId: String, teamId: String
    }

    private struct NewCrowd: Decodable, Sendable {
        let clientId: String, count: Int
    }

    private struct NewKey: Decodable, Sendable {
        let keyId: String, teamId: String?, publicKeyPem: String
    }
}

extension AppleSimulator.Person: SimulatorPerson, ControlRecord {
    struct Draft: Decodable, Sendable {
        let givenName: String?, familyName: String?, email: String?, emailVerified: Bool?, hidesEmail: Bool?
    }

    init(_ draft: Draft) {
        self.init(
            givenName: draft.givenName, familyName: draft.familyName, email: draft.email,
            isEmailVerified: draft.emailVerified ?? true, hidesEmail: draft.hidesEmail ?? false)
    }

    var json: JSONValue {
        [
            "givenName": JSONValue(givenName), "familyName": JSONValue(familyName), "email": JSONValue(email),
            "emailVerified": .bool(isEmailVerified), "hidesEmail": .bool(hidesEmail),
        ]
    }
}

extension AppleSimulator.Application: SimulatorApplication, ControlRecord {
    struct Draft: Decodable, Sendable {
        let clientId: String?, name: String?, kind: String?, teamId: String?, returnUrls: [String]?
    }

    init(_ draft: Draft) throws(Refusal) {
        guard let kind = Kind(rawValue: draft.kind ?? "web") else { throw .control("kind must be native or web") }
        self.init(clientID: draft.clientId, kind: kind, teamID: draft.teamId ?? "")
        name = draft.name ?? name
        returnURLs = draft.returnUrls ?? returnURLs
    }

    var json: JSONValue {
        [
            "clientId": .string(clientID), "kind": .string(kind.rawValue), "teamId": .string(teamID),
            "name": .string(name), "returnUrls": .array(returnURLs.map(JSONValue.string)),
        ]
    }
}

extension AppleSimulator.NativeCredential {
    fileprivate var json: JSONValue {
        [
            "idToken": .string(idToken), "authorizationCode": .string(authorizationCode),
            "givenName": JSONValue(givenName), "familyName": JSONValue(familyName), "email": JSONValue(email),
        ]
    }
}

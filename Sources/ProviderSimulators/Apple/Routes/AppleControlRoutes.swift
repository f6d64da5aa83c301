import ProviderKit

/// `/_simulator/…`: the simulator's own JSON interface, for those who drive it with `curl` or from another language.
///
/// | call | body | answer |
/// |---|---|---|
/// | `GET people` | | `[{givenName, familyName, email, …}]` |
/// | `POST people` | `{givenName?, familyName?, email?, emailVerified?, hidesEmail?}` | the person |
/// | `GET applications` | | `[{clientId, kind, teamId, …}]` |
/// | `POST applications` | `{clientId?, name?, kind?, teamId?, returnUrls?}` | the application |
/// | `POST keys` | `{keyId, teamId?, publicKeyPem}` | 204 |
/// | `POST authorization-codes` | `{givenName, clientId?, redirectUri?, nonce?, scopes?}` | `{code, redirectUri}` |
/// | `POST native-credentials` | `{givenName, clientId?, rawNonce?, scopes?}` | `{idToken, authorizationCode, …}` |
/// | `POST notifications` | `{event, givenName, clientId?, audience?}` | `{payload}`, to be posted to a server |
/// | `POST revocations` | `{givenName, clientId?}` | 204; the next sign-in is a first one again |
///
/// Besides, everything in ``SimulatorControls``.
struct AppleControlRoutes: Sendable {
    let core: AppleCore

    func add(to routes: SimulatorRoutes<AppleSimulator.Endpoint>) {
        let controls = SimulatorControls(routes: routes)
        controls.addTestControls()
        addRegistry(to: controls)
        addCredentials(to: controls)
    }

    private func addRegistry(to controls: SimulatorControls<AppleSimulator.Endpoint>) {
        controls.list("people") { core.snapshot.people.map(\.json) }
        controls.post("people", AppleNewPerson.self) { body in
            let person = body.person
            core.withState { $0.put(person) }
            return person.json
        }
        controls.list("applications") { core.snapshot.applications.map(\.json) }
        controls.post("applications", AppleNewApplication.self) { body throws(Refusal) in
            let application = try body.application
            return core.withState { $0.register(application) }.json
        }
        controls.post("keys", AppleNewKey.self) { body throws(Refusal) in
            let key = AppleClientKey(pem: body.publicKeyPem, teamID: body.teamId ?? core.snapshot.teamID)
            guard let key else { throw .control("publicKeyPem is not a P-256 public key in PEM") }
            core.withState { $0.keys[body.keyId] = key }
            return nil
        }
    }

    private func addCredentials(to controls: SimulatorControls<AppleSimulator.Endpoint>) {
        controls.post("authorization-codes", AppleCredentialRequest.self) { body throws(Refusal) in
            let (person, application) = try body.subject(in: core.snapshot, kind: .web)
            let target = body.redirectUri ?? application.returnURLs.first
            let code = core.authorizationCode(
                for: person, application, redirectURI: target, nonce: body.nonce, scopes: body.grantedScopes)
            return ["code": .string(code), "redirectUri": JSONValue(application.kind == .web ? target : nil)]
        }
        controls.post("native-credentials", AppleCredentialRequest.self) { body throws(Refusal) in
            let (person, application) = try body.subject(in: core.snapshot, kind: .native)
            return core.nativeCredential(
                for: person, application.clientID, rawNonce: body.rawNonce, scopes: body.grantedScopes
            ).json
        }
        controls.post("notifications", AppleNotificationRequest.self) { body throws(Refusal) in
            guard let event = AppleSimulator.Event(rawValue: body.event) else {
                let names = AppleSimulator.Event.allCases.map(\.rawValue).joined(separator: ", ")
                throw .control("event must be one of \(names)")
            }
            let (person, application) = try body.person.subject(in: core.snapshot, kind: nil)
            let notification = core.notification(
                event, about: person, application.clientID, .init(audience: body.audience))
            return ["payload": .string(notification.payload)]
        }
        controls.post("revocations", AppleCredentialRequest.self) { body throws(Refusal) in
            let (person, application) = try body.subject(in: core.snapshot, kind: nil)
            core.withState { $0.removeConsent($0.key(person.id, application.clientID)) }
            return nil
        }
    }
}

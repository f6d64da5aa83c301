import Foundation
import ProviderKit

/// `/_simulator/…`: the simulator's own JSON interface, for those who drive it with `curl` or from another language.
///
/// | call | body | answer |
/// |---|---|---|
/// | `GET people` | | `[{sub, …claims}]` |
/// | `POST people` | `{sub?, claims?, userinfo?}` | the person |
/// | `GET applications` | | `[{clientId, clientSecret, …}]` |
/// | `POST applications` | `{name?, redirectUris?}` | the application |
/// | `POST authorization-codes` | `{sub, clientId?, redirectUri?, codeChallenge?, nonce?}` | `{code, redirectUri}` |
/// | `POST id-tokens` | `{sub, clientId?, nonce?}` | `{idToken}` |
///
/// Besides, everything in ``SimulatorControls``.
struct OpenIDControlRoutes: Sendable {
    let core: OpenIDCore

    func add(to routes: SimulatorRoutes<OpenIDSimulator.Endpoint>) {
        let controls = SimulatorControls(routes: routes)
        controls.addTestControls()
        controls.list("people") { core.snapshot.people.map(\.json) }
        controls.post("people", NewPerson.self) { body in
            let person = OpenIDSimulator.Person(
                subject: body.sub, claims: body.claims?.object ?? [:], userinfo: body.userinfo)
            core.withState { $0.put(person) }
            return person.json
        }
        controls.list("applications") { core.snapshot.applications.map(\.json) }
        controls.post("applications", NewApplication.self) { body in
            let application = OpenIDSimulator.Application(
                redirectURIs: body.redirectUris ?? ["http://127.0.0.1/callback"],
                name: body.name ?? "Example application")
            core.withState { $0.put(application) }
            return application.json
        }
        addCredentials(to: controls)
    }

    private func addCredentials(to controls: SimulatorControls<OpenIDSimulator.Endpoint>) {
        controls.post("authorization-codes", CredentialRequest.self) { body throws(Refusal) in
            try core.withState { state throws(Refusal) in
                let (person, application) = try body.meant(in: state)
                let redirectURI = body.redirectUri ?? application.redirectURIs.first ?? ""
                let now = core.clock.now
                let code = state.makeCode(
                    OpenIDCode(
                        clientID: application.clientID, subject: person.subject, redirectURI: redirectURI,
                        scopes: OpenIDSimulator.standardScopes,
                        codeChallenge: body.codeChallenge.map { CodeChallenge(value: $0) }, nonce: body.nonce,
                        expiresAt: now.addingTimeInterval(OpenIDCode.lifetime)), now: now)
                return ["code": .string(code), "redirectUri": .string(redirectURI)]
            }
        }
        controls.post("id-tokens", CredentialRequest.self) { body throws(Refusal) in
            let (person, application) = try body.meant(in: core.snapshot)
            let token = core.idToken(
                for: person, clientID: application.clientID, nonce: body.nonce, accessToken: nil)
            return ["idToken": .string(token)]
        }
    }
}

private struct NewPerson: Decodable, Sendable {
    let sub: String?, claims: JSONValue?, userinfo: JSONValue?
}

private struct NewApplication: Decodable, Sendable {
    let name: String?, redirectUris: [String]?
}

private struct CredentialRequest: Decodable, Sendable {
    let sub: String, clientId: String?, redirectUri: String?, codeChallenge: String?, nonce: String?

    /// Whom and what the request means.
    func meant(
        in state: OpenIDState
    ) throws(Refusal) -> (person: OpenIDSimulator.Person, application: OpenIDSimulator.Application) {
        guard let person = state.person(sub) else { throw .control("nobody has this sub", status: 404) }
        guard let application = clientId == nil ? state.applications.first : state.application(clientId) else {
            throw .control("no application has this clientId", status: 404)
        }
        return (person, application)
    }
}

extension OpenIDSimulator.Person {
    fileprivate var json: JSONValue {
        var claims = claims
        claims["sub"] = .string(subject)
        return .object(claims)
    }
}

extension OpenIDSimulator.Application {
    fileprivate var json: JSONValue {
        [
            "clientId": .string(clientID), "clientSecret": JSONValue(clientSecret), "name": .string(name),
            "redirectUris": .array(redirectURIs.map(JSONValue.string)),
            "tokenEndpointAuthMethod": .string(authentication.method),
        ]
    }
}

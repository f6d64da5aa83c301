import ProviderKit

/// `/_simulator/…`: the simulator's own JSON interface, for those who drive it with `curl` or from another language.
///
/// | call | body | answer |
/// |---|---|---|
/// | `GET people` | | `[{id, username, name, email, …}]` |
/// | `POST people` | `{username, email, name?, confirmed?, publicEmail?, state?, locked?}` | the person |
/// | `GET applications` | | `[{clientId, clientSecret, …}]` |
/// | `POST applications` | `{name?, redirectUris?, scopes?, confidential?}` | the application |
/// | `POST authorization-codes` | `{username, clientId?, redirectUri?, scopes?, codeChallenge?, nonce?}` | `{code, redirectUri}` |
/// | `POST access-tokens` | `{username, clientId?, scopes?}` | `{accessToken}` |
/// | `POST id-tokens` | `{username, clientId?, scopes?, nonce?}` | `{idToken}` |
///
/// Besides, everything in ``SimulatorControls``.
struct GitLabControlRoutes: Sendable {
    let core: GitLabCore

    func add(to routes: SimulatorRoutes<GitLabSimulator.Endpoint>) {
        let controls = SimulatorControls(routes: routes)
        controls.addTestControls()
        controls.list("people") { core.snapshot.people.map(\.json) }
        controls.post("people", GitLabNewPerson.self) { body in
            let person = body.person
            core.withState { $0.put(person) }
            return person.json
        }
        controls.list("applications") { core.snapshot.applications.map(\.json) }
        controls.post("applications", GitLabNewApplication.self) { body in
            let application = body.application
            core.withState { $0.applications.append(application) }
            return application.json
        }
        addCredentials(to: controls)
    }

    private func addCredentials(to controls: SimulatorControls<GitLabSimulator.Endpoint>) {
        controls.post("authorization-codes", GitLabCredentialRequest.self) { body throws(Refusal) in
            try core.withState { state throws(Refusal) in
                let (key, application) = try body.grant(in: state)
                let redirectURI = body.redirectUri ?? application.redirectURIs.first ?? ""
                let code = state.makeCode(
                    key, redirectURI: redirectURI, scopes: body.scopes ?? application.scopes, nonce: body.nonce,
                    codeChallenge: body.codeChallenge.map { CodeChallenge(value: $0) }, now: core.clock.now)
                return ["code": .string(code), "redirectUri": .string(redirectURI)]
            }
        }
        controls.post("access-tokens", GitLabCredentialRequest.self) { body throws(Refusal) in
            ["accessToken": .string(try token(for: body).value)]
        }
        controls.post("id-tokens", GitLabCredentialRequest.self) { body throws(Refusal) in
            let token = try token(for: body)
            return ["idToken": JSONValue(core.idToken(for: token, nonce: body.nonce, in: core.snapshot))]
        }
    }

    private func token(for body: GitLabCredentialRequest) throws(Refusal) -> GitLabToken {
        try core.withState { state throws(Refusal) in
            let (key, application) = try body.grant(in: state)
            let scopes = body.scopes ?? application.scopes
            state.grant(scopes, to: key)
            return state.issueToken(for: key, scopes: scopes, now: core.clock.now)
        }
    }
}

import ProviderKit

/// `/_simulator/…`: the simulator's own JSON interface, for those who drive it with `curl` or from another language.
///
/// | call | body | answer |
/// |---|---|---|
/// | `GET people` | | `[{id, login, name, emails}]` |
/// | `POST people` | `{login, name?, emails?}` | the person |
/// | `GET applications` | | `[{clientId, clientSecret, …}]` |
/// | `POST applications` | `{name?, callbackUrl?, kind?, deviceFlow?}` | the application |
/// | `POST authorization-codes` | `{login, clientId?, redirectUri?, scopes?, codeChallenge?}` | `{code, redirectUri}` |
/// | `POST access-tokens` | `{login, clientId?, scopes?}` | `{accessToken}` |
///
/// Besides, everything in ``SimulatorControls``.
struct GitHubControlRoutes: Sendable {
    let core: GitHubCore

    func add(to routes: SimulatorRoutes<GitHubSimulator.Endpoint>) {
        let controls = SimulatorControls(routes: routes)
        controls.addTestControls()
        controls.list("people") { core.snapshot.people.map(\.json) }
        controls.post("people", GitHubNewPerson.self) { body in
            let person = body.person
            core.withState { $0.put(person) }
            return person.json
        }
        controls.list("applications") { core.snapshot.applications.map(\.json) }
        controls.post("applications", GitHubNewApplication.self) { body in
            let application = body.application
            core.withState { $0.applications.append(application) }
            return application.json
        }
        addCredentials(to: controls)
    }

    private func addCredentials(to controls: SimulatorControls<GitHubSimulator.Endpoint>) {
        controls.post("authorization-codes", GitHubCredentialRequest.self) { body throws(Refusal) in
            try core.withState { state throws(Refusal) in
                let (key, application) = try body.grant(in: state)
                let code = state.makeCode(
                    key, redirectURI: body.redirectUri, scopes: body.grantedScopes, codeChallenge: body.codeChallenge,
                    now: core.clock.now)
                return ["code": .string(code), "redirectUri": .string(body.redirectUri ?? application.callbackURL)]
            }
        }
        controls.post("access-tokens", GitHubCredentialRequest.self) { body throws(Refusal) in
            try core.withState { state throws(Refusal) in
                let (key, application) = try body.grant(in: state)
                let scopes = application.kind == .oauthApp ? GitHubScopes.normalised(body.grantedScopes) : []
                state.grant(scopes, to: key)
                return ["accessToken": .string(state.issueToken(for: key, scopes: scopes, now: core.clock.now).value)]
            }
        }
    }
}

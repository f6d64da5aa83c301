import HTTPTypes
import ProviderKit

/// `GET /userinfo`: who an access token belongs to (OpenID Connect Core §5.3).
struct OpenIDUserinfoRoutes: Sendable {
    let core: OpenIDCore

    func add(to routes: SimulatorRoutes<OpenIDSimulator.Endpoint>) {
        routes.on(.get, OpenIDSimulator.Endpoint.userinfo.path, as: .userinfo, answer: answer)
    }

    @Sendable
    private func answer(_ request: SimulatorRequest) -> SimulatorResponse {
        let state = core.snapshot
        guard let token = request.authorization(scheme: "bearer"),
            let grant = state.grant(ofAccessToken: token, now: core.clock.now), let person = state.person(grant.subject)
        else {
            return OAuthFailure(
                "invalid_token", "The access token is unknown or expired.", status: 401,
                challenge: #"Bearer error="invalid_token""#
            ).response
        }
        if let lie = state.lies.userinfo { return .json(lie) }
        var claims = person.claims
        claims["sub"] = .string(person.subject)
        return .json(person.userinfo ?? .object(claims))
    }
}

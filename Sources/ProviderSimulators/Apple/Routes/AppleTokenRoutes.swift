import HTTPTypes
import ProviderKit

/// `POST /auth/token` and `POST /auth/revoke`.
struct AppleTokenRoutes: Sendable {
    static let path = "/auth/token"
    static let revocationPath = "/auth/revoke"

    let core: AppleCore

    func add(to routes: SimulatorRoutes<AppleSimulator.Endpoint>) {
        routes.on(.post, Self.path, as: .token) { request in
            try Self.answer(request) { form throws(OAuthFailure) in .appleJSON(try tokens(form)) }
        }
        routes.on(.post, Self.revocationPath, as: .revoke) { request in
            try Self.answer(request) { form throws(OAuthFailure) in try revoke(form) }
        }
    }

    /// Answers a form: in the body, as documented, or in the query, which Apple takes as well.
    static func answer(
        _ request: SimulatorRequest, with handler: (FormFields) throws(OAuthFailure) -> SimulatorResponse
    ) throws -> SimulatorResponse {
        guard !request.isJSON else { return .appleFailure(.invalidRequest("Send a form.")) }
        let form = try request.parameters()
        do throws(OAuthFailure) {
            return try handler(form)
        } catch {
            return .appleFailure(error)
        }
    }

    private func tokens(_ form: FormFields) throws(OAuthFailure) -> JSONObject {
        switch form["grant_type"] {
        case "authorization_code": return try redeem(form)
        case "refresh_token": return try refresh(form)
        case "client_credentials": return try migrationToken(form)
        case nil: throw .invalidRequest("grant_type is missing.")
        default: throw .unsupportedGrantType
        }
    }

    private func redeem(_ form: FormFields) throws(OAuthFailure) -> JSONObject {
        let now = core.clock.now
        let (code, access, refresh) = try core.withState { state throws(OAuthFailure) in
            let application = try state.authenticate(form, now: now)
            guard let value = form["code"] else { throw .invalidRequest("code is missing.") }
            let code = try state.redeem(value, for: application, redirectURI: form["redirect_uri"], now: now)
            return (
                code, state.makeAccessToken(for: code.personID, code.clientID, now: now),
                state.makeRefreshToken(for: code.personID, code.clientID)
            )
        }
        let claims = AppleClaims(
            personID: code.personID, clientID: code.clientID, nonce: code.nonce, accessToken: access)
        return Self.bearer(access).merging([
            "refresh_token": .string(refresh), "id_token": .string(core.idToken(claims)),
        ])
    }

    private func refresh(_ form: FormFields) throws(OAuthFailure) -> JSONObject {
        let now = core.clock.now
        let (application, personID, access) = try core.withState { state throws(OAuthFailure) in
            let application = try state.authenticate(form, now: now)
            guard let value = form["refresh_token"] else { throw .invalidRequest("refresh_token is missing.") }
            let personID = try state.useRefreshToken(value, by: application, now: now)
            return (application, personID, state.makeAccessToken(for: personID, application.clientID, now: now))
        }
        guard core.snapshot.behaviour.sendsIDTokenOnRefresh else { return Self.bearer(access) }
        let claims = AppleClaims(
            personID: personID, clientID: application.clientID, nonce: nil, accessToken: access)
        return Self.bearer(access).merging(["id_token": .string(core.idToken(claims))])
    }

    private func migrationToken(_ form: FormFields) throws(OAuthFailure) -> JSONObject {
        let now = core.clock.now
        let token = try core.withState { state throws(OAuthFailure) in
            let caller = try state.migrationCaller(form, now: now)
            guard form["scope"] == "user.migration" else { throw .invalidScope }
            return state.makeMigrationToken(for: caller.team, now: now)
        }
        return Self.bearer(token)
    }

    private func revoke(_ form: FormFields) throws(OAuthFailure) -> SimulatorResponse {
        let now = core.clock.now
        try core.withState { state throws(OAuthFailure) in
            let application = try state.authenticate(form, now: now)
            guard let token = form["token"] else { throw .invalidRequest("token is missing.") }
            state.revoke(token, by: application, now: now)
        }
        return SimulatorResponse(status: 200).uncached
    }

    private static func bearer(_ token: String) -> JSONObject {
        [
            "access_token": .string(token), "token_type": "Bearer",
            "expires_in": .integer(Int64(AppleToken.lifetime)),
        ]
    }
}

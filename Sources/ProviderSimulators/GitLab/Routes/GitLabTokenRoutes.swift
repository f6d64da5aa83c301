import HTTPTypes
import ProviderKit

/// `POST /oauth/token`: codes, refresh tokens and device codes become tokens.
struct GitLabTokenRoutes: Sendable {
    static let path = "/oauth/token"

    let core: GitLabCore

    func add(to routes: SimulatorRoutes<GitLabSimulator.Endpoint>) {
        routes.on(.post, core.prefix + Self.path, as: .token, answer: answer)
    }

    @Sendable
    private func answer(_ request: SimulatorRequest) throws -> SimulatorResponse {
        let form = try request.parameters()
        let answer = Result { () throws(OAuthFailure) in
            try core.withState { state throws(OAuthFailure) in
                let application = try state.authenticate(PresentedClient(form, request))
                let (token, nonce) = try token(form, for: application, &state)
                return tokenAnswer(token, nonce: nonce, state)
            }
        }
        switch answer {
        case .success(let answer): return SimulatorResponse.json(answer).uncached
        case .failure(let failure): return failure.response
        }
    }

    private func token(
        _ form: FormFields, for application: GitLabSimulator.Application, _ state: inout GitLabState
    ) throws(OAuthFailure) -> (GitLabToken, nonce: String?) {
        let now = core.clock.now
        switch form["grant_type"] {
        case nil: throw GitLabFailure.missing("grant_type")
        case "authorization_code":
            guard let code = form["code"] else { throw GitLabFailure.missing("code") }
            guard let redirectURI = form["redirect_uri"] else { throw GitLabFailure.missing("redirect_uri") }
            return try state.redeem(
                code, for: application, redirectURI: redirectURI, verifier: form["code_verifier"], now: now)
        case "refresh_token":
            guard let value = form["refresh_token"] else { throw GitLabFailure.missing("refresh_token") }
            let scopes = GitLabScopes.parse(form["scope"])
            return (try state.refresh(value, for: application, scopes: scopes, now: now), nil)
        case "urn:ietf:params:oauth:grant-type:device_code":
            return (try poll(form["device_code"] ?? "", for: application, &state), nil)
        default: throw GitLabFailure.unsupportedGrantType
        }
    }

    private func poll(
        _ deviceCode: String, for application: GitLabSimulator.Application, _ state: inout GitLabState
    ) throws(OAuthFailure) -> GitLabToken {
        switch state.devices.poll(deviceCode, by: application.clientID, now: core.clock.now) {
        case .unknown: throw GitLabFailure.invalidGrant
        case .expired: throw GitLabFailure.expiredToken
        case .pending: throw GitLabFailure.authorizationPending
        case .denied: throw GitLabFailure.accessDenied
        case .slowDown: throw GitLabFailure.slowDown
        case .approved(let personID, let scopes):
            return state.issueToken(
                for: .init(clientID: application.clientID, personID: personID), scopes: scopes,
                withRefresh: core.options.givesDevicesRefreshTokens, now: core.clock.now)
        }
    }

    /// The members in the order GitLab writes them.
    private func tokenAnswer(_ token: GitLabToken, nonce: String?, _ state: GitLabState) -> JSONValue {
        var answer: JSONObject = [
            "access_token": .string(token.value), "token_type": "Bearer",
            "expires_in": .integer(Int64(GitLabToken.lifetime)),
        ]
        answer["refresh_token"] = token.refreshValue.map(JSONValue.string)
        answer["scope"] = .string(token.scopes.joined(separator: " "))
        answer["created_at"] = .integer(token.createdAt.epochSeconds)
        if token.scopes.contains("openid") {
            answer["id_token"] = core.idToken(for: token, nonce: nonce, in: state).map(JSONValue.string)
        }
        return .object(answer)
    }
}

extension GitLabState {
    /// The application a request proves to come from (RFC 6749 §2.3). `Authorization: Basic` is tried first; a public
    /// application needs no secret.
    func authenticate(_ client: PresentedClient) throws(OAuthFailure) -> GitLabSimulator.Application {
        guard !client.usesTwoMechanisms else { throw GitLabFailure.twoMechanisms }
        let (id, secret) = client.basic.map { ($0.id, $0.secret) } ?? (client.bodyID, client.bodySecret)
        guard let application = application(id) else { throw GitLabFailure.invalidClient }
        guard let secret, !secret.isEmpty else {
            guard !application.isConfidential else { throw GitLabFailure.invalidClient }
            return application
        }
        guard secret.hasSameBytes(as: application.clientSecret) else { throw GitLabFailure.invalidClient }
        return application
    }
}

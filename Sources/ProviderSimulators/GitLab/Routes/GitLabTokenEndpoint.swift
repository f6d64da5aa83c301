import HTTPTypes
import ProviderKit

/// `POST /oauth/token`: redeems codes, refresh tokens and device codes.
extension GitLabState {
    mutating func answerTokenRequest(_ request: SimulatorRequest) throws(Refusal) -> SimulatorResponse {
        let form = try request.parameters()
        do throws(OAuthFailure) {
            let application = try authenticate(PresentedClient(form, request))
            let (token, nonce) = try token(form, for: application)
            return SimulatorResponse.json(answer(token, nonce: nonce)).uncached
        } catch {
            return error.response
        }
    }

    private mutating func token(
        _ form: FormFields, for application: Application
    ) throws(OAuthFailure) -> (GitLabToken, nonce: String?) {
        switch form["grant_type"] {
        case nil: throw GitLabFailure.missing("grant_type")
        case "authorization_code":
            guard let code = form["code"] else { throw GitLabFailure.missing("code") }
            guard let redirectURI = form["redirect_uri"] else { throw GitLabFailure.missing("redirect_uri") }
            return try redeem(code, for: application, redirectURI: redirectURI, verifier: form["code_verifier"])
        case "refresh_token":
            guard let value = form["refresh_token"] else { throw GitLabFailure.missing("refresh_token") }
            return (try refresh(value, for: application, scopes: GitLabScopes.parse(form["scope"])), nil)
        case "urn:ietf:params:oauth:grant-type:device_code":
            return (try redeemDevice(form["device_code"], for: application), nil)
        default: throw GitLabFailure.unsupportedGrantType
        }
    }

    /// The members in the order GitLab writes them.
    private func answer(_ token: GitLabToken, nonce: String?) -> JSONValue {
        var answer: JSONObject = [
            "access_token": .string(token.value), "token_type": "Bearer",
            "expires_in": .integer(Int64(GitLabToken.lifetime)),
        ]
        answer["refresh_token"] = token.refreshValue.map(JSONValue.string)
        answer["scope"] = .string(token.scopes.joined(separator: " "))
        answer["created_at"] = .integer(token.createdAt.epochSeconds)
        if token.scopes.contains("openid") {
            answer["id_token"] = idToken(for: token, nonce: nonce).map(JSONValue.string)
        }
        return .object(answer)
    }

    /// The authenticated client of a request (RFC 6749 §2.3). `Authorization: Basic` is tried first; a public client
    /// needs no secret.
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

import HTTPTypes
import ProviderKit

/// `POST /auth/token` and `POST /auth/revoke`.
extension AppleState {
    /// Answers a form: in the body, as documented, or in the query, which Apple takes as well.
    mutating func answer(
        _ request: SimulatorRequest,
        with handler: (inout AppleState, FormFields) throws(OAuthFailure) -> SimulatorResponse
    ) throws(Refusal) -> SimulatorResponse {
        guard !request.isJSON else { return .appleFailure(.invalidRequest("Send a form.")) }
        let form = try request.parameters()
        do throws(OAuthFailure) {
            return try handler(&self, form)
        } catch {
            return .appleFailure(error)
        }
    }

    mutating func tokens(_ form: FormFields) throws(OAuthFailure) -> JSONObject {
        switch form["grant_type"] {
        case "authorization_code": return try redeem(form)
        case "refresh_token": return try refresh(form)
        case "client_credentials": return try migrationToken(form)
        case nil: throw .invalidRequest("grant_type is missing.")
        default: throw .unsupportedGrantType
        }
    }

    mutating func revoke(_ form: FormFields) throws(OAuthFailure) -> SimulatorResponse {
        let application = try authenticate(form)
        guard let token = form["token"] else { throw .invalidRequest("token is missing.") }
        revoke(token, by: application)
        return SimulatorResponse(status: 200).uncached
    }

    private mutating func redeem(_ form: FormFields) throws(OAuthFailure) -> JSONObject {
        let application = try authenticate(form)
        guard let value = form["code"] else { throw .invalidRequest("code is missing.") }
        let code = try redeem(value, for: application, redirectURI: form["redirect_uri"])
        let (personID, clientID) = (code.grant.personID, code.grant.clientID)
        let access = makeAccessToken(for: personID, clientID)
        let claims = AppleClaims(personID: personID, clientID: clientID, nonce: code.nonce, accessToken: access)
        return Self.bearer(access).merging([
            "refresh_token": .string(makeRefreshToken(for: personID, clientID)), "id_token": .string(idToken(claims)),
        ])
    }

    private mutating func refresh(_ form: FormFields) throws(OAuthFailure) -> JSONObject {
        let application = try authenticate(form)
        guard let value = form["refresh_token"] else { throw .invalidRequest("refresh_token is missing.") }
        let personID = try useRefreshToken(value, by: application)
        let access = makeAccessToken(for: personID, application.clientID)
        guard behaviour.sendsIDTokenOnRefresh else { return Self.bearer(access) }
        let claims = AppleClaims(
            personID: personID, clientID: application.clientID, nonce: nil, accessToken: access)
        return Self.bearer(access).merging(["id_token": .string(idToken(claims))])
    }

    private mutating func migrationToken(_ form: FormFields) throws(OAuthFailure) -> JSONObject {
        let caller = try migrationCaller(form)
        guard form["scope"] == "user.migration" else { throw .invalidScope }
        return Self.bearer(makeMigrationToken(for: caller.team))
    }

    private static func bearer(_ token: String) -> JSONObject {
        [
            "access_token": .string(token), "token_type": "Bearer",
            "expires_in": .integer(Int64(AppleToken.lifetime)),
        ]
    }
}

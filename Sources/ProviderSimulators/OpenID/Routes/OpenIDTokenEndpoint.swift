import HTTPTypes
import ProviderKit

/// `POST /token`, `POST /revoke` and `POST /device_authorization`.
extension OpenIDState {
    mutating func answerTokenRequest(_ request: SimulatorRequest) throws(Refusal) -> SimulatorResponse {
        let form = try request.parameters()
        do throws(OAuthFailure) {
            let application = try client(form, request)
            let pair = try issue(form, to: application)
            guard let person = person(pair.grant.key.personID) else { throw OAuthFailure("invalid_grant") }
            return SimulatorResponse.json(.object(answer(pair, about: person))).uncached
        } catch {
            var failure = error
            if options.quirks.contains(.errorsWithStatus200) { failure.status = 200 }
            return failure.response
        }
    }

    mutating func answerRevocation(_ request: SimulatorRequest) throws(Refusal) -> SimulatorResponse {
        let form = try request.parameters()
        do throws(OAuthFailure) {
            let isKnown = revoke(form["token"] ?? "", of: try client(form, request))
            guard isKnown || !options.quirks.contains(.refusesUnknownTokens) else {
                throw OAuthFailure("invalid_token", "The token is unknown.")
            }
            return SimulatorResponse(status: 200)
        } catch {
            return error.response
        }
    }

    mutating func answerDeviceRequest(_ form: FormFields) -> SimulatorResponse {
        guard let application = application(form["client_id"]) else {
            return OAuthFailure("invalid_client", status: 401).response
        }
        let scopes = (form["scope"] ?? "").split(separator: " ").map(String.init)
        let device = startDevice(of: application.clientID, scopes: scopes, lifetime: 600, interval: 5)
        return SimulatorResponse.json(device.json(complete: false)).uncached
    }

    private mutating func issue(
        _ form: FormFields, to application: Application
    ) throws(OAuthFailure) -> OpenIDTokenPair {
        switch form["grant_type"] {
        case "authorization_code":
            return try redeem(
                form["code"] ?? "", for: application, redirectURI: form["redirect_uri"],
                verifier: form["code_verifier"])
        case "refresh_token":
            return try refresh(form["refresh_token"] ?? "", for: application)
        case "urn:ietf:params:oauth:grant-type:device_code":
            return try redeemDevice(form["device_code"], for: application)
        default: throw OAuthFailure("unsupported_grant_type")
        }
    }

    private mutating func redeemDevice(
        _ code: String?, for application: Application
    ) throws(OAuthFailure) -> OpenIDTokenPair {
        switch pollDevice(code, by: application.clientID) {
        case .unknown: throw .invalidGrant("The device code is unknown.")
        case .expired: throw OAuthFailure("expired_token")
        case .pending: throw OAuthFailure("authorization_pending")
        case .denied: throw OAuthFailure("access_denied")
        case .slowDown: throw OAuthFailure("slow_down")
        case .approved(let subject, let scopes):
            return issue(
                OpenIDGrant(key: .init(clientID: application.clientID, personID: subject), scopes: scopes))
        }
    }

    private func answer(_ pair: OpenIDTokenPair, about person: Person) -> JSONObject {
        let quirks = options.quirks
        let scopes = pair.grant.scopes
        let expiresIn = pair.isRenewal ? OpenIDToken.lifetime : options.expiresInOfCodes
        var answer: JSONObject = [
            "access_token": .string(pair.accessToken), "token_type": "Bearer",
            "expires_in": quirks.contains(.numbersAsText)
                ? .string(String(expiresIn)) : .integer(Int64(expiresIn)),
            "refresh_token": .string(pair.refreshToken),
            "scope": quirks.contains(.scopesAsList)
                ? .array(scopes.map(JSONValue.string)) : .string(scopes.joined(separator: " ")),
        ]
        if options.mode == .openIDConnect, scopes.contains("openid") {
            let token = idToken(
                for: person, clientID: pair.grant.key.clientID, nonce: pair.grant.nonce, accessToken: pair.accessToken)
            answer["id_token"] = .string(token)
        }
        return answer
    }
}

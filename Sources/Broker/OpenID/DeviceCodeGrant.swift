import BrokerStore
import ProviderKit

/// The device code grant (RFC 8628 §3.4).
struct DeviceCodeGrant: TokenGrant {
    static let type = "urn:ietf:params:oauth:grant-type:device_code"
    static let parameters = [OAuthParameter.deviceCode]

    let openID: OpenIDContext

    func tokens(for call: OAuthCall) async throws -> IssuedOpenIDTokens {
        let code = try call.parameters.required(OAuthParameter.deviceCode)
        try RequestAdmission.current?.checkAddress()
        let outcome = try await openID.redeemDeviceCode(code, by: call.client, origin: call.origin)
        // Polls in time, and the first early one, have a limit of their own: the interval, which is written. All others
        // count against the address.
        switch outcome {
        case .redeemed, .pending, .slowDown(_, isFirst: true): RequestAdmission.current?.prove()
        case .slowDown(_, isFirst: false), .denied, .expired, .unknown: break
        }
        switch outcome {
        case .redeemed(let facts): return try await openID.answer(facts, isNewUser: facts.isOfFirstLogin, to: call)
        case .pending: throw OAuthError(.authorizationPending, "The user has not decided yet.")
        case .slowDown:
            throw OAuthError(.slowDown, "Wait five seconds longer between two polls from now on.")
        case .denied: throw OAuthError(.accessDenied, "The user denied the request.")
        case .expired: throw OAuthError(.expiredToken, "The device code has expired. Request a new one.")
        case .unknown:
            throw OAuthError(
                .invalidGrant, "The device code is unknown, belongs to another client, or was used before.")
        }
    }
}

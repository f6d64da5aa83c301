package import Foundation
package import ProviderKit

extension IDTokenCheck {
    /// The nonce that a client expects in an ID token of its issuer.
    package enum ClientNonce: Sendable, Hashable {
        /// The token of a refresh may repeat the first one's (OpenID Connect Core §12.2).
        case unchecked
        /// The flow has no nonce.
        case absent
        /// The nonce of the authorization request.
        case sent(String)
    }

    /// The claims of an ID token that its issuer signed for a client, verified as OpenID Connect Core §3.1.3.7 says:
    /// ES256 or RS256, issuer, audience and authorized party, times with a minute's difference of clocks, and the nonce.
    ///
    /// - Parameters:
    ///   - token: The ID token.
    ///   - issuer: The expected `iss`.
    ///   - clientID: The expected `aud`.
    ///   - nonce: The expected nonce.
    ///   - accessToken: The access token of the same answer, for `at_hash`.
    ///   - keys: The issuer's keys.
    ///   - now: The time.
    /// - Returns: The claims.
    /// - Throws: ``JOSEError``; of kind ``JOSEError/Kind/unknownKey`` before any claim is read.
    package static func claims(
        of token: CompactJWS, from issuer: String, for clientID: String, nonce: ClientNonce, accessToken: String?,
        keys: KeySet, now: Date
    ) throws(JOSEError) -> JSONObject {
        let policy = IDTokenPolicy(
            issuers: [issuer], audiences: [clientID], keySetURL: "", algorithms: [.es256, .rs256], clockSkew: 60)
        let expectation: NonceExpectation =
            switch nonce {
            case .unchecked: .unchecked
            case .absent: .absent
            case .sent(let nonce): .sent(nonce)
            }
        return try IDTokenCheck(policy, nonce: expectation, accessToken: accessToken, now: now)(token, keys: keys)
            .claims
    }
}

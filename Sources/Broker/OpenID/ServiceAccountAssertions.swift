import BrokerStore
import Foundation
import JOSE
import ProviderKit

/// Exchanges the assertion of a service account for an access token (RFC 7523 §2.1), as Google's libraries do.
struct ServiceAccountAssertions: Sendable {
    let accounts: ServiceAccounts
    /// This endpoint's URL, the `token_uri` of the key files.
    let tokenURI: String
    let now: @Sendable () -> Date

    static let grantType = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    /// Seconds an assertion and what it yields live at most.
    static let maximumLifetime: Int64 = 3600
    /// Seconds the signer's clock may be ahead.
    static let clockSkew: Int64 = 30

    /// What Google's libraries write as the audience whatever the file's `token_uri` says. Only this broker knows the key,
    /// so the claim tells nothing more here.
    private static let audiencesOfLibraries = [
        "https://oauth2.googleapis.com/token", "https://www.googleapis.com/oauth2/v4/token",
        "https://accounts.google.com/o/oauth2/token",
    ]
    /// The scopes of Google's libraries that stand for the scopes of the account.
    private static let scopesOfLibraries: Set<String> = [
        "https://www.googleapis.com/auth/cloud-platform", "https://www.googleapis.com/auth/firebase",
        "https://www.googleapis.com/auth/identitytoolkit",
    ]

    struct AccessToken: Sendable {
        let text: String
        /// Seconds.
        let lifetime: Int64
        /// The scopes of the account, separated by spaces.
        let scope: String
    }

    /// - Returns: An access token that expires with the assertion, so that a captured assertion yields nothing that
    ///   outlives it.
    /// - Throws: ``OAuthError``, ``BrokerError/tooManyAttempts(retryAfter:)``, or a store's error.
    func exchange(_ assertion: String) async throws -> AccessToken {
        let now = Timestamp(now())
        let (token, claims) = try Self.parse(assertion)
        guard let issuer = claims["iss"]?.string, claims["sub"]?.string.map({ $0.hasSameBytes(as: issuer) }) ?? true,
            let signer = try await accounts.signer(email: issuer)
        else { throw Self.refusal("iss is no valid service account of this broker, or sub names another one.") }
        let (keyID, payload) = try Self.verified(token, signer)
        try RequestAdmission.current?.prove(credential: "service-account:" + signer.stored.id)
        try checkAudience(payload)
        let expiresAt = try Self.expiry(payload, at: now)
        try Self.checkScope(payload)
        let text = accounts.accessTokens.encode(
            .init(accountID: signer.stored.id, keyID: keyID, expiresAt: expiresAt))
        return AccessToken(text: text, lifetime: expiresAt - now.seconds, scope: signer.stored.scopes)
    }

    private static func parse(_ assertion: String) throws(OAuthError) -> (CompactJWS, JSONObject) {
        do {
            let token = try CompactJWS(parsing: assertion)
            return (token, try token.unverifiedClaims())
        } catch {
            throw refusal("The assertion is no JWT.")
        }
    }

    /// The key that signed and the claims. An assertion without `kid` is tried with each key.
    private static func verified(
        _ token: CompactJWS, _ signer: ServiceAccounts.Signer
    ) throws(OAuthError) -> (keyID: String, payload: JSONObject) {
        for key in signer.keys {
            guard let name = key.keyID, token.header.keyID.map({ $0.hasSameBytes(as: name) }) ?? true else { continue }
            if let payload = try? token.verified(with: key.key).object { return (name, payload) }
        }
        throw refusal("The signature is not that of a valid key of the service account.")
    }

    private func checkAudience(_ payload: JSONObject) throws(OAuthError) {
        guard let value = payload["aud"], let names = try? Audience(value).names, names.count == 1,
            ([tokenURI] + Self.audiencesOfLibraries).contains(where: { $0.hasSameBytes(as: names[0]) })
        else { throw Self.refusal("aud must be the token_uri.") }
    }

    private static func expiry(_ payload: JSONObject, at now: Timestamp) throws(OAuthError) -> Int64 {
        let claims: (issued: Int64, expires: Int64)
        do {
            let registered = try RegisteredClaims(.object(payload))
            claims = (try registered.issuedAt.secondsSince1970, try registered.expiration.secondsSince1970)
        } catch {
            throw refusal("iat and exp must be whole seconds.")
        }
        guard claims.issued <= now.seconds + clockSkew else { throw refusal("iat is in the future: check the clock.") }
        guard claims.expires > now.seconds else { throw refusal("The assertion has expired: check the clock.") }
        guard claims.expires > claims.issued, claims.expires - claims.issued <= maximumLifetime else {
            throw refusal("An assertion lives one hour at most.")
        }
        return min(claims.expires, now.seconds + maximumLifetime)
    }

    private static func checkScope(_ payload: JSONObject) throws(OAuthError) {
        let names = (payload["scope"]?.string ?? "").split(separator: " ").map(String.init)
        let isKnown = names.contains { scopesOfLibraries.contains($0) || AdminScope(rawValue: $0) != nil }
        guard isKnown else {
            throw OAuthError(
                .invalidScope, "scope must name the scope cloud-platform, firebase or identitytoolkit of Google's APIs."
            )
        }
    }

    private static func refusal(_ text: String) -> OAuthError { OAuthError(.invalidGrant, text) }
}

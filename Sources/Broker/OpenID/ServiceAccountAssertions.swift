import BrokerStore
import Foundation
import JOSE
import OAuth
import ProviderKit

/// Exchanges the assertion of a service account for an access token (RFC 7523 §2.1), as Google's libraries do.
struct ServiceAccountAssertions: StoreLayer {
    let accounts: ServiceAccounts
    /// This endpoint's URL, the `token_uri` of the key files.
    let tokenURI: String

    var stored: StoreContext { accounts.stored }

    static let grantType = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    /// Seconds an assertion and what it yields live at most.
    static let maximumLifetime: Int64 = 3600
    /// Seconds the signer's clock may be ahead.
    static let clockSkew: Int64 = 30

    /// The audience that Google's libraries write whatever the file's `token_uri` says. Only this broker knows the key,
    /// so the claim tells nothing more here.
    private static let audiencesOfLibraries = [
        "https://oauth2.googleapis.com/token", "https://www.googleapis.com/oauth2/v4/token",
        "https://accounts.google.com/o/oauth2/token",
    ]
    /// How the scopes of Google's APIs begin. Requested alone, one of ``scopesOfLibraries`` among them stands for all scopes
    /// of the account.
    private static let scopePrefixOfLibraries = "https://www.googleapis.com/auth/"
    private static let scopesOfLibraries = ["cloud-platform", "firebase", "identitytoolkit"]

    struct AccessToken: Sendable {
        let text: String
        /// Seconds.
        let lifetime: Int64
        /// The granted scopes, separated by spaces.
        let scope: String
    }

    /// Exchanges an assertion. One with a `jti` is single-use.
    ///
    /// - Parameters:
    ///   - assertion: The JWT.
    ///   - scope: The parameter of the request (RFC 7521 §4.1), which narrows what the assertion requests.
    /// - Returns: An access token that expires with the assertion, so that a captured assertion yields nothing that
    ///   outlives it.
    /// - Throws: ``OAuthError``, ``BrokerError/tooManyAttempts(retryAfter:)``, or a store's error.
    func exchange(_ assertion: String, scope: String? = nil) async throws -> AccessToken {
        let now = now
        let (token, claims) = try Self.parse(assertion)
        guard let issuer = claims["iss"]?.string, claims["sub"]?.string.map({ $0.hasSameBytes(as: issuer) }) ?? true,
            let signer = try await accounts.signer(email: issuer)
        else { throw Self.refusal("iss is no valid service account of this broker, or sub names another one.") }
        let (keyID, payload) = try Self.verified(token, signer)
        try RequestAdmission.current?.prove(credential: "service-account:" + signer.stored.id)
        try checkAudience(payload)
        let expiresAt = try Self.expiry(payload, at: now)
        let scopes = try Self.scopes(payload, scope, of: signer)
        try await consume(payload, of: signer.stored)
        let text = accounts.accessTokens.encode(
            .init(
                accountID: signer.stored.id, keyID: keyID, expiresAt: expiresAt,
                scopes: scopes == signer.scopes ? nil : scopes))
        return AccessToken(text: text, lifetime: expiresAt - now.seconds, scope: AdminScope.list(scopes))
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

    /// The requested scopes that the account has: those of the assertion, where Google's libraries write them, and of
    /// the parameter.
    private static func scopes(
        _ payload: JSONObject, _ parameter: String?, of signer: ServiceAccounts.Signer
    ) throws(OAuthError) -> Set<AdminScope> {
        var requests: [String] = []
        if let claim = payload["scope"] {
            guard let text = claim.string else { throw OAuthError(.invalidScope, "scope must be text.") }
            requests.append(text)
        }
        if let parameter { requests.append(parameter) }
        let scopes = requests.reduce(signer.scopes) { granted, text in
            standsForAll(text) ? granted : granted.granted(of: AdminScope.set(text))
        }
        guard !requests.isEmpty, !scopes.isEmpty else {
            throw OAuthError(
                .invalidScope,
                "scope must name a scope that the service account has, or, for all of them, the scope cloud-platform, "
                    + "firebase or identitytoolkit of Google's APIs.")
        }
        return scopes
    }

    private static func standsForAll(_ scope: String) -> Bool {
        let names = ScopeList(scope).scopes
        return names.allSatisfy { $0.hasPrefix(scopePrefixOfLibraries) }
            && names.contains { scopesOfLibraries.contains(String($0.dropFirst(scopePrefixOfLibraries.count))) }
    }

    private func consume(_ payload: JSONObject, of account: StoredServiceAccount) async throws {
        guard let claim = payload["jti"] else { return }
        guard let id = claim.string, !id.isEmpty else { throw Self.refusal("jti must be text that is not empty.") }
        // Until every broker refuses the assertion, also one whose clock is behind.
        let expiry = try RegisteredClaims(.object(payload)).expiration.secondsSince1970 + Self.clockSkew
        switch try await accounts.consume(assertion: id, of: account, until: Timestamp(seconds: expiry)) {
        case .first: return
        case .repeated: throw Self.refusal("An assertion with this jti was used before.")
        case .tooMany: throw BrokerError.tooManyAttempts(retryAfter: 60)
        }
    }

    private static func refusal(_ text: String) -> OAuthError { OAuthError(.invalidGrant, text) }
}

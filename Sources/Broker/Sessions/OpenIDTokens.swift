package import BrokerStore
import Crypto
import Foundation
import JOSE
import OAuth
import ProviderKit

/// The tokens that an OAuth client gets for a grant.
package struct IssuedOpenIDTokens: Sendable {
    package let accessToken: String
    /// With the scope `openid`.
    package let idToken: String?
    /// With the scope `offline_access`.
    package let refreshToken: String?
    /// Seconds the access token lives.
    package let expiresIn: Int64
    /// The scope of the access token.
    package let scopes: Scopes
    /// The session they belong to.
    let facts: SessionView<Never>
    /// The provider whose identity the grant has linked.
    var linkedProvider: String?
    /// What the grant answers beside the tokens.
    var members = JSONObject()
}

/// Mints the tokens of the OpenID Connect family: ID tokens (OpenID Connect Core §2), access tokens (RFC 9068), and
/// refresh tokens.
package struct OpenIDTokens: Sendable {
    /// The `iss` of all of them: the broker's public URL.
    package let issuer: String
    let keys: SigningKeys
    let refreshTokens: RefreshTokenCodec
    /// The classes that `acr` names.
    let stepUp: [StepUpRule]
    let mergeTokens: MergeTokenCodec

    /// The `typ` of access tokens (RFC 9068 §2.1), which tells them from ID tokens.
    static let accessTokenType = "at+jwt"

    /// Tokens for a client's session as it stands.
    ///
    /// - Parameters:
    ///   - facts: A session of the family `oauth`.
    ///   - client: The client it belongs to.
    ///   - scopes: Less than the session was granted, if the client wants less.
    ///   - nonce: For the first ID token.
    ///   - withRefreshToken: Whether a refresh token comes along, where the scope has one.
    ///   - now: Never rounded up, since verifiers refuse tokens from the future.
    /// - Returns: The tokens.
    /// - Throws: ``InternalError/signingKeyMissing(_:)``.
    package func issue<Linked: ProviderSubject>(
        _ facts: SessionView<Linked>, for client: Client, scopes: Scopes? = nil, nonce: String? = nil,
        withRefreshToken: Bool = true, at now: Timestamp
    ) async throws -> IssuedOpenIDTokens {
        let granted = client.scopes(of: facts.session)
        let scopes = scopes ?? granted
        let algorithm = client.algorithm
        var subject = SessionClaim.Subject(facts, issuer: issuer, scopes: scopes, stepUp: stepUp, at: now)
        (subject.audience, subject.clientID) = (client.id, client.id)
        (subject.issuedAt, subject.expiresAt) = (now.seconds, now.seconds + TokenRules.lifetime)
        subject.tokenID = RandomText.alphanumeric(22)
        let accessToken = try await keys.sign(
            payload: SessionClaim.payload(of: .accessToken, subject), algorithm, type: Self.accessTokenType)
        var idToken: String?
        if scopes.contains(.openid) {
            subject.nonce = nonce
            subject.accessTokenHash = Self.halfHash(of: accessToken)
            idToken = try await keys.sign(payload: SessionClaim.payload(of: .idToken, subject), algorithm)
        }
        let successor = RefreshToken(sessionID: facts.session.id, generation: facts.session.generation)
        return IssuedOpenIDTokens(
            accessToken: accessToken, idToken: idToken,
            refreshToken: withRefreshToken && granted.contains(.offlineAccess) ? refreshTokens.encode(successor) : nil,
            expiresIn: TokenRules.lifetime, scopes: scopes, facts: facts.withoutIdentities)
    }

    /// The left half of the token's SHA-256 (OpenID Connect Core §3.1.3.6); both algorithms are with SHA-256.
    private static func halfHash(of token: String) -> String {
        Base64URL.encode(Array(SHA256.hash(data: Data(token.utf8)).prefix(16)))
    }
}

extension Client {
    /// The scopes that its tokens of a session have: those that were granted, and `claims` for the operator's own app.
    func scopes(of session: Session) -> Scopes {
        Scopes(session.scope ?? "").union(isFirstParty ? [.claims] : [])
    }
}

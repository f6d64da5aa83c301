import Foundation
import JOSE
import OAuth
import StrictJSON

/// The verification of one kind of token, with a memory of the tokens that have passed it. The kind is decided by the
/// configuration and the carrier, never by the token's signature or claims alone.
struct TokenCheck: Sendable {
    private let kind: BrokerTokenKind
    private let audiences: [String]
    private let verifiedTokens: VerifiedTokens<TokenFacts>

    /// Makes the verification of a kind.
    ///
    /// - Parameters:
    ///   - kind: The kind.
    ///   - audiences: Of which a token has one and no other.
    ///   - capacity: The most tokens that are remembered.
    init(kind: BrokerTokenKind, audiences: [String], capacity: Int) {
        self.kind = kind
        self.audiences = audiences
        verifiedTokens = VerifiedTokens(capacity: capacity)
    }

    /// Seconds two hosts' clocks may differ by.
    static let clockSkew = 30.0

    /// The `typ` of access tokens (RFC 9068 §2.1).
    static let accessTokenType = "at+jwt"

    /// Whether a token was verified before, with whatever keys.
    func remembers(_ digest: TokenDigest) -> Bool { verifiedTokens.contains(digest) }

    /// The claims of a token that was verified before and would be again.
    func facts(of digest: TokenDigest, with keys: IssuerKeys) -> TokenFacts? {
        verifiedTokens.claims(of: digest, under: conditions(keys), with: keys.keys)
    }

    /// Verifies signature, type, issuer and audience, and reads the claims.
    ///
    /// - Throws: ``BrokerAuthRefusal/invalidToken(_:)``.
    func facts(
        of token: CompactJWS, _ digest: TokenDigest, with keys: IssuerKeys
    ) throws(BrokerAuthRefusal) -> TokenFacts {
        do throws(JOSEError) {
            return try verifiedTokens.verify(token, digest, under: conditions(keys), with: keys.keys) {
                claims, audience throws(JOSEError) in try TokenFacts(claims, kind, audience)
            }
        } catch {
            switch error.kind {
            case .unknownKey: throw .invalidToken("The token names an unknown key.")
            case .invalidClaim: throw .invalidToken("A claim of the token is missing or wrong.")
            default: throw .invalidToken("The token is not valid.")
            }
        }
    }

    private func conditions(_ keys: IssuerKeys) -> TokenConditions {
        TokenConditions(
            type: kind == .accessToken ? Self.accessTokenType : TokenSigner.ordinaryType, issuer: keys.tokenIssuer,
            audiences: audiences, algorithms: keys.algorithms)
    }
}

/// The claims of a verified token, which do not change with time.
struct TokenFacts: Sendable {
    let kind: BrokerTokenKind
    let userID: String
    let clientID: String?
    let scopes: Set<String>
    let sessionID: String
    let authTime: NumericDate
    let issuedAt: NumericDate
    let notBefore: NumericDate?
    let expiresAt: NumericDate
    let claims: JSONObject

    /// - Throws: ``JOSEError`` for a claim that is missing or wrong.
    init(_ claims: RegisteredClaims, _ kind: BrokerTokenKind, _ audience: String) throws(JOSEError) {
        let payload = claims.payload
        userID = try claims.subject
        guard (1...512).contains(userID.utf8.count) else { throw JOSEError(.invalidClaim, "sub is empty or too long") }
        guard let authTime = try claims.authenticationTime else {
            throw JOSEError(.invalidClaim, "auth_time is missing")
        }
        let sessionID = kind == .accessToken ? payload["sid"]?.string : payload["broker"]?["sid"]?.string
        guard let sessionID, !sessionID.isEmpty else { throw JOSEError(.invalidClaim, "sid is missing") }
        if kind == .accessToken {
            guard payload["client_id"]?.string?.hasSameBytes(as: audience) ?? false else {
                throw JOSEError(.invalidClaim, "client_id is not the audience")
            }
            clientID = audience
            scopes = Set(ScopeList(payload["scope"]?.string ?? "").scopes)
        } else {
            (clientID, scopes) = (nil, [])
        }
        (self.kind, self.authTime, self.sessionID) = (kind, authTime, sessionID)
        issuedAt = try claims.issuedAt
        notBefore = try claims.notBefore
        expiresAt = try claims.expiration
        self.claims = payload
    }

    /// - Throws: ``BrokerAuthRefusal/invalidToken(_:)`` outside of the time of its validity.
    func checkTime(at now: Date) throws(BrokerAuthRefusal) {
        let now = now.timeIntervalSince1970
        guard now - TokenCheck.clockSkew < Double(expiresAt.secondsSince1970) else {
            throw .invalidToken("The token has expired.")
        }
        let start = max(issuedAt, notBefore ?? issuedAt)
        guard Double(start.secondsSince1970) <= now + TokenCheck.clockSkew else {
            throw .invalidToken("The token is not valid yet: check the clock.")
        }
    }
}

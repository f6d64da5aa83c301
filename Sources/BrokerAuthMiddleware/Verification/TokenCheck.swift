import Foundation
import JOSE
import OAuth
import StrictJSON

/// What a kind of token must have. The kind is decided by the configuration and the carrier, never by the token's
/// signature or claims alone.
struct TokenCheck: Sendable {
    let kind: BrokerTokenKind
    /// One of them is the only audience.
    let audiences: [String]

    /// Seconds two hosts' clocks may differ by.
    static let clockSkew = 30.0

    /// The `typ` of access tokens (RFC 9068 §2.1).
    static let accessTokenType = "at+jwt"

    /// The type that the header must have.
    var type: String { kind == .accessToken ? Self.accessTokenType : TokenSigner.ordinaryType }

    /// Verifies signature, type, issuer and audience, and reads the claims.
    ///
    /// - Throws: ``BrokerAuthRefusal/invalidToken(_:)``.
    func facts(of token: CompactJWS, with keys: IssuerKeys) throws(BrokerAuthRefusal) -> TokenFacts {
        do throws(JOSEError) {
            return try verified(token, keys)
        } catch {
            switch error.kind {
            case .unknownKey: throw .invalidToken("The token names an unknown key.")
            case .invalidClaim: throw .invalidToken("A claim of the token is missing or wrong.")
            default: throw .invalidToken("The token is not valid.")
            }
        }
    }

    private func verified(_ token: CompactJWS, _ keys: IssuerKeys) throws(JOSEError) -> TokenFacts {
        guard token.header.type?.hasSameBytes(as: type) ?? false else {
            throw JOSEError(.unsupportedHeader, "typ is that of another kind")
        }
        let payload = try token.verified(with: keys.keys, algorithms: keys.algorithms)
        let claims = try RegisteredClaims(payload)
        guard try claims.issuer.hasSameBytes(as: keys.tokenIssuer) else {
            throw JOSEError(.invalidClaim, "iss is that of another kind")
        }
        let names = try claims.audience.names
        guard names.count == 1, audiences.contains(where: { $0.hasSameBytes(as: names[0]) }) else {
            throw JOSEError(.invalidClaim, "aud is not accepted")
        }
        let subject = try claims.subject
        guard (1...512).contains(subject.utf8.count) else { throw JOSEError(.invalidClaim, "sub is empty or too long") }
        guard let authTime = try claims.authenticationTime else {
            throw JOSEError(.invalidClaim, "auth_time is missing")
        }
        let sessionID = kind == .accessToken ? payload["sid"]?.string : payload["broker"]?["sid"]?.string
        guard let sessionID, !sessionID.isEmpty else { throw JOSEError(.invalidClaim, "sid is missing") }
        var clientID: String?
        if kind == .accessToken {
            guard payload["client_id"]?.string?.hasSameBytes(as: names[0]) ?? false else {
                throw JOSEError(.invalidClaim, "client_id is not the audience")
            }
            clientID = names[0]
        }
        return TokenFacts(
            kind: kind, keyID: token.header.keyID ?? "", issuer: keys.tokenIssuer, userID: subject,
            clientID: clientID,
            scopes: kind == .accessToken ? Set(ScopeList(payload["scope"]?.string ?? "").scopes) : [],
            sessionID: sessionID, authTime: authTime, issuedAt: try claims.issuedAt,
            notBefore: try claims.notBefore, expiresAt: try claims.expiration, claims: claims.payload)
    }
}

/// What a verified token says, which does not change with time.
struct TokenFacts: Sendable {
    let kind: BrokerTokenKind
    /// The key it is signed with.
    let keyID: String
    let issuer: String
    let userID: String
    let clientID: String?
    let scopes: Set<String>
    let sessionID: String
    let authTime: NumericDate
    let issuedAt: NumericDate
    let notBefore: NumericDate?
    let expiresAt: NumericDate
    let claims: JSONObject

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

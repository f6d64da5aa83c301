import BrokerStore
import JOSE
import ProviderKit

/// Verifies custom tokens: RS256, signed by a service account of `broker.json` or of the store (contract §5.6).
struct CustomTokenVerifier: Sendable {
    let accounts: ServiceAccounts

    /// The claims of a verified token.
    struct Claims: Sendable {
        let localID: String
        /// For the ID tokens of this session; `nil` when the token brings none.
        let developerClaims: JSONObject?
        /// The methods of the login at the developer's server (`amr`), in the order of the token; `nil` when it states none.
        let authenticationMethods: [String]?
    }

    /// The provider of such a sign-in in sessions, step-up rules and the claim `firebase`.
    static let signInProvider = "custom"
    /// The audience of every custom token, for any broker.
    static let audience = "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"
    /// Seconds a token may live at most.
    static let maximumLifetime: Int64 = 3600
    /// Seconds the signer's clock may be ahead.
    static let clockSkew: Int64 = 30

    /// - Throws: ``BrokerError`` in the order of contract §2.3, or a store's error.
    func claims(of token: String, at now: Timestamp) async throws -> Claims {
        let token = try Self.parse(token)
        guard Self.isForHere(token.unverified) else {
            throw BrokerError.invalidCustomToken("Invalid aud (audience).")
        }
        let payload = try await verified(token.signed, claiming: token.unverified)
        try Self.checkTimes(payload, at: now)
        guard payload["tenant_id"]?.isNull ?? true else { throw BrokerError.tenantMismatch }
        let localID = try Self.localID(payload)
        return Claims(
            localID: localID, developerClaims: try Self.developerClaims(payload),
            authenticationMethods: try Self.authenticationMethods(payload))
    }

    private static func parse(_ text: String) throws(BrokerError) -> (signed: CompactJWS, unverified: JSONObject) {
        do {
            let token = try CompactJWS(parsing: text)
            return (token, try token.unverifiedClaims())
        } catch {
            throw .invalidCustomToken("Invalid assertion format")
        }
    }

    private static func isForHere(_ claims: JSONObject) -> Bool {
        guard let value = claims["aud"], let names = try? Audience(value).names, names.count == 1 else { return false }
        return names[0].hasSameBytes(as: audience)
    }

    /// The claims, once one key of the account they name has signed them. Names of keys narrow the choice, no more: PEM
    /// files have none.
    private func verified(_ token: CompactJWS, claiming claims: JSONObject) async throws -> JSONObject {
        guard let issuer = claims["iss"]?.string, claims["sub"]?.string?.hasSameBytes(as: issuer) == true,
            let keys = try await keys(ofSigner: issuer)
        else { throw BrokerError.invalidCustomToken("The signer is no service account of this broker.") }
        for key in keys {
            if let name = key.keyID, let wanted = token.header.keyID, !name.hasSameBytes(as: wanted) { continue }
            if let payload = try? token.verified(with: key.key).object { return payload }
        }
        throw BrokerError.invalidCustomToken("The signature is not the service account's.")
    }

    /// The valid keys of the account that may sign; nil if there is none.
    ///
    /// - Throws: ``BrokerError`` for an account without the right to sign users in, or a store's error.
    private func keys(ofSigner email: String) async throws -> [JSONWebKey]? {
        if let account = accounts.configured.first(where: { $0.email.hasSameBytes(as: email) }) { return account.keys }
        guard let signer = try await accounts.signer(email: email) else { return nil }
        // A custom token signs in as any user, and creates users.
        guard signer.scopes.grants(.writeUsers) else {
            throw BrokerError.invalidCustomToken("The service account needs the scope users:write.")
        }
        return signer.keys
    }

    private static func checkTimes(_ payload: JSONObject, at now: Timestamp) throws(BrokerError) {
        let claims: (issued: Int64, expires: Int64)
        do {
            let registered = try RegisteredClaims(.object(payload))
            claims = (try registered.issuedAt.secondsSince1970, try registered.expiration.secondsSince1970)
        } catch {
            throw .invalidCustomToken("iat and exp must be whole seconds.")
        }
        guard claims.issued <= now.seconds + clockSkew else { throw .invalidCustomToken("iat is in the future.") }
        guard claims.expires > now.seconds else { throw .invalidCustomToken("The token has expired.") }
        guard claims.expires > claims.issued, claims.expires - claims.issued <= maximumLifetime else {
            throw .invalidCustomToken("A custom token lives one hour at most.")
        }
    }

    private static func localID(_ payload: JSONObject) throws(BrokerError) -> String {
        guard let text = text(payload["uid"]) ?? text(payload["user_id"]) else { throw .missingIdentifier }
        guard LocalID.isUsable(text) else {
            throw .invalidCustomToken("uid must be 1 to 128 printable characters.")
        }
        return text
    }

    private static func text(_ value: JSONValue?) -> String? {
        switch value {
        case .string(let text): text.isEmpty ? nil : text
        case .number(let number): number.literal
        case .bool(let value): value ? "true" : "false"
        case .none, .null, .array, .object: nil
        }
    }

    private static func authenticationMethods(_ payload: JSONObject) throws(BrokerError) -> [String]? {
        guard let value = payload["amr"] else { return nil }
        let methods = value.array?.compactMap(\.string) ?? []
        guard methods.count == value.array?.count, (1...AuthenticationMethods.maximumCount).contains(methods.count),
            methods.allSatisfy(AuthenticationMethods.mayAssert)
        else {
            throw .invalidCustomToken(
                "amr must have 1 to \(AuthenticationMethods.maximumCount) authentication methods (RFC 8176), fed and "
                    + "user not among them.")
        }
        return methods
    }

    private static func developerClaims(_ payload: JSONObject) throws(BrokerError) -> JSONObject? {
        guard let value = payload["claims"] else { return nil }
        guard let claims = value.object else { throw .invalidClaims }
        try CustomClaims.check(claims)
        return claims
    }
}

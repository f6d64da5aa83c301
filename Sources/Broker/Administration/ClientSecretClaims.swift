import JOSE
import ProviderKit

/// The decoded claims of a client secret that a key signs, compared with what the provider requires.
struct ClientSecretClaims: Sendable {
    let header: JSONObject
    let claims: JSONObject
    private let keyID: String?
    private let token: CompactJWS

    /// - Throws: ``ConfigurationFinding`` when the text is not a signed token.
    init(_ secret: Secret) throws(ConfigurationFinding) {
        do {
            token = try CompactJWS(parsing: secret.reveal())
            claims = try token.unverifiedClaims()
        } catch {
            throw ConfigurationFinding(
                code: "not-a-token", text: "the client secret is not a signed token: \(error.reason)",
                fix: "Send the whole token, three parts with dots between them, without quotes or line breaks.")
        }
        keyID = token.header.keyID
        var header: JSONObject = ["alg": .string(token.header.algorithm)]
        header["kid"] = keyID.map(JSONValue.string)
        header["typ"] = token.header.type.map(JSONValue.string)
        self.header = header
    }

    /// The deviations from `expected`, each of which the provider answers with `invalid_client`.
    ///
    /// - Parameters:
    ///   - expected: The assertion of the client that the secret is sent with.
    ///   - maximumLifetime: The provider's limit in seconds.
    ///   - now: Seconds since 1970.
    /// - Returns: One finding for each cause; empty when the secret is right as far as this host can tell.
    func findings(
        comparedWith expected: ClientAssertion, maximumLifetime: Int64, now: Int64
    ) -> [ConfigurationFinding] {
        names(expected) + audience(expected) + times(maximumLifetime, now) + signature(expected)
    }

    private func names(_ expected: ClientAssertion) -> [ConfigurationFinding] {
        let (issuer, subject) = (claims["iss"]?.string, claims["sub"]?.string)
        var findings: [ConfigurationFinding] = []
        let expectedKeyID = expected.key.keyID ?? ""
        if Self.same(keyID, expected.issuer), Self.same(issuer, expectedKeyID) {
            findings.append(.idsSwapped(in: "the client secret"))
        } else {
            if !Self.same(keyID, expectedKeyID) {
                findings.append(
                    .init(
                        code: "wrong-key-id", text: "kid is \(Self.shown(keyID)), and the key is \(expectedKeyID)",
                        fix: "Write the key id into kid: it is part of the name AuthKey_<key id>.p8."))
            }
            if !Self.same(issuer, expected.issuer) {
                findings.append(
                    .init(
                        code: "wrong-team", text: "iss is \(Self.shown(issuer)), and the team is \(expected.issuer)",
                        fix: "Write the team id into iss: the developer site shows it under Membership."))
            }
        }
        if !Self.same(subject, expected.subject) {
            findings.append(
                .init(
                    code: "wrong-client", text: "sub is \(Self.shown(subject)), and the client is \(expected.subject)",
                    fix: "Sign a client secret for each client: sub and client_id are the same."))
        }
        return findings
    }

    private func audience(_ expected: ClientAssertion) -> [ConfigurationFinding] {
        let audience = claims["aud"]?.string
        guard !Self.same(audience, expected.audience) else { return [] }
        let hasSlash = Self.same(audience, expected.audience + "/")
        return [
            .init(
                code: hasSlash ? "audience-slash" : "wrong-audience",
                text: hasSlash
                    ? "aud ends with a slash: \(expected.audience)/"
                    : "aud is \(claims["aud"].map { Self.shown($0.string ?? $0.serialized()) } ?? "missing")",
                fix: "Write \(expected.audience) into aud, one string without a slash at its end.")
        ]
    }

    private func times(_ maximumLifetime: Int64, _ now: Int64) -> [ConfigurationFinding] {
        guard let expires = claims["exp"]?.integer, let issued = claims["iat"]?.integer else {
            return [
                .init(
                    code: "times-missing", text: "iat or exp is missing, or no whole number of seconds since 1970",
                    fix: "Write both as numbers, in seconds, not in milliseconds.")
            ]
        }
        var findings: [ConfigurationFinding] = []
        if expires <= now {
            findings.append(
                .init(
                    code: "expired", text: "the client secret expired \(now.saturating(minus: expires)) s ago",
                    fix: "Sign a new one. If it is new, this host's clock is wrong (timedatectl status)."))
        }
        if issued > now + Self.clockSkew {
            findings.append(
                .init(
                    code: "issued-in-future", text: "iat is \(issued.saturating(minus: now)) s in the future",
                    fix: "Set the clock of the host that signed it (timedatectl status)."))
        }
        let lifetime = max(expires.saturating(minus: issued), expires.saturating(minus: now))
        if lifetime > maximumLifetime {
            findings.append(
                .init(
                    code: "lives-too-long", text: "it lives \(lifetime) s, and \(maximumLifetime) s are allowed",
                    fix: "Set exp to at most iat + \(maximumLifetime), in seconds."))
        }
        return findings
    }

    private func signature(_ expected: ClientAssertion) -> [ConfigurationFinding] {
        guard token.header.algorithm == SignatureAlgorithm.es256.rawValue else {
            return [
                .init(
                    code: "wrong-algorithm", text: "alg is \(Self.shown(token.header.algorithm))",
                    fix: "Sign with ES256, the algorithm of P-256 keys.")
            ]
        }
        guard let key = try? ClientSigningKey(expected.key) else { return [] }
        let otherKey = ConfigurationFinding(
            code: "wrong-signature", text: "the signature is not by the key with thumbprint \(key.thumbprint)",
            fix: "Sign with the .p8 file of key \(expected.key.keyID ?? ""), or import the file that signed.")
        switch key.form(of: token.signature, over: token.signingInput) {
        case .valid: return []
        case .invalid: return [otherKey]
        case .der(let isOurs):
            let form = ConfigurationFinding(
                code: "signature-der", text: "the signature is ASN.1 DER, as openssl dgst writes it",
                fix: "Write r and s as 64 raw bytes (RFC 7518 §3.4); JWT libraries do.")
            return isOurs ? [form] : [form, otherKey]
        }
    }

    /// Seconds by which the clock of the signing host may be ahead.
    private static let clockSkew: Int64 = 60

    private static func same(_ text: String?, _ other: String) -> Bool { text?.hasSameBytes(as: other) ?? false }

    /// A value of the token, bounded: it comes from outside.
    private static func shown(_ text: String?) -> String {
        guard let text else { return "missing" }
        return String(decoding: text.utf8.prefix(100).filter { (0x20...0x7E).contains($0) }, as: UTF8.self)
    }
}

extension ConfigurationFinding {
    static func idsSwapped(in place: String) -> ConfigurationFinding {
        .init(
            code: "ids-swapped", text: "\(place) has the team id where the key id belongs, and the other way round",
            fix: "kid is the key id, iss is the team id; in plugins.json they are keyId and teamId.")
    }
}

extension Int64 {
    /// The difference; the largest number when it cannot be represented, since claims come from outside.
    fileprivate func saturating(minus other: Int64) -> Int64 {
        let (difference, isOverflow) = subtractingReportingOverflow(other)
        return isOverflow ? .max : difference
    }
}

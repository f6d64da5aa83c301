import Crypto
import CryptoExtras
package import ProviderKit

extension JSONWebKey {
    /// The members only private and symmetric keys have (RFC 7518 §6).
    private static let privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]

    /// Reads a published public key.
    ///
    /// - Throws: ``JOSEError``: of kind ``JOSEError/Kind/unsupportedKey`` for valid keys that can verify signatures of none
    ///   of the ``SignatureAlgorithm``s, ``JOSEError/Kind/malformedKey`` for all others.
    package init(importing value: JSONValue) throws(JOSEError) {
        guard let members = value.object else { throw JOSEError(.malformedKey, "key is not an object") }
        guard let type = members["kty"]?.string else { throw JOSEError(.malformedKey, "kty is not a string") }
        let key: PublicVerificationKey
        switch type {
        case "RSA": key = try Self.rsa(members)
        case "EC": key = try Self.ellipticCurve(members)
        case "OKP": key = try Self.edwardsCurve(members)
        default: throw JOSEError(.unsupportedKey, "kty is none of RSA, EC and OKP")
        }
        if Self.privateMembers.contains(where: { members[$0] != nil }) {
            throw JOSEError(.malformedKey, "private key")
        }
        try Self.checkPurpose(members)
        try self.init(
            keyID: Self.keyID(members), key: Self.key(key, for: members["alg"]), statesAlgorithm: members["alg"] != nil,
            issuer: members["issuer"]?.string)
    }

    private static func keyID(_ members: JSONObject) throws(JOSEError) -> String? {
        guard let keyID = members["kid"] else { return nil }
        guard let keyID = keyID.string else { throw JOSEError(.malformedKey, "kid is not a string") }
        return keyID
    }

    /// RFC 7517 §4.2 and §4.3.
    private static func checkPurpose(_ members: JSONObject) throws(JOSEError) {
        if let use = members["use"] {
            guard let use = use.string else { throw JOSEError(.malformedKey, "use is not a string") }
            guard use == "sig" else { throw JOSEError(.unsupportedKey, "use is not sig") }
        }
        if let operations = members["key_ops"] {
            guard let operations = operations.array else { throw JOSEError(.malformedKey, "key_ops is not an array") }
            guard operations.contains("verify") else { throw JOSEError(.unsupportedKey, "key_ops without verify") }
        }
    }

    /// The key for the algorithm that it states (RFC 7517 §4.4).
    private static func key(
        _ key: PublicVerificationKey, for algorithm: JSONValue?
    ) throws(JOSEError) -> PublicVerificationKey {
        guard let algorithm else { return key }
        guard let name = algorithm.string else { throw JOSEError(.malformedKey, "alg is not a string") }
        guard let algorithm = SignatureAlgorithm(rawValue: name) else {
            throw JOSEError(.unsupportedKey, "alg is not \(key.algorithm.rawValue)")
        }
        guard let key = key.key(for: algorithm) else { throw JOSEError(.malformedKey, "alg does not fit kty") }
        return key
    }

    /// RFC 7518 §6.3.1. The exponent has at most 32 bits: larger ones only cost time.
    private static func rsa(_ members: JSONObject) throws(JOSEError) -> PublicVerificationKey {
        let modulus = try bytes("n", of: members)
        let exponent = try bytes("e", of: members)
        guard let first = modulus.first, first != 0, let last = modulus.last, last & 1 == 1 else {
            throw JOSEError(.malformedKey, "n is not an odd number in its shortest form")
        }
        let bits = modulus.count * 8 - first.leadingZeroBitCount
        guard 2048...4096 ~= bits else { throw JOSEError(.unsupportedKey, "RSA key of \(bits) bits") }
        guard exponent.first != 0, let last = exponent.last, last & 1 == 1, exponent != [1] else {
            throw JOSEError(.malformedKey, "e is not an odd number above one in its shortest form")
        }
        guard exponent.count <= 4 else { throw JOSEError(.unsupportedKey, "e has more than 32 bits") }
        guard let key = try? _RSA.Signing.PublicKey(n: modulus, e: exponent) else {
            throw JOSEError(.malformedKey, "n and e are not an RSA key")
        }
        return .rs256(key)
    }

    /// RFC 7518 §6.2.1.
    private static func ellipticCurve(_ members: JSONObject) throws(JOSEError) -> PublicVerificationKey {
        guard let curve = members["crv"]?.string else { throw JOSEError(.malformedKey, "crv is not a string") }
        guard curve == "P-256" else { throw JOSEError(.unsupportedKey, "crv is not P-256") }
        let (x, y) = (try bytes("x", of: members), try bytes("y", of: members))
        guard x.count == 32, y.count == 32 else { throw JOSEError(.malformedKey, "x or y is not 32 bytes long") }
        guard let key = try? P256.Signing.PublicKey(rawRepresentation: x + y) else {
            throw JOSEError(.malformedKey, "x and y are not a point on P-256")
        }
        return .es256(key)
    }

    /// RFC 8037 §2.
    private static func edwardsCurve(_ members: JSONObject) throws(JOSEError) -> PublicVerificationKey {
        guard let curve = members["crv"]?.string else { throw JOSEError(.malformedKey, "crv is not a string") }
        guard curve == "Ed25519" else { throw JOSEError(.unsupportedKey, "crv is not Ed25519") }
        let x = try bytes("x", of: members)
        guard x.count == 32, let key = try? Curve25519.Signing.PublicKey(rawRepresentation: x) else {
            throw JOSEError(.malformedKey, "x is not 32 bytes long")
        }
        return .eddsa(key)
    }

    private static func bytes(_ name: String, of members: JSONObject) throws(JOSEError) -> [UInt8] {
        guard let text = members[name]?.string, let bytes = Base64URL.decode(text) else {
            throw JOSEError(.malformedKey, "\(name) is not base64url")
        }
        return bytes
    }
}

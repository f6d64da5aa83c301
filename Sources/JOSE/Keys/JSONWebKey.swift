import Crypto
package import ProviderKit

/// A JSON Web Key (RFC 7517) with the key id that tokens refer to.
package struct JSONWebKey: Sendable {
    /// The key id (`kid`), or nil when its publisher set none.
    package let keyID: String?

    /// The key itself.
    package let key: PublicVerificationKey

    /// Whether its publisher states the algorithm (`alg`).
    private let statesAlgorithm: Bool

    /// The issuer that it signs for (`issuer`), which only Microsoft states.
    package let issuer: String?

    /// The SHA-256 thumbprint in base64url (RFC 7638), which depends only on the key itself.
    package let thumbprint: String

    /// The members of the thumbprint (RFC 7638 §3.2).
    private let requiredMembers: JSONObject

    /// Makes a key.
    ///
    /// - Throws: ``JOSEError`` when `keyID` is not 1 to 256 printable ASCII characters.
    package init(keyID: String?, key: PublicVerificationKey) throws(JOSEError) {
        try self.init(keyID: keyID, key: key, statesAlgorithm: true, issuer: nil)
    }

    init(keyID: String?, key: PublicVerificationKey, statesAlgorithm: Bool, issuer: String?) throws(JOSEError) {
        if let keyID, !keyID.isKeyID {
            throw JOSEError(.malformedKey, "kid is not 1 to 256 printable ASCII characters")
        }
        self.keyID = keyID
        self.key = key
        self.statesAlgorithm = statesAlgorithm
        self.issuer = issuer
        requiredMembers = try key.requiredMembers()
        thumbprint = Base64URL.encode(Array(SHA256.hash(data: requiredMembers.serializedBytes())))
    }

    /// The key as one for `algorithm`: itself, or for an RSA key whose publisher states no algorithm (RFC 7517 §4.4) also
    /// one for PS256; `nil` for any other algorithm.
    func key(for algorithm: SignatureAlgorithm) -> PublicVerificationKey? {
        key.algorithm == algorithm ? key : statesAlgorithm ? nil : key.key(for: algorithm)
    }

    /// The key for publication, with its purpose and algorithm.
    package var jsonValue: JSONValue {
        var members = requiredMembers
        members["kid"] = keyID.map(JSONValue.string)
        members["use"] = "sig"
        members["alg"] = .string(key.algorithm.rawValue)
        return .object(members)
    }
}

extension String {
    /// Whether this is a valid key id: 1 to 256 printable ASCII characters.
    var isKeyID: Bool { (1...256).contains(utf8.count) && isPrintableASCII }

    /// Whether every character is ASCII from space to tilde, so that `==` compares bytes.
    var isPrintableASCII: Bool { utf8.allSatisfy { 0x20...0x7E ~= $0 } }
}

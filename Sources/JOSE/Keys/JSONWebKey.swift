import Crypto
package import ProviderKit

/// A public key as JSON (RFC 7517), with the name tokens use for it.
package struct JSONWebKey: Sendable {
    /// The name tokens use for it (`kid`), or nil when its publisher gave none.
    package let keyID: String?

    /// The key itself.
    package let key: PublicVerificationKey

    /// The SHA-256 thumbprint in base64url (RFC 7638): the same for the same key, whoever publishes it.
    package let thumbprint: String

    /// The members that make the key what it is.
    private let requiredMembers: JSONObject

    /// Makes a key of its parts.
    ///
    /// - Throws: ``JOSEError`` when `keyID` is not 1 to 256 printable ASCII characters.
    package init(keyID: String?, key: PublicVerificationKey) throws(JOSEError) {
        if let keyID, !keyID.isKeyID {
            throw JOSEError(.malformedKey, "kid is not 1 to 256 printable ASCII characters")
        }
        self.keyID = keyID
        self.key = key
        requiredMembers = try key.requiredMembers()
        var canonical: [UInt8] = []
        requiredMembers.append(to: &canonical)
        thumbprint = Base64URL.encode(Array(SHA256.hash(data: canonical)))
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
    /// Whether this can name a key: 1 to 256 printable ASCII characters.
    var isKeyID: Bool { (1...256).contains(utf8.count) && isPrintableASCII }

    /// Whether there is nothing but ASCII from space to tilde, so that `==` compares bytes.
    var isPrintableASCII: Bool { utf8.allSatisfy { 0x20...0x7E ~= $0 } }
}

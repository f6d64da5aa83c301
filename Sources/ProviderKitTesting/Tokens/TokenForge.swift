import JOSE
import ProviderKit
import Synchronization

/// The signatures that were made: a script makes the same tokens for each run, and RSA is slow.
private final class KnownSignatures: Sendable {
    private static let maximumCount = 10_000
    private let signatures = Mutex<[[UInt8]: [UInt8]]>([:])

    func signature(of input: [UInt8], made: () -> [UInt8]) -> [UInt8] {
        if let known = signatures.withLock({ $0[input] }) { return known }
        let signature = made()
        signatures.withLock { signatures in
            if signatures.count == Self.maximumCount { signatures = [:] }
            signatures[input] = signature
        }
        return signature
    }
}

/// A builder of forged tokens, each of which violates exactly one rule.
struct TokenForge {
    let keyID: String
    let key: IssuerKey
    let type: String?

    func token(_ claims: JSONObject, forging forgery: IDTokenForgery?) -> String {
        if forgery == .notAToken { return "not.a-token" }
        let parts = [header(forgery).serializedBytes(), payload(claims, forgery)]
        let input = parts.map { Base64URL.encode($0) }.joined(separator: ".")
        return input + "." + Base64URL.encode(signature(Array(input.utf8), forgery))
    }

    private func header(_ forgery: IDTokenForgery?) -> JSONObject {
        var header: JSONObject = ["alg": .string(key.algorithm), "kid": .string(keyID)]
        header["typ"] = type.map(JSONValue.string)
        switch forgery {
        case .noneAlgorithm: header["alg"] = "none"
        case .symmetricAlgorithm: header["alg"] = "HS256"
        case .otherAlgorithm: header["alg"] = key.algorithm == "RS256" ? "ES256" : "RS256"
        case .unknownKeyID: header["kid"] = "nobody-published-this-one"
        case .missingKeyID: header["kid"] = nil
        case .embeddedKey: header["jwk"] = key.foreign.embedded(keyID: keyID)
        case .keySetAddress: header["jku"] = "https://elsewhere.example/keys"
        case .certificateAddress: header["x5u"] = "https://elsewhere.example/certificate"
        case .criticalExtension:
            header["crit"] = ["exp"]
        case .anotherType: header["typ"] = "logout+jwt"
        default: break
        }
        return header
    }

    private func payload(_ claims: JSONObject, _ forgery: IDTokenForgery?) -> [UInt8] {
        guard forgery == .duplicateSubject else { return claims.serializedBytes() }
        return claims.serializedBytes().dropLast() + Array(#","sub":"somebody-else"}"#.utf8)
    }

    private func signature(_ input: [UInt8], _ forgery: IDTokenForgery?) -> [UInt8] {
        switch forgery {
        case .noneAlgorithm: return []
        case .symmetricAlgorithm:
            // Algorithm confusion: the public key as the shared secret.
            return IssuerKey.code(of: input, key.published(keyID: keyID)?.serialized() ?? "")
        case .foreignKey, .embeddedKey, .keySetAddress, .certificateAddress, .unknownKeyID:
            return key.foreign.sign(input)
        case .brokenSignature:
            var signature = key.sign(input)
            signature[signature.count / 2] ^= 1
            return signature
        case .missingKeyID: return key.sign(input)
        default: return Self.known.signature(of: input) { key.sign(input) }
        }
    }

    /// The signatures of the issuers' own keys, which the key IDs in the signed bytes tell apart.
    private static let known = KnownSignatures()
}

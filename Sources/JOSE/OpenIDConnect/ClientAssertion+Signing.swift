import Crypto
import CryptoExtras
package import Foundation
package import ProviderKit

extension ClientAssertion {
    /// The assertion as a signed token, valid from now on.
    ///
    /// - Throws: ``JOSEError`` when the key cannot be used.
    package func signed(now: Date) throws(JOSEError) -> String {
        let issued = Int64(min(max(now.timeIntervalSince1970, 0), 4_102_444_800))
        let nonce = Base64URL.encode(SymmetricKey(size: .bits128).withUnsafeBytes { Array($0) })
        let claims: JSONObject = [
            "iss": .string(issuer), "sub": .string(subject), "aud": .string(audience), "iat": .integer(issued),
            "exp": .integer(issued + Int64(min(max(lifetime, 1), 3600))), "jti": .string(nonce),
        ]
        let signingKey = try key.signingKey()
        let thumbprint = try JSONWebKey(keyID: nil, key: signingKey.publicKey).thumbprint
        return try TokenSigner(keyID: key.keyID ?? thumbprint, key: signingKey).token(claims: claims)
    }
}

extension ClientAssertion.Key {
    /// The key of the PEM text.
    ///
    /// - Throws: ``JOSEError`` of kind ``JOSEError/Kind/unusableKey``, without any part of the key.
    package func signingKey() throws(JOSEError) -> PrivateSigningKey {
        do {
            switch algorithm {
            case .es256: return .es256(try P256.Signing.PrivateKey(pemRepresentation: pem.reveal()))
            case .rs256: return .rs256(try _RSA.Signing.PrivateKey(pemRepresentation: pem.reveal()))
            case .ps256: return .ps256(try _RSA.Signing.PrivateKey(pemRepresentation: pem.reveal()))
            case .eddsa: return .eddsa(try Curve25519.Signing.PrivateKey(pemRepresentation: pem.reveal()))
            }
        } catch {
            throw JOSEError(.unusableKey, "not a private key for \(algorithm.rawValue) in PEM")
        }
    }

    /// The public key, with the key's id.
    ///
    /// - Throws: ``JOSEError`` when the key cannot be used.
    package func publicJWK() throws(JOSEError) -> JSONValue {
        try signingKey().publicKey.jwk(keyID: keyID).jsonValue
    }
}

import CryptoExtras
import Foundation
package import JOSE
package import ProviderKit
import SwiftASN1
import X509

/// A service account the operator trusts to sign custom tokens.
package struct ServiceAccount: Sendable {
    /// Issuer and subject of its tokens.
    package let email: String
    /// RSA keys only, named or not.
    package let keys: [JSONWebKey]

    /// More keys than this are refused: a token without a key's name is tried with each.
    package static let maximumKeys = 10

    package init(email: String, keys: [JSONWebKey]) {
        self.email = email
        self.keys = keys
    }
}

extension ServiceAccount {
    /// Reads a public key: PEM of a SubjectPublicKeyInfo or of an X.509 certificate, or the text of a JWK.
    ///
    /// A certificate is a key in a wrapping here: the operator vouches for it, so its dates and issuer count for nothing.
    ///
    /// - Throws: ``JOSEError`` for anything that is no RSA public key of 2048 to 4096 bits.
    package static func key(text: String) throws(JOSEError) -> JSONWebKey {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.hasPrefix("{") else { return try key(pem: text) }
        guard let value = try? JSONValue(parsing: text) else { throw JOSEError(.malformedKey, "not strict JSON") }
        return try key(jwk: value)
    }

    /// Reads a JSON Web Key.
    ///
    /// - Throws: ``JOSEError``, as for text.
    package static func key(jwk value: JSONValue) throws(JOSEError) -> JSONWebKey {
        let key = try JSONWebKey(importing: value)
        guard key.key.algorithm == .rs256 else { throw JOSEError(.unsupportedKey, "custom tokens are RS256 only") }
        return key
    }

    private static func key(pem text: String) throws(JOSEError) -> JSONWebKey {
        let key: _RSA.Signing.PublicKey?
        do {
            let document = try PEMDocument(pemString: text)
            switch document.discriminator {
            case "CERTIFICATE": key = .init(try Certificate(derEncoded: document.derBytes).publicKey)
            case "PUBLIC KEY", "RSA PUBLIC KEY": key = try .init(derRepresentation: document.derBytes)
            default: throw JOSEError(.malformedKey, "PEM of \(document.discriminator)")
            }
        } catch let error as JOSEError {
            throw error
        } catch {
            throw JOSEError(.malformedKey, "no PEM of a public key or certificate")
        }
        guard let key else { throw JOSEError(.unsupportedKey, "custom tokens are RS256 only") }
        // By way of its JWK, so that one set of rules decides which keys will do.
        let named = try PublicVerificationKey.rs256(key).jwk()
        return try JSONWebKey(keyID: nil, key: JSONWebKey(importing: named.jsonValue).key)
    }
}

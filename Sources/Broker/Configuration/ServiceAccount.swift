import CryptoExtras
import Foundation
package import JOSE
package import ProviderKit
import SwiftASN1
import X509

/// A service account the operator trusts to sign custom tokens.
package struct ServiceAccount: Sendable {
    /// Issuer and subject of its tokens.
    package fileprivate(set) var email: String
    /// RSA keys only, named or not.
    package fileprivate(set) var keys: [JSONWebKey]

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
    /// Only the key of a certificate is used: the operator trusts it, so dates and issuer are not checked.
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

extension ServiceAccount {
    /// The items of `serviceAccounts`.
    static let keys = DeclaredObject<ServiceAccount>([
        .text("email", "issuer and subject of its tokens") { (account, email, place) throws(ConfigurationError) in
            guard EmailAddress(email)?.canonical != nil else { throw place.error("is no e-mail address.") }
            account.email = email
        }.required(),
        .value(
            "publicKeys", [JSONValue].self,
            schema: [
                "type": "array", "minItems": 1, "maxItems": .integer(maximumKeys),
                "items": ["type": ["string", "object"]],
            ],
            "1 to \(maximumKeys) keys, each `{\"file\": …}`, PEM of an RSA public key or certificate, or a JSON Web Key"
        ) { (account, values, place) throws(ConfigurationError) in
            guard (1...maximumKeys).contains(values.count) else {
                throw place.error("must have 1 to \(maximumKeys) keys.")
            }
            for (position, value) in values.enumerated() {
                account.keys.append(try key(value, at: place.below([String(position)])))
            }
        }.required(),
    ])

    private static func key(_ value: JSONValue, at place: ValuePlace) throws(ConfigurationError) -> JSONWebKey {
        let file = value.object?.count == 1 ? value["file"]?.string.map(place.resolve) : nil
        // An account that can change it can sign custom tokens.
        if let file { try FileExposure.requirePrivateWriting(file, named: "a service account's key") }
        do throws(JOSEError) {
            if let text = value.string { return try key(text: text) }
            guard let file else { return try key(jwk: value) }
            guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
                throw JOSEError(.malformedKey, "the file cannot be read")
            }
            return try key(text: text)
        } catch {
            throw place.error(
                "is no RSA public key of 2048 to 4096 bits (\(error.reason)).",
                fix: #"Write {"file": "key.pem"}, PEM of a public key or certificate, or a JSON Web Key."#)
        }
    }
}

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

extension Configuration {
    /// Reads the entries of `serviceAccounts`.
    ///
    /// - Throws: ``ConfigurationError`` for an address that is none or named twice, and for keys that are no RSA public
    ///   keys.
    static func serviceAccounts(
        _ entries: [ConfigurationFile.ServiceAccount], in path: String, resolve: (String) -> String
    ) throws(ConfigurationError) -> [ServiceAccount] {
        var accounts: [ServiceAccount] = []
        for (index, entry) in entries.enumerated() {
            let place = "/serviceAccounts/\(index)"
            guard EmailAddress(entry.email)?.canonical != nil else {
                throw ConfigurationError(path, at: place + "/email", "is no e-mail address.")
            }
            guard !accounts.contains(where: { $0.email.hasSameBytes(as: entry.email) }) else {
                throw ConfigurationError(
                    path, at: place + "/email", "is named by an earlier entry.", fix: "Give one entry all its keys.")
            }
            guard (1...ServiceAccount.maximumKeys).contains(entry.publicKeys.count) else {
                throw ConfigurationError(
                    path, at: place + "/publicKeys", "must have 1 to \(ServiceAccount.maximumKeys) keys.")
            }
            var keys: [JSONWebKey] = []
            for (position, value) in entry.publicKeys.enumerated() {
                keys.append(try key(value, in: path, at: "\(place)/publicKeys/\(position)", resolve: resolve))
            }
            accounts.append(ServiceAccount(email: entry.email, keys: keys))
        }
        return accounts
    }

    private static func key(
        _ value: JSONValue, in path: String, at place: String, resolve: (String) -> String
    ) throws(ConfigurationError) -> JSONWebKey {
        let file = value.object?.count == 1 ? value["file"]?.string.map(resolve) : nil
        // An account that can change it can sign custom tokens.
        if let file { try FileExposure.requirePrivateWriting(file, named: "a service account's key") }
        do throws(JOSEError) {
            if let text = value.string { return try ServiceAccount.key(text: text) }
            guard let file else { return try ServiceAccount.key(jwk: value) }
            guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
                throw JOSEError(.malformedKey, "the file cannot be read")
            }
            return try ServiceAccount.key(text: text)
        } catch {
            throw ConfigurationError(
                path, at: place, "is no RSA public key of 2048 to 4096 bits (\(error.reason)).",
                fix: #"Write {"file": "key.pem"}, PEM of a public key or certificate, or a JSON Web Key."#)
        }
    }
}

import BrokerStore
import Crypto
import CryptoExtras
import Foundation
import JOSE
import SwiftASN1
import X509

/// A certificate around a signing key, for clients that take keys as X.509 only (firebase-admin does).
///
/// It proves nothing by itself: clients trust the TLS connection that they fetch it over.
enum SigningCertificate {
    /// - Returns: PEM, valid for ten years from a day before `now`.
    /// - Throws: swift-certificates' error, when the library fails.
    static func selfSigned(
        _ key: PrivateSigningKey, _ algorithm: StoredSigningKey.Algorithm, commonName: String, now: Date
    ) throws -> String {
        let name = try DistinguishedName { CommonName(commonName) }
        let privateKey = try certificateKey(key, algorithm)
        let certificate = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: privateKey.publicKey,
            notValidBefore: now.addingTimeInterval(-86_400), notValidAfter: now.addingTimeInterval(3_650 * 86_400),
            issuer: name, subject: name,
            signatureAlgorithm: algorithm == .es256 ? .ecdsaWithSHA256 : .sha256WithRSAEncryption,
            extensions: try Certificate.Extensions { Critical(KeyUsage(digitalSignature: true)) },
            issuerPrivateKey: privateKey)
        return try certificate.serializeAsPEM().pemString
    }

    private static func certificateKey(
        _ key: PrivateSigningKey, _ algorithm: StoredSigningKey.Algorithm
    ) throws -> Certificate.PrivateKey {
        switch algorithm {
        case .es256: Certificate.PrivateKey(try P256.Signing.PrivateKey(derRepresentation: key.derRepresentation))
        case .rs256: Certificate.PrivateKey(try _RSA.Signing.PrivateKey(derRepresentation: key.derRepresentation))
        }
    }
}

package import Crypto
import Foundation
package import NIOSSL
import SwiftASN1
import X509

/// A self-signed certificate with its key.
package struct SelfSignedCertificate: Sendable {
    package let key = P256.Signing.PrivateKey()
    package let pem: String

    /// A new one for the DNS `names`, good for an hour, or past its time.
    package init(names: [String] = [], isExpired: Bool = false) throws {
        let name = try DistinguishedName { CommonName("nobody's authority \(UInt32.random(in: 0 ... .max))") }
        let extensions = try Certificate.Extensions {
            SubjectAlternativeNames(names.map { .dnsName($0) })
        }
        pem = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: .init(key.publicKey),
            notValidBefore: Date(timeIntervalSinceNow: -3600),
            notValidAfter: Date(timeIntervalSinceNow: isExpired ? -60 : 3600),
            issuer: name, subject: name, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: names.isEmpty ? .init() : extensions, issuerPrivateKey: .init(key)
        ).serializeAsPEM().pemString
    }

    /// What a server shows it with.
    package func configuration() throws -> TLSConfiguration {
        .makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(pem.utf8)).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.pemRepresentation.utf8), format: .pem)))
    }
}

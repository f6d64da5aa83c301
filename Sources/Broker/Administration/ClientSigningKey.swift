import Crypto
import JOSE
package import ProviderKit

/// A P-256 private key that signs client secrets: Apple's `.p8` file.
package struct ClientSigningKey: Sendable {
    /// The thumbprint of the public key (RFC 7638), to compare keys without showing one.
    package let thumbprint: String
    /// The public key as a JSON Web Key.
    package let publicKey: JSONValue
    private let key: ClientAssertion.Key

    /// Reads a private key in PEM.
    ///
    /// - Throws: ``AdminFailure`` for any other file, with what the file is if it can be told.
    package init(pem: String) throws(AdminFailure) {
        try self.init(ClientAssertion.Key(pem: Secret(pem), keyID: nil, algorithm: .es256))
    }

    /// The key of an assertion.
    ///
    /// - Throws: ``AdminFailure`` when it is not a P-256 key.
    package init(_ key: ClientAssertion.Key) throws(AdminFailure) {
        do {
            let publicKey = try JSONWebKey(keyID: key.keyID, key: key.signingKey().publicKey)
            thumbprint = publicKey.thumbprint
            self.publicKey = publicKey.jsonValue
            self.key = key
        } catch {
            throw AdminFailure.invalidKey(Self.kind(of: key.pem.reveal()))
        }
    }

    /// The kind of a text that is no P-256 private key.
    private static func kind(of text: String) -> String {
        if text.contains("BEGIN ENCRYPTED PRIVATE KEY") { return "the key is encrypted: Apple's .p8 file is not" }
        if text.contains("BEGIN CERTIFICATE") { return "this is a certificate, not the private key of a .p8 file" }
        if text.contains("BEGIN PUBLIC KEY") { return "this is a public key, not the private key of a .p8 file" }
        if text.contains("BEGIN RSA PRIVATE KEY") { return "this is an RSA key: Apple's keys are P-256" }
        if (try? P384.Signing.PrivateKey(pemRepresentation: text)) != nil
            || (try? P521.Signing.PrivateKey(pemRepresentation: text)) != nil
        {
            return "the key is on another curve: Apple's keys are P-256"
        }
        guard text.contains("PRIVATE KEY-----") else {
            return "this is not a .p8 file: its text starts with -----BEGIN PRIVATE KEY-----"
        }
        return "this is no P-256 private key, or the file is damaged"
    }

    /// The verification of a signature over `input`.
    enum SignatureForm: Sendable, Hashable {
        /// By this key, in the form of RFC 7518 §3.4.
        case valid
        /// In ASN.1 DER, which JSON Web Signatures do not use; `isOurs` when this key made it.
        case der(isOurs: Bool)
        /// By another key, or damaged.
        case invalid
    }

    func form(of signature: [UInt8], over input: [UInt8]) -> SignatureForm {
        guard case .es256(let publicKey)? = try? key.signingKey().publicKey else { return .invalid }
        let digest = SHA256.hash(data: input)
        if let raw = try? P256.Signing.ECDSASignature(rawRepresentation: signature) {
            return publicKey.isValidSignature(raw, for: digest) ? .valid : .invalid
        }
        guard let der = try? P256.Signing.ECDSASignature(derRepresentation: signature) else { return .invalid }
        return .der(isOurs: publicKey.isValidSignature(der, for: digest))
    }
}

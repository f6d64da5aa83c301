import Crypto
import CryptoExtras
import Foundation

/// What the cryptography costs without us: the part of a token, a seal or a refresh token that cannot be saved.
enum SignatureCases {
    /// As long as the signing input of an ID token.
    private static let signingInputLength = 700

    static func all() throws -> [BenchmarkCase] {
        let message = randomBytes(signingInputLength)
        return try ellipticCurve(message) + rsa(message) + symmetric(message)
    }

    private static func ellipticCurve(_ message: Data) throws -> [BenchmarkCase] {
        let key = P256.Signing.PrivateKey()
        let publicKey = key.publicKey
        let signature = try key.signature(for: message)
        return [
            .loop(.rawES256Sign, in: .rawCryptography) { try key.signature(for: message).rawRepresentation.count },
            .loop(.rawES256Verify, in: .rawCryptography) {
                try expected(publicKey.isValidSignature(signature, for: message))
            },
        ]
    }

    private static func rsa(_ message: Data) throws -> [BenchmarkCase] {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let publicKey = key.publicKey
        let padding = _RSA.Signing.Padding.insecurePKCS1v1_5
        let signature = try key.signature(for: SHA256.hash(data: message), padding: padding)
        return [
            .loop(.rawRS256Sign, in: .rawCryptography) {
                try key.signature(for: SHA256.hash(data: message), padding: padding).rawRepresentation.count
            },
            .loop(.rawRS256Verify, in: .rawCryptography) {
                try expected(
                    publicKey.isValidSignature(signature, for: SHA256.hash(data: message), padding: padding))
            },
        ]
    }

    private static func symmetric(_ message: Data) -> [BenchmarkCase] {
        let key = SymmetricKey(size: .bits256)
        let text = message.prefix(64)
        let plaintext = randomBytes(1024)
        return [
            .loop("HMAC-SHA256, 64 B", in: .rawCryptography) {
                Int(HMAC<SHA256>.authenticationCode(for: text, using: key).reduce(0, ^))
            },
            .loop("AES-256-GCM seal, 1 KB", in: .rawCryptography) {
                try AES.GCM.seal(plaintext, using: key).ciphertext.count
            },
        ]
    }

    private static func expected(_ isValid: Bool) throws(BenchmarkFailure) -> Int {
        guard isValid else { throw BenchmarkFailure("a good signature was refused") }
        return 1
    }

    private static func randomBytes(_ count: Int) -> Data {
        SymmetricKey(size: .init(bitCount: count * 8)).withUnsafeBytes { Data($0) }
    }
}

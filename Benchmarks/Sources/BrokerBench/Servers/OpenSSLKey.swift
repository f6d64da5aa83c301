import BenchmarkLoad
import CLibCrypto
import Foundation

/// An RSA key of OpenSSL's, to see what its signature costs beside BoringSSL's.
final class OpenSSLKey {
    private let key: OpaquePointer
    private let context: OpaquePointer

    /// Makes a key.
    ///
    /// - Throws: ``BenchmarkFailure`` when OpenSSL cannot.
    init(bits: Int) throws(BenchmarkFailure) {
        guard let key = clibcrypto_new_rsa_key(bits) else { throw BenchmarkFailure("OpenSSL makes no RSA key") }
        guard let context = EVP_MD_CTX_new() else {
            EVP_PKEY_free(key)
            throw BenchmarkFailure("OpenSSL has no memory")
        }
        (self.key, self.context) = (key, context)
    }

    deinit {
        EVP_MD_CTX_free(context)
        EVP_PKEY_free(key)
    }

    /// RSASSA-PKCS1-v1_5 with SHA-256.
    ///
    /// - Throws: ``BenchmarkFailure`` when OpenSSL cannot sign.
    func signature(for message: Data) throws(BenchmarkFailure) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: Int(EVP_PKEY_get_size(key)))
        var length = signature.count
        let isSigned = message.withUnsafeBytes { message in
            EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1
                && EVP_DigestSign(
                    context, &signature, &length, message.bindMemory(to: UInt8.self).baseAddress, message.count) == 1
        }
        guard isSigned, length == signature.count else { throw BenchmarkFailure("OpenSSL does not sign") }
        return signature
    }
}

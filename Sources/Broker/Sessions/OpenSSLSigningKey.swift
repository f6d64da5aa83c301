import JOSE
import Logging
import Synchronization

#if canImport(COpenSSL)
    import COpenSSL
#endif

/// An RSA key of the broker's own, which OpenSSL signs with: where the processor has AVX512-IFMA it takes less than half
/// of BoringSSL's time.
///
/// libcrypto is opened when the first signature is due, and takes the key over from BoringSSL then. Where it cannot, as
/// on Apple's systems, BoringSSL goes on signing: of RSASSA-PKCS1-v1_5 both make the same signature (RFC 8017 §8.2).
final class OpenSSLSigningKey: TokenSigningKey {
    /// Which library has the private key: never both.
    private enum Holder {
        /// No signature was due yet.
        case undecided(PrivateSigningKey)
        case boringSSL(PrivateSigningKey)
        case openSSL(LibcryptoKey)
    }

    let algorithm = SignatureAlgorithm.rs256
    let publicKey: PublicVerificationKey
    private let holder: Mutex<Holder>
    private let takeOver: @Sendable (PrivateSigningKey) -> LibcryptoKey?

    /// - Parameters:
    ///   - key: An RSA key.
    ///   - takeOver: Hands a key to libcrypto; nil when that cannot sign with it.
    init(
        _ key: PrivateSigningKey,
        takeOver: @escaping @Sendable (PrivateSigningKey) -> LibcryptoKey? = LibcryptoKey.init(takingOver:)
    ) {
        publicKey = key.publicKey
        holder = Mutex(.undecided(key))
        self.takeOver = takeOver
    }

    func sign(_ input: [UInt8]) throws(JOSEError) -> [UInt8] {
        let decided = holder.withLock { holder in
            if case .undecided(let key) = holder {
                holder = takeOver(key).map(Holder.openSSL) ?? .boringSSL(key)
            }
            return holder
        }
        switch decided {
        case .undecided(let key), .boringSSL(let key): return try key.sign(input)
        case .openSSL(let key): return try key.sign(input)
        }
    }
}

#if canImport(COpenSSL)
    /// An RSA private key in libcrypto, freed with this object.
    final class LibcryptoKey: Sendable {
        /// Why libcrypto cannot sign, or nil. It is opened by the first who asks.
        private static let refusal: String? = {
            guard let reason = copenssl_open() else { return nil }
            let text = String(cString: reason)
            Logger(label: "broker").warning(
                "libcrypto cannot be opened; RS256 takes longer", metadata: ["reason": "\(text)"])
            return text
        }()

        /// The key's address, for pointers cannot be sent between threads, which these keys can.
        private let address: UInt

        /// The longest signature, of a key with 8192 bits.
        private static let maximumLength = 1024

        /// - Returns: Nil where libcrypto cannot be opened, or refuses the key.
        init?(takingOver key: PrivateSigningKey) {
            guard Self.refusal == nil else { return nil }
            var der = key.derRepresentation
            let length = der.count
            guard let pointer = copenssl_key_new(&der, length) else { return nil }
            address = UInt(bitPattern: pointer)
        }

        deinit {
            if let key = OpaquePointer(bitPattern: address) { copenssl_key_free(key) }
        }

        func sign(_ input: [UInt8]) throws(JOSEError) -> [UInt8] {
            let signature = [UInt8](unsafeUninitializedCapacity: Self.maximumLength) { buffer, count in
                guard let start = buffer.baseAddress, let key = OpaquePointer(bitPattern: address) else { return }
                var length = buffer.count
                if copenssl_sign(key, input, input.count, start, &length) { count = length }
            }
            guard !signature.isEmpty else { throw JOSEError(.unusableKey, "signing failed") }
            return signature
        }
    }
#else
    /// There is no libcrypto on this system.
    final class LibcryptoKey: Sendable {
        init?(takingOver key: PrivateSigningKey) { nil }
        func sign(_ input: [UInt8]) throws(JOSEError) -> [UInt8] {
            throw JOSEError(.unusableKey, "there is no libcrypto")
        }
    }
#endif

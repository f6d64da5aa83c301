package import Foundation
import NIOCore
import NIOSSL
import Synchronization

/// The certificate the broker shows when it ends TLS itself, with its key; follows its files, so that a renewed one is
/// shown without a restart.
package final class ServerCertificate: Sendable {
    /// The change of the files since they were last read.
    package enum Reload: Sendable {
        case adopted
        /// The earlier certificate stays.
        case refused(ConfigurationError)
        /// The one that is shown is past its time: clients refuse it.
        case expired
    }

    private struct State {
        var shown: Pair
        /// The invalid contents of the last read, so that they are logged once.
        var refused: String?
        /// Whether the expiry of the current certificate was logged.
        var isExpired = false
    }

    private let files: TLSFiles
    private let environment: [String: String]
    private let state: Mutex<State>

    /// - Throws: ``ConfigurationError`` when one cannot be read, the key is open to others, or they do not belong
    ///   together.
    package init(_ files: TLSFiles, environment: [String: String]) throws(ConfigurationError) {
        self.files = files
        self.environment = environment
        state = Mutex(State(shown: try Pair(files, environment)))
    }

    /// Looks at the files again. Both are replaced one after the other, and until both are there the pair does not
    /// match: the earlier one is shown as long.
    ///
    /// - Parameter now: The moment.
    /// - Returns: `nil` when there is nothing new to tell.
    package func reload(at now: Date = Date()) -> Reload? {
        let found: Result<Pair, ConfigurationError>
        do throws(ConfigurationError) {
            found = .success(try Pair(files, environment))
        } catch {
            found = .failure(error)
        }
        return state.withLock { state in
            switch found {
            case .success(let pair) where pair.text != state.shown.text:
                (state.shown, state.refused, state.isExpired) = (pair, nil, false)
                return .adopted
            case .success: state.refused = nil
            case .failure(let error) where state.refused != error.description:
                state.refused = error.description
                return .refused(error)
            case .failure: break
            }
            let wasExpired = state.isExpired
            state.isExpired = state.shown.expiresAt < now
            return state.isExpired && !wasExpired ? .expired : nil
        }
    }

    /// TLS 1.2 and later, HTTP/1.1 and nothing else; each handshake shows the certificate of that moment.
    var configuration: TLSConfiguration {
        var configuration = state.withLock(\.shown).configuration
        configuration.sslContextCallback = { [weak self] _, promise in
            var changes = NIOSSLContextConfigurationOverride.noChanges
            if let shown = self?.state.withLock(\.shown) {
                changes.certificateChain = shown.chain.map { .certificate($0) }
                changes.privateKey = .privateKey(shown.key)
            }
            promise.succeed(changes)
        }
        return configuration
    }
}

extension ServerCertificate {
    /// A certificate and the key that belongs to it.
    fileprivate struct Pair: Sendable {
        let chain: [NIOSSLCertificate]
        let key: NIOSSLPrivateKey
        /// The contents of both files.
        let text: [Data]

        /// When clients stop taking the server's own certificate.
        var expiresAt: Date {
            chain.first.map { Date(timeIntervalSince1970: TimeInterval($0.notValidAfter)) } ?? .distantFuture
        }

        init(_ files: TLSFiles, _ environment: [String: String]) throws(ConfigurationError) {
            guard let certificate = FileManager.default.contents(atPath: files.certificate) else {
                throw ConfigurationError(files.certificate, "the TLS certificate cannot be read.")
            }
            let key = try ProtectedFile.bytes(
                of: files.key, named: "the TLS key", fix: "Name its file.", environment: environment)
            text = [certificate, key]
            guard let chain = try? NIOSSLCertificate.fromPEMBytes(Array(certificate)), !chain.isEmpty else {
                throw ConfigurationError(files.certificate, "is no certificate.", fix: "Write it as PEM.")
            }
            guard let key = try? NIOSSLPrivateKey(bytes: Array(key), format: .pem) else {
                throw ConfigurationError(files.key, "is no private key.", fix: "Write it as PEM, without a passphrase.")
            }
            self.chain = chain
            self.key = key
            guard (try? NIOSSLContext(configuration: configuration)) != nil else {
                throw ConfigurationError(
                    files.key, "does not belong to the certificate in \(files.certificate).",
                    fix: "The server's own certificate stands first in its file.")
            }
        }

        private static let cipherSuites: [NIOTLSCipher] = [
            .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,
            .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
            .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
        ]

        var configuration: TLSConfiguration {
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
            configuration.minimumTLSVersion = .tlsv12
            // Of TLS 1.2 only what TLS 1.3 also has: forward secrecy and authenticated encryption (RFC 9325 §4.2).
            configuration.cipherSuiteValues = Self.cipherSuites
            configuration.applicationProtocols = ["http/1.1"]
            return configuration
        }
    }
}

import Crypto
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import SwiftASN1
import X509

/// A server on this host whose certificate nobody vouches for. It answers nothing: nobody should get that far.
enum SelfSignedServer {
    /// Starts one and lends its URL to `body`.
    static func run<Value>(_ body: (String) async throws -> Value) async throws -> Value {
        let context = try NIOSSLContext(configuration: try configuration())
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                }
            }.bind(host: "127.0.0.1", port: 0).get()
        do {
            let value = try await body("https://127.0.0.1:\(channel.localAddress?.port ?? 0)")
            try await channel.close().get()
            return value
        } catch {
            try await channel.close().get()
            throw error
        }
    }

    private static func configuration() throws -> TLSConfiguration {
        let key = P256.Signing.PrivateKey()
        let name = try DistinguishedName { CommonName("nobody's authority") }
        let certificate = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: .init(key.publicKey),
            notValidBefore: Date(timeIntervalSinceNow: -3600), notValidAfter: Date(timeIntervalSinceNow: 3600),
            issuer: name, subject: name, signatureAlgorithm: .ecdsaWithSHA256, extensions: .init(),
            issuerPrivateKey: .init(key))
        let pem = Array(try certificate.serializeAsPEM().pemString.utf8)
        return .makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(pem).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.pemRepresentation.utf8), format: .pem)))
    }
}

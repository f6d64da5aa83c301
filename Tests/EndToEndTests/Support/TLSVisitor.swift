import AsyncHTTPClient
import BrowserTesting
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOTLS
import Testing

/// A TLS client of a broker that trusts the given certificate and no other.
struct TLSVisitor: Sendable {
    let trusted: SelfSignedCertificate
    /// The name the certificate has to be for.
    let host: String

    /// Asks over HTTPS at this machine.
    func get(_ path: String, port: Int) async throws -> (status: Int, text: String) {
        var configuration = HTTPClient.Configuration()
        configuration.tlsConfiguration = try tls()
        configuration.dnsOverride = [host: "127.0.0.1"]
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        do {
            let response = try await client.execute(
                HTTPClientRequest(url: "https://\(host):\(port)\(path)"), timeout: .seconds(60))
            let text = String(buffer: try await response.body.collect(upTo: 1 << 20))
            try await client.shutdown()
            return (Int(response.status.code), text)
        } catch {
            try await client.shutdown()
            throw error
        }
    }

    /// Shakes hands and hangs up.
    ///
    /// - Returns: The protocol both agreed on.
    func handshake(
        port: Int, offering protocols: [String] = ["h2", "http/1.1"], upTo version: TLSVersion = .tlsv13,
        with ciphers: [NIOTLSCipher]? = nil
    ) async throws -> String? {
        var configuration = try tls()
        configuration.applicationProtocols = protocols
        configuration.maximumTLSVersion = version
        configuration.minimumTLSVersion = .tlsv1
        if let ciphers { configuration.cipherSuiteValues = ciphers }
        let context = try NIOSSLContext(configuration: configuration)
        let group = MultiThreadedEventLoopGroup.singleton
        let agreed = group.any().makePromise(of: String?.self)
        do {
            let channel = try await ClientBootstrap(group: group).channelInitializer { [host] channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = try NIOSSLClientHandler(context: context, serverHostname: host)
                    try channel.pipeline.syncOperations.addHandlers(handler, Handshake(agreed: agreed))
                }
            }.connect(host: "127.0.0.1", port: port).get()
            let result = try await agreed.futureResult.get()
            try? await channel.close()
            return result
        } catch {
            agreed.fail(error)
            throw error
        }
    }

    private func tls() throws -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(trusted.pem.utf8)))
        return configuration
    }

    private final class Handshake: ChannelInboundHandler, Sendable {
        typealias InboundIn = Never
        let agreed: EventLoopPromise<String?>

        init(agreed: EventLoopPromise<String?>) { self.agreed = agreed }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case TLSUserEvent.handshakeCompleted(let negotiated) = event { agreed.succeed(negotiated) }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            agreed.fail(error)
            context.close(promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) {
            agreed.fail(ChannelError.eof)
        }
    }
}

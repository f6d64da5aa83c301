import BrowserTesting
import NIOCore
import NIOPosix
import NIOSSL

/// A server on this host with an untrusted certificate. It sends no response, because no client should get that far.
enum SelfSignedServer {
    /// Starts one and lends its URL to `body`.
    static func run<Value>(_ body: (String) async throws -> Value) async throws -> Value {
        let context = try NIOSSLContext(configuration: try SelfSignedCertificate().configuration())
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
}

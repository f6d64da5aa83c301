import NIOCore
import NIOPosix

/// A port of loopback nobody listens at, for a URL that has to be known before the server starts.
enum FreePort {
    static func find() async throws -> Int {
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = channel.localAddress?.port ?? 0
        try await channel.close().get()
        return port
    }
}

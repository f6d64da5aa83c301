import NIOCore
import NIOPosix

/// A port on 127.0.0.1 that was free a moment ago, for a server that has to know its address before it listens.
enum FreePort {
    /// Another process took the port before its server.
    struct Taken: Error {}

    /// Has `body` try ports until one is still free when its server takes it, up to five times.
    static func run<Value>(_ body: (Int) async throws -> Value) async throws -> Value {
        for _ in 1..<5 {
            do {
                return try await body(try await next())
            } catch is Taken {
                continue
            }
        }
        return try await body(try await next())
    }

    private static func next() async throws -> Int {
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = channel.localAddress?.port ?? 0
        try await channel.close().get()
        return port
    }
}

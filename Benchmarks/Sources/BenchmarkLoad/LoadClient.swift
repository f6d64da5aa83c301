import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// One client of a ``Load``: a connection after the other, each from an address of its own.
///
/// A broker's default limits allow an address 600 requests a minute that prove nothing, such as sign-ins.
struct LoadClient<Subject: Conversation>: Sendable {
    /// How many questions a connection asks before the next takes its place.
    static var questionsPerAddress: Int { 500 }

    let conversation: Subject
    let results: LoadResults
    let loop: any EventLoop
    /// Where the server listens, at 127.0.0.1.
    let port: Int
    let slowness: Duration?

    /// Connects; the connection fulfils `finished` once it, or one that took its place, has asked everything.
    func connect(finished: EventLoopPromise<Void>) -> EventLoopFuture<any Channel> {
        loop.makeCompletedFuture { try SourceAddress.next() }.flatMap { address in
            ClientBootstrap(group: loop)
                .bind(to: address)
                .channelOption(.socketOption(.tcp_nodelay), value: 1)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHTTPClientHandlers()
                        try channel.pipeline.syncOperations.addHandler(
                            ConversationHandler(of: self, finished: finished))
                    }
                }
                .connect(host: "127.0.0.1", port: port)
        }
    }
}

/// Addresses of 127.0.0.0/8 that clients connect from, each given out once by a process.
enum SourceAddress {
    /// The first is 127.1.0.0: what the machine itself uses is left alone.
    private static let given = Atomic<UInt32>(1 << 16)

    static func next() throws -> SocketAddress {
        let number = given.wrappingAdd(1, ordering: .relaxed).oldValue
        return try SocketAddress(
            ipAddress: "127.\(number >> 16 & 0xff).\(number >> 8 & 0xff).\(number & 0xff)", port: 0)
    }
}

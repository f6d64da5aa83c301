import Foundation
import NIOCore
import NIOPosix

/// Bytes over a socket, for requests no client library would send.
enum RawHTTP {
    /// The status of the answer; `nil` when the server closed the connection without one.
    static func status(_ url: String, _ request: String) async throws -> Int? {
        guard let port = URL(string: url)?.port else { throw TestFailure("no port in \(url)") }
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: request))
            var text = ""
            do {
                for try await part in inbound {
                    text += String(buffer: part)
                    if text.contains("\r\n") { break }
                }
            } catch is IOError {
                // A reset is a refusal as well.
            }
            let words = text.split(separator: " ")
            return words.count > 1 ? Int(words[1]) : nil
        }
    }
}

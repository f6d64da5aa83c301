import BenchmarkLoad
import NIOCore
import NIOHTTP1
import Synchronization
import Testing

@Suite("Where a load comes from")
struct SourceAddressTests {
    /// Counts the answers of a server that tells each client its address.
    private final class AddressConversation: Conversation {
        let counts = Mutex<[String: Int]>([:])

        func ask() -> Question<Void>? { Question(.benchmark(.GET, "/"), turn: ()) }

        func accept(_ body: ByteBuffer, of turn: Void) { counts.withLock { $0[String(buffer: body), default: 0] += 1 } }
    }

    @Test func `no address asks more often than a default limit allows, and no question is lost`() async throws {
        let conversation = AddressConversation()

        let result = try await TestServer.run { _ in
            .address
        } _: { server in
            try await Load(ports: [server.port], connections: 2)
                .run(conversation, at: .perSecond(5000, for: .milliseconds(500)))
        }

        let counts = conversation.counts.withLock { $0 }
        #expect(result.answers == 2500)
        #expect(result.failures.isEmpty)
        #expect(counts.values.allSatisfy { $0 <= 600 })
        #expect(counts.keys.allSatisfy { $0.hasPrefix("127.") && $0 != "127.0.0.1" })
    }

    @Test func `each connection has an address of its own`() async throws {
        let conversation = AddressConversation()

        _ = try await TestServer.run { _ in
            .address
        } _: { server in
            try await Load(ports: [server.port], connections: 3)
                .run(conversation, at: .perSecond(300, for: .milliseconds(200)))
        }

        #expect(conversation.counts.withLock { $0.count } == 3)
    }
}

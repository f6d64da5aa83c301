import BenchmarkLoad
import NIOCore
import NIOHTTP1
import Synchronization
import Testing

@Suite("What a load counts")
struct LoadTests {
    private static let soon = Pace.asFastAsAnswered(for: .milliseconds(200))
    private static let request = RepeatedRequest(.benchmark(.GET, "/"), expecting: "ok")

    @Test func `a refused token ends its chain and not the others`() async throws {
        let tokens = Ring(["a", "bad", "b", "c"])

        let result = try await TestServer.run { body in
            body == "bad" ? .answer(status: .badRequest, body: "refused") : .answer(body: body + "+")
        } _: { server in
            try await Load(ports: [server.port], connections: 2).run(ChainConversation(tokens: tokens), at: Self.soon)
        }

        #expect(result.failures == ["400": 1])
        #expect(result.firstFailure == "status 400: refused")
        #expect(tokens.count == 3)
        #expect(result.answers > 10)
    }

    @Test func `a chain goes on with what the server answered`() async throws {
        let longest = Mutex(0)

        let result = try await TestServer.run { body in
            longest.withLock { $0 = max($0, body.utf8.count) }
            return .answer(body: body + "+")
        } _: { server in
            try await Load(ports: [server.port], connections: 1)
                .run(ChainConversation(tokens: Ring(["a"])), at: Self.soon)
        }

        #expect(longest.withLock { $0 } == result.answers)
    }

    @Test func `connections end when every chain has been given up`() async throws {
        let result = try await TestServer.run { _ in
            .answer(status: .internalServerError)
        } _: { server in
            try await Load(ports: [server.port], connections: 3).run(
                ChainConversation(tokens: Ring(["a", "b", "c", "d"])), at: .asFastAsAnswered(for: .seconds(3600)))
        }

        #expect(result.failures == ["500": 4])
        #expect(result.answers == 0)
        #expect(result.exhausted == 3)
    }

    @Test func `an answer that is not what was asked for is a failure`() async throws {
        let result = try await TestServer.run { _ in
            .answer(body: "something else")
        } _: { server in
            try await Load(ports: [server.port], connections: 1).run(
                Self.request, at: .perSecond(100, for: .milliseconds(50)))
        }

        #expect(result.answers == 0)
        #expect(result.failures == ["body": 5])
    }

    @Test func `a connection the server closes is a failure`() async throws {
        let result = try await TestServer.run { _ in
            .close
        } _: { server in
            try await Load(ports: [server.port], connections: 2).run(Self.request, at: Self.soon)
        }

        #expect(result.failures == ["closed": 2])
    }

    @Test func `connections go to the servers in turn`() async throws {
        let counts = Mutex([0, 0])

        try await TestServer.run { _ in
            counts.withLock { $0[0] += 1 }
            return .answer()
        } _: { first in
            try await TestServer.run { _ in
                counts.withLock { $0[1] += 1 }
                return .answer()
            } _: { second in
                _ = try await Load(ports: [first.port, second.port], connections: 4).run(Self.request, at: Self.soon)
            }
        }

        #expect(counts.withLock { $0.allSatisfy { $0 > 0 } })
    }

    @Test func `a server that is not there is an error`() async throws {
        let port = try await TestServer.run { _ in
            .answer()
        } _: {
            $0.port
        }

        await #expect(throws: (any Error).self) {
            try await Load(ports: [port], connections: 1).run(Self.request, at: Self.soon)
        }
    }
}

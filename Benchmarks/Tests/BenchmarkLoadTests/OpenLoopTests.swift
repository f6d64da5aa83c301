import BenchmarkLoad
import NIOCore
import NIOHTTP1
import Synchronization
import Testing

@Suite("An open loop")
struct OpenLoopTests {
    private static let request = RepeatedRequest(.benchmark(.GET, "/"), expecting: "ok")

    /// Answers at once, but the 20th request of all only after half a second, and with it everything behind it.
    private static func stallingServer(_ number: borrowing Mutex<Int>) -> TestServer.Reply {
        let isStalled = number.withLock { number in
            number += 1
            return number == 20
        }
        return .answer(after: isStalled ? .milliseconds(500) : .zero)
    }

    /// How many answers took more than so many microseconds.
    private static func count(in result: LoadResult, over limit: UInt64) -> UInt64 {
        result.latencies.buckets.filter { $0[0] > limit }.map { $0[1] }.reduce(0, +)
    }

    // With one connection, everything due during the stall waits behind it. A client that sent the next question only
    // then, and counted from there, would see a single slow answer.
    @Test func `what was due while the server stalled counts from when it was due`() async throws {
        let number = Mutex(0)

        let result = try await TestServer.run { _ in
            Self.stallingServer(number)
        } _: { server in
            try await Load(ports: [server.port], connections: 1)
                .run(Self.request, at: .perSecond(200, for: .milliseconds(800)))
        }

        #expect(result.answers == 160)
        // 80 were due within the last 400 ms of the stall.
        #expect(Self.count(in: result, over: 100_000) >= 60)
    }

    @Test func `a closed loop sees the same stall once`() async throws {
        let number = Mutex(0)

        let result = try await TestServer.run { _ in
            Self.stallingServer(number)
        } _: { server in
            try await Load(ports: [server.port], connections: 1)
                .run(Self.request, at: .asFastAsAnswered(for: .milliseconds(800)))
        }

        #expect(Self.count(in: result, over: 400_000) == 1)
    }

    @Test func `what is never sent counts as a failure that waited`() async throws {
        let result = try await TestServer.run { _ in
            .answer(after: .seconds(1))
        } _: { server in
            try await Load(ports: [server.port], connections: 1)
                .run(Self.request, at: .perSecond(100, for: .milliseconds(200)))
        }

        let unsent = try #require(result.failures["unsent"])
        #expect(result.answers + unsent == 20)
        #expect(unsent >= 10)
        #expect(result.latencies.count == 20)
        #expect(result.latencies.value(at: 50) > 1_000_000)
    }

    @Test func `a server that keeps up is asked as often as was wanted`() async throws {
        let result = try await TestServer.run { _ in
            .answer()
        } _: { server in
            try await Load(ports: [server.port], connections: 8)
                .run(Self.request, at: .perSecond(500, for: .milliseconds(300)))
        }

        #expect(result.answers == 150)
        #expect(result.failures.isEmpty)
    }
}

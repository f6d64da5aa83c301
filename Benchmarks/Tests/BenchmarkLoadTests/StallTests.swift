import BenchmarkLoad
import NIOCore
import NIOHTTP1
import Synchronization
import Testing

@Suite("Stalls")
struct StallTests {
    private static func stall(_ start: UInt64, _ end: UInt64) -> Stall {
        Stall(from: .uptimeNanoseconds(start), to: .uptimeNanoseconds(end))
    }

    @Test func `answers that waited at the same time are one stall`() {
        let stalls = Stall.merge([Self.stall(50, 60), Self.stall(10, 30), Self.stall(20, 40), Self.stall(12, 15)])

        #expect(stalls == [Self.stall(10, 40), Self.stall(50, 60)])
    }

    @Test func `a stall that another server shows at the same time is left out`() {
        let stalls = Stall.merge(
            [Self.stall(10, 30), Self.stall(50, 60)], without: [Self.stall(8, 20), Self.stall(15, 35)],
            over: .nanoseconds(5))

        #expect(stalls == [Self.stall(50, 60)])
    }

    @Test func `a short stall of another server does not hide a long one`() {
        let stalls = Stall.merge([Self.stall(10, 100)], without: [Self.stall(20, 30)], over: .nanoseconds(20))

        #expect(stalls == [Self.stall(10, 100)])
    }

    @Test func `only answers slower than wanted are kept`() async throws {
        let number = Mutex(0)

        let result = try await TestServer.run { _ in
            let isSlow = number.withLock { number in
                number += 1
                return number == 10
            }
            return .answer(after: isSlow ? .milliseconds(300) : .zero)
        } _: { server in
            try await Load(ports: [server.port], connections: 8, noticing: .milliseconds(200))
                .run(
                    RepeatedRequest(.benchmark(.GET, "/"), expecting: "ok"),
                    at: .perSecond(100, for: .milliseconds(500)))
        }

        #expect(result.stalls.count == 1)
        #expect(result.stalls.allSatisfy { $0.duration >= .milliseconds(300) })
    }
}

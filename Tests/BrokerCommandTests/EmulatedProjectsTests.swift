import Foundation
import Synchronization
import Testing

@testable import BrokerCommand

@Suite("Projects of the emulator", .timeLimit(.minutes(20)))
struct EmulatedProjectsTests {
    /// A clock that a test sets.
    private final class TestClock: Sendable {
        private let time = Mutex(ContinuousClock.now)

        func now() -> ContinuousClock.Instant { time.withLock(\.self) }
        func advance(by duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }
    }

    private static func run(
        keptCount: Int = 50, maximumCount: Int, _ body: (EmulatedProjects, TestClock) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "emulated-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let clock = TestClock()
        let projects = EmulatedProjects(
            default: "demo-app", in: folder, publicURL: "http://127.0.0.1:9099", keptCount: keptCount,
            maximumCount: maximumCount, now: clock.now)
        do {
            await projects.end(try await projects.begin("demo-app"))
            try await body(projects, clock)
            await projects.stop()
        } catch {
            await projects.stop()
            throw error
        }
    }

    @Test func `a project that was idle for ten minutes goes for another one, and one in use never does`() async throws
    {
        try await Self.run(maximumCount: 3) { projects, clock in
            let idle = try await projects.begin("idle")
            await projects.end(idle)
            let used = try await projects.begin("used")

            clock.advance(by: .seconds(599))
            await #expect(throws: CommandFailure.self) { _ = try await projects.begin("new") }
            clock.advance(by: .seconds(1))
            let new = try await projects.begin("new")
            clock.advance(by: .seconds(3600))
            await #expect(throws: CommandFailure.self) { _ = try await projects.begin("newer") }
            let stillUsed = try await projects.begin("used")
            await projects.end(new)
            clock.advance(by: .seconds(600))
            let again = try await projects.begin("idle")

            #expect(stillUsed === used && again !== idle)
        }
    }

    @Test func `of many projects an idle one goes before another is added`() async throws {
        try await Self.run(keptCount: 2, maximumCount: 3) { projects, clock in
            let first = try await projects.begin("first")
            await projects.end(first)
            let second = try await projects.begin("second")
            await projects.end(second)
            #expect(try await projects.begin("first") === first, "nothing was idle for long")
            clock.advance(by: .seconds(600))
            let third = try await projects.begin("third")

            #expect(try await projects.begin("first") === first, "a request to it has not ended")
            #expect(try await projects.begin("third") === third)
            await #expect(throws: CommandFailure.self) { _ = try await projects.begin("second") }
        }
    }

    @Test func `the project of the command line stays, however long it is idle`() async throws {
        try await Self.run(maximumCount: 1) { projects, clock in
            clock.advance(by: .seconds(86_400))

            await #expect(throws: CommandFailure.self) { _ = try await projects.begin("other") }
        }
    }
}

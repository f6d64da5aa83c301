import BrokerStore
import Foundation
import NIOCore
import NIOPosix
import Testing

@testable import Broker

@Suite("Writes of requests that arrive together")
struct WritesOfAMomentTests {
    @Test func `share a commit`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "writes-\(UUID())")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try await Store.open(.sqlite(path: folder.appending(path: "broker.sqlite").path))
        let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        // The store learns that writes come together.
        for _ in 0..<5 { try await Self.write(to: store, on: eventLoop, 64) {} }
        let before = store.statistics

        try await Self.write(to: store, on: eventLoop, 8) {
            // What requests do before they write takes longer than waking a thread.
            let end = ContinuousClock.now + .milliseconds(1)
            while ContinuousClock.now < end {}
        }

        #expect(store.statistics.writes - before.writes == 8)
        #expect(store.statistics.commits - before.commits == 1)
        await store.close()
    }

    /// Writes by tasks that run one after the other in one turn of the event loop.
    private static func write(
        to store: Store, on eventLoop: any EventLoop, _ count: Int, after work: @escaping @Sendable () -> Void
    ) async throws {
        let writes = try await eventLoop.submit {
            (0..<count).map { _ in
                Task(executorPreference: EventLoopExecutor(eventLoop)) {
                    work()
                    try await store.write { _ in }
                }
            }
        }.get()
        for write in writes { try await write.value }
    }
}

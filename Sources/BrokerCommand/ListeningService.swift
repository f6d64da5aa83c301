import Logging
import ServiceLifecycle
import UnixSignals

/// A service of this process that listens, and runs until it is stopped.
struct ListeningService: Sendable {
    /// The address it really listens at.
    let url: String
    private let group: ServiceGroup
    private let running: Task<Void, any Error>

    /// Starts a service, and returns once it listens.
    ///
    /// - Parameters:
    ///   - signals: What ends it gracefully.
    ///   - make: Makes the service, which calls its argument with the address.
    /// - Returns: Nil when the service has ended without listening.
    /// - Throws: What `make` throws.
    static func start(
        until signals: [UnixSignal] = [],
        _ make: (_ onListening: @escaping @Sendable (_ url: String) -> Void) throws -> any Service
    ) async throws -> ListeningService? {
        let (urls, listening) = AsyncStream.makeStream(of: String.self)
        let service = try make { listening.yield($0) }
        let group = ServiceGroup(services: [service], gracefulShutdownSignals: signals, logger: Logger.current)
        let running = Task {
            defer { listening.finish() }
            try await group.run()
        }
        guard let url = await urls.first(where: { _ in true }) else { return nil }
        return ListeningService(url: url, group: group, running: running)
    }

    /// Returns when the service has ended.
    func ended() async {
        _ = await running.result
    }

    func stop() async {
        await group.triggerGracefulShutdown()
        await ended()
    }
}

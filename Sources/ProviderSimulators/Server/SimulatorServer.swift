import Hummingbird
import Logging

/// The listening half of every simulator: HTTP/1.1 on 127.0.0.1.
final class SimulatorServer: Sendable {
    /// The port it listens on.
    let port: Int

    private let run: Task<Void, Never>

    private init(port: Int, run: Task<Void, Never>) {
        self.port = port
        self.run = run
    }

    deinit { run.cancel() }

    /// Starts a server and returns once it accepts connections; `onListening` learns the port before the first one.
    /// Its answers' `Date` is the clock's.
    static func start(
        _ router: Router<SimulatorContext>, port: Int, clock: SimulatorClock = .system, logger: Logger,
        onListening: @escaping @Sendable (Int) -> Void
    ) async throws -> SimulatorServer {
        let (ports, listening) = AsyncThrowingStream<Int, any Error>.makeStream()
        let application = Application(
            responder: router.buildResponder(),
            server: .http1(additionalChannelHandlers: [SimulatedDate(clock)]),
            configuration: .init(address: .hostname("127.0.0.1", port: port), serverName: nil),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? port
                onListening(port)
                listening.yield(port)
            },
            logger: logger)
        let run = Task {
            // Only a server that never listened is still waited for.
            defer { listening.finish() }
            do {
                try await application.run()
            } catch {
                listening.finish(throwing: error)
            }
        }
        for try await port in ports {
            return SimulatorServer(port: port, run: run)
        }
        throw CancellationError()
    }

    /// Closes every connection and returns once the port is free.
    func stop() async {
        run.cancel()
        await run.value
    }
}

import Hummingbird
import ProviderKit

/// A server that must never receive a request: a client that sends one has followed a redirect, an address in a token or an endpoint it had
/// no business with.
public final class ForbiddenListener: Sendable {
    /// Its URL, such as `http://127.0.0.1:40124`.
    public var url: String { server.url }

    private enum Everything: Hashable { case request }

    private let traffic: Traffic<Everything>
    private let server: LoopbackServer

    private init(traffic: Traffic<Everything>, server: LoopbackServer) {
        self.traffic = traffic
        self.server = server
    }

    /// Starts a listener on a free port of 127.0.0.1.
    ///
    /// - Throws: An I/O error when there is none.
    public static func start() async throws -> ForbiddenListener {
        let traffic = Traffic<Everything>()
        let router = Router(context: SimulatorContext.self)
        router.add(
            middleware: NotFoundAnswers { path in
                _ = traffic.arrive(
                    at: .request, RecordedRequest(method: "", path: path, query: "", headers: [], body: []))
                return .json(["caught": true])
            })
        let server = try await LoopbackServer.start(router.buildResponder())
        return ForbiddenListener(traffic: traffic, server: server)
    }

    /// How many requests came, which ought to be none.
    public var hits: Int { traffic.hits(at: .request) }

    /// Closes all connections and returns once the port is free.
    public func stop() async {
        await server.stop()
    }
}

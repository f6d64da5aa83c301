import BrokerClient
import Foundation
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle

/// An HTTP server on a free port of 127.0.0.1 that receives one redirect. Every page and program of this machine can send
/// it another one, which is passed over.
final class LoopbackServer: Sendable {
    private let path: String
    private let (ports, portContinuation) = AsyncStream.makeStream(of: Int.self)
    private let (queries, queryContinuation) = AsyncStream.makeStream(of: String.self)
    private let (stops, stopContinuation) = AsyncStream.makeStream(of: Void.self)
    private let (endings, endContinuation) = AsyncStream.makeStream(of: Never.self)

    /// - Parameter path: The path of the redirect URI.
    init(path: String) {
        self.path = path
    }

    /// Starts to listen.
    ///
    /// - Returns: The port.
    func start() async throws(BrokerAuthError) -> Int {
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: [application], logger: Self.silence))
        Task { [stops] in
            for await _ in stops { break }
            await group.triggerGracefulShutdown()
        }
        Task {
            try? await group.run()
            // After a failure to listen nothing arrives any more.
            portContinuation.finish()
            queryContinuation.finish()
            endContinuation.finish()
        }
        for await port in ports { return port }
        throw .notConfigured("no port of 127.0.0.1 can be listened on")
    }

    /// Waits for the redirect of a request.
    func redirect(of request: AuthorizationPresentation) async throws(BrokerAuthError) -> URL {
        for await query in queries {
            guard let url = URL(string: "\(request.redirectURI)?\(query)"), request.isRedirect(url) else { continue }
            stop()
            await end(within: .seconds(2))
            return url
        }
        throw .cancelled
    }

    /// Waits until the browser has its page: the command may end right after. A connection that the browser keeps open
    /// without a request is not waited for.
    private func end(within duration: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [endings] in for await _ in endings {} }
            group.addTask { try? await Task.sleep(for: duration) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Stops to listen, after answers that are under way.
    func stop() {
        stopContinuation.yield()
        stopContinuation.finish()
    }

    private var application: some ApplicationProtocol {
        let router = Router()
        router.get("\(path)") { [queryContinuation] request, _ -> Response in
            queryContinuation.yield(request.uri.query ?? "")
            return Response(
                status: .ok, headers: [.contentType: "text/plain; charset=utf-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: "You may close this window.")))
        }
        return Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { [portContinuation] channel in
                if let port = channel.localAddress?.port { portContinuation.yield(port) }
            }, logger: Self.silence)
    }

    private static let silence = Logger(label: "loopback") { _ in SwiftLogNoOpLogHandler() }
}

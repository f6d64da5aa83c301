import AsyncHTTPClient
import NIOCore
import Synchronization

/// The HTTP clients of tests: one for each server, which ends with it.
///
/// A port may be another server's as soon as its server has ended. A client for all would send that server's first request
/// on the connection to the earlier one, as long as it has not seen that one's end.
enum TestClients {
    private static let clients = Mutex<[Substring: HTTPClient]>([:])
    /// For what is no broker of ``TestBroker/serve(_:intervals:limit:logger:_:finally:)``.
    private static let shared = make()

    /// Begins with the server at `url`.
    static func open(_ url: String) {
        let client = make()
        clients.withLock { $0[origin(of: url)] = client }
    }

    /// Closes all connections to the server at `url`.
    static func close(_ url: String) async {
        let client = clients.withLock { $0.removeValue(forKey: origin(of: url)) }
        try? await client?.shutdown()
    }

    /// The client for the server of an address.
    static func client(for url: String) -> HTTPClient { clients.withLock { $0[origin(of: url)] } ?? shared }

    private static func origin(of url: String) -> Substring {
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return parts.count > 2 ? url[..<parts[2].endIndex] : url[...]
    }

    private static func make() -> HTTPClient {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        // Before the broker does so, which ends idle connections after 15 seconds: a request could be on its way then.
        configuration.connectionPool.idleTimeout = .seconds(5)
        // A whole suite shares two cores: waiting for a connection is no failure of what is tested.
        configuration.timeout.connect = .seconds(120)
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }
}

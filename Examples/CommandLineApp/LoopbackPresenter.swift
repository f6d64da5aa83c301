import BrokerClient
import Foundation
import Synchronization

/// Opens the authorization page in the browser, and receives its redirect on a free port of the loopback interface
/// (RFC 8252 §7.3).
final class LoopbackPresenter: AuthorizationPresenter {
    private let browser: LocalBrowser?
    private let server = Mutex<LoopbackServer?>(nil)

    /// - Parameter browser: The browser to open; without one the page's address is printed only.
    init(browser: LocalBrowser?) {
        self.browser = browser
    }

    func redirectURI(for configured: String) async throws(BrokerAuthError) -> String {
        guard let path = URLComponents(string: configured)?.path, !path.isEmpty else {
            throw .notConfigured("the redirect URI \(configured) has no path")
        }
        let started = LoopbackServer(path: path)
        server.withLock { $0 = started }
        return "http://127.0.0.1:\(try await started.start())\(path)"
    }

    func authorize(_ request: AuthorizationPresentation) async throws(BrokerAuthError) -> URL {
        guard let server = server.withLock({ $0 }) else { throw .notConfigured("no redirect can be received") }
        let opened = browser?.open(request.url) ?? false
        print("\(opened ? "A browser opens. If none does, open" : "Open") \(request.url.absoluteString)")
        fflush(nil)
        return try await server.redirect(of: request)
    }

    func cancel() {
        server.withLock { server in
            server?.stop()
            server = nil
        }
    }
}

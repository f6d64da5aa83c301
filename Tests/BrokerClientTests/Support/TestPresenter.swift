import BrokerClient
import Foundation
import Synchronization
import Testing

/// A presenter that ends as a test says.
final class TestPresenter: AuthorizationPresenter {
    typealias Page = @Sendable (AuthorizationPresentation) async throws(BrokerAuthError) -> URL

    private let page: Page
    private let state = Mutex<(shown: [AuthorizationPresentation], cancellations: Int)>(([], 0))

    init(_ page: @escaping Page) { self.page = page }

    var shown: [AuthorizationPresentation] { state.withLock { $0.shown } }
    var cancellations: Int { state.withLock { $0.cancellations } }

    func authorize(_ request: AuthorizationPresentation) async throws(BrokerAuthError) -> URL {
        state.withLock { $0.shown.append(request) }
        return try await page(request)
    }

    func cancel() { state.withLock { $0.cancellations += 1 } }

    /// One that returns a redirect with these parameters; `state` and `iss` are right unless they are named.
    static func redirecting(
        from broker: StandInBroker, _ parameters: [String: String?] = [:]
    ) -> TestPresenter {
        TestPresenter { request in redirect(of: request, from: broker, parameters) }
    }

    /// One whose page never ends by itself.
    static var waiting: TestPresenter {
        TestPresenter { (_) async throws(BrokerAuthError) in
            let (stream, continuation) = AsyncStream<Never>.makeStream()
            for await _ in stream {}
            withExtendedLifetime(continuation) {}
            throw .cancelled
        }
    }

    static func redirect(
        of request: AuthorizationPresentation, from broker: StandInBroker, _ parameters: [String: String?] = [:]
    ) -> URL {
        var values: [String: String?] = ["code": "code-1", "state": request.query["state"], "iss": broker.url]
        for (name, value) in parameters { values[name] = .some(value) }
        var components = URLComponents(string: request.redirectURI) ?? URLComponents()
        components.queryItems = values.compactMap { name, value in value.map { URLQueryItem(name: name, value: $0) } }
        return components.url ?? request.url
    }
}

extension AuthorizationPresentation {
    /// The parameters of the page's address.
    var query: [String: String] {
        let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
    }
}

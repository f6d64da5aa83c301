import HTTPTypes
import Hummingbird
import ProviderSimulators
import Synchronization

/// A web site of a test's own on this machine: answers what the test says and records its requests.
package final class LocalSite: Sendable {
    /// A request.
    package struct Visit: Sendable {
        package let method: String
        /// The path without the query.
        package let path: String
        /// The query without the question mark; empty when there is none.
        package let query: String
        /// By lower-case name.
        package let headers: [String: String]
        package let body: String
    }

    /// What is answered.
    package struct Page: Sendable {
        let html: String
        let status: Int
        let headers: [String: String]

        package init(_ html: String, status: Int = 200, headers: [String: String] = [:]) {
            self.html = html
            self.status = status
            self.headers = headers
        }
    }

    private let seen = Mutex<[Visit]>([])
    private let listening = Mutex<Int>(0)
    private let answer: @Sendable (Visit) -> Page

    private init(_ answer: @escaping @Sendable (Visit) -> Page) {
        self.answer = answer
    }

    /// The port on 127.0.0.1.
    package var port: Int { listening.withLock { $0 } }
    /// The requests, in order.
    package var visits: [Visit] { seen.withLock { $0 } }

    /// Opens a site on a free port, lends it to `body` and closes it.
    package static func run<Value>(
        _ answer: @escaping @Sendable (Visit) -> Page, _ body: (LocalSite) async throws -> Value
    ) async throws -> Value {
        let site = LocalSite(answer)
        let responder = CallbackResponder<BasicRequestContext> { request, _ in try await site.respond(to: request) }
        return try await LoopbackServer.run(responder) { server in
            site.listening.withLock { $0 = server.port }
            return try await body(site)
        }
    }

    private func respond(to request: Request) async throws -> Response {
        let visit = try await Visit(request)
        seen.withLock { $0.append(visit) }
        let page = answer(visit)
        var response = Response(
            status: .init(code: page.status), headers: [.contentType: "text/html; charset=utf-8"],
            body: .init(byteBuffer: .init(string: page.html)))
        for (name, value) in page.headers {
            guard let name = HTTPField.Name(name) else { continue }
            response.headers[name] = value
        }
        return response
    }
}

extension LocalSite.Visit {
    fileprivate init(_ request: Request) async throws {
        var request = request
        let body = try await request.collectBody(upTo: 1 << 20)
        method = request.method.rawValue
        path = request.uri.path
        query = request.uri.query ?? ""
        headers = Dictionary(request.headers.map { ($0.name.canonicalName, $0.value) }) { $1 }
        self.body = String(buffer: body)
    }
}

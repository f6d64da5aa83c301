import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import StrictJSON

/// An answer of a server under test.
struct TestAnswer: Sendable, CustomStringConvertible {
    let status: Int
    let headers: HTTPHeaders
    let text: String

    var body: JSONValue { (try? JSONValue(parsing: text)) ?? .null }
    var error: String? { body["error"]?.string }
    var challenge: String? { header("WWW-Authenticate") }
    func header(_ name: String) -> String? { headers.first(name: name) }

    var description: String { "\(status) \(challenge ?? "") \(text)" }

    /// Never shut down: it exists for the whole test run.
    private static let http = HTTPClient(
        eventLoopGroupProvider: .singleton, configuration: .init(redirectConfiguration: .disallow))

    static func get(_ url: String, _ headers: [(String, String)] = []) async throws -> TestAnswer {
        var request = HTTPClientRequest(url: url)
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        let response = try await http.execute(request, timeout: .seconds(120))
        let body = try await response.body.collect(upTo: 1 << 20)
        return TestAnswer(status: Int(response.status.code), headers: response.headers, text: String(buffer: body))
    }
}

import AsyncHTTPClient
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import StrictJSON

/// A server on 127.0.0.1 that lives as long as a test works with it.
enum TestServer {
    static func run<Value>(
        _ responder: some HTTPResponder<BasicRequestContext>, _ body: (_ url: String) async throws -> Value
    ) async throws -> Value {
        try await run(application: { Application(responder: responder, configuration: $0, onServerRunning: $1) }, body)
    }

    static func run<Value>(
        application: (ApplicationConfiguration, @escaping @Sendable (any Channel) async -> Void)
            -> some ApplicationProtocol, _ body: (_ url: String) async throws -> Value
    ) async throws -> Value {
        let (ports, listening) = AsyncThrowingStream<Int, any Error>.makeStream()
        let application = application(.init(address: .hostname("127.0.0.1", port: 0), serverName: nil)) { channel in
            listening.yield(channel.localAddress?.port ?? 0)
        }
        let server = Task {
            do {
                try await application.run()
                listening.finish()
            } catch {
                listening.finish(throwing: error)
            }
        }
        var port = 0
        let result: Result<Value, any Error>
        do {
            for try await listeningPort in ports {
                port = listeningPort
                break
            }
            result = .success(try await body("http://127.0.0.1:\(port)"))
        } catch {
            result = .failure(error)
        }
        server.cancel()
        await server.value
        return try result.get()
    }
}

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

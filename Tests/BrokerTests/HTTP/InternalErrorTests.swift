import BrokerStore
import Crypto
import Foundation
import HTTPTypes
import JOSE
import Logging
import NIOCore
import NIOEmbedded
import ProviderKit
import Testing

@testable import Broker

@Suite("internal errors at the edge")
struct InternalErrorTests {
    private struct Unexpected: Error {}

    private static let bugs: [any Error & Sendable] = [
        StoreError(.misuse, "a statement and its values do not fit"), StoreError(.constraint, "a foreign key"),
        StoreError(.rowKeyTaken, "users"), InternalError.signingKeyMissing(.es256), Unexpected(),
    ]

    private static let transient: [any Error & Sendable] = [
        StoreError(.busy, "another process"), StoreError(.unavailable, "no route"),
        InternalError.uniqueKeyTaken("users"),
    ]

    @Test(
        arguments: bugs.indices,
        [
            ("/v1/accounts:signUp", "text/plain; charset=utf-8"), ("/oauth/token", "application/json; charset=utf-8"),
        ])
    func `a bug is a 500, in plain text where SDKs ask, and a line in the log`(
        bug: Int, route: (path: String, contentType: String)
    ) async throws {
        let (response, lines) = await Self.answer(to: route.path, failingWith: Self.bugs[bug])

        #expect(response.status == .internalServerError)
        #expect(response.headers[.contentType] == route.contentType)
        #expect(response.headers[.retryAfter] == nil)
        #expect(lines.count == 1)
    }

    @Test(arguments: transient.indices, ["/v1/accounts:signUp", "/oauth/token"])
    func `a store that cannot write now is a 503 in plain text`(error: Int, path: String) async throws {
        let (response, lines) = await Self.answer(to: path, failingWith: Self.transient[error])

        #expect(response.status == .serviceUnavailable)
        #expect(response.headers[.contentType] == "text/plain; charset=utf-8")
        #expect(response.headers[.retryAfter] == "1")
        #expect(lines.count == 1)
    }

    private static func answer(
        to path: String, failingWith error: any Error & Sendable
    ) async -> (Response, [JSONValue]) {
        let configuration = Configuration(
            publicURL: "http://127.0.0.1:9099", listen: .init(host: "127.0.0.1", port: 0),
            project: .init(id: "test-project", number: "123456789012", authorizedDomains: []), apiKeys: [],
            database: .sqlite(path: "unused"), masterKey: .environment("UNUSED"), pluginsPath: "unused")
        var table = RouteTable(.identityToolkit)
        table.add(.post, "/v1/accounts:signUp", .awaited { _, _ in throw error })
        table.add(.post, "/oauth/token", in: .oauth, .immediate { _, _ in throw error })
        let clientAddress = ClientAddress(trustedProxies: [])
        let log = LogLines()
        let edge = Edge(
            table: table, cors: CrossOrigin([]) { _ in false },
            hosts: AllowedHosts(configuration), clientAddress: clientAddress,
            limiter: RateLimiter(
                configuration, code: { HMAC.authenticationCode(for: $0, using: SymmetricKey(size: .bits256)) },
                now: { Date() }),
            logger: log.logger, now: { Date() })
        let request = Request(
            head: HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: path),
            body: .whole(ByteBuffer()))
        let response = await edge.respond(to: request, on: clientAddress.connection(of: EmbeddedChannel())).response
        return (response, log.lines.filter { $0["level"] == "error" })
    }
}

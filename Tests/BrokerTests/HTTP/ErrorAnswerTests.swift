import NIOHTTP1
import ProviderKit
import Testing

@testable import Broker
@testable import BrokerStore

@Suite("what errors tell about the broker")
struct ErrorAnswerTests {
    /// Words of traces, of Swift's types and of the libraries below.
    private static let betrayals = [
        ".swift", "Swift", "Optional(", "StoreError", "InternalError", "BrokerError", "DecodingError", "HTTPError",
        "Fatal error", "NIOCore", "NIOHTTP", "Hummingbird", "SQLite", "sqlite", "PostgreSQL", "libpq", "/Sources/",
        "no such column", "does not exist", "SELECT ", "INSERT ",
    ]

    private static func expectNothing(in answer: Answer, _ what: String) {
        for name in ["Server", "X-Powered-By", "Via", "X-Runtime", "X-Swift-Version"] {
            #expect(answer.headers.first(name: name) == nil, "\(what): \(name)")
        }
        for header in answer.headers where !["date", "content-security-policy"].contains(header.name.lowercased()) {
            #expect(!betrayals.contains { header.value.contains($0) }, "\(what): \(header)")
        }
        for word in betrayals { #expect(!answer.text.contains(word), "\(what): \(word) in \(answer.text)") }
    }

    @Test func `400, 404 and 405 carry no trace, no name of a type and no Server banner`() async throws {
        try await TestBroker.run { broker in
            let json: HTTPHeaders = ["Content-Type": "application/json"]
            let form: HTTPHeaders = ["Content-Type": "application/x-www-form-urlencoded"]
            let key = broker.apiKey
            let requests: [(HTTPMethod, String, HTTPHeaders, String)] = [
                (.POST, "/v1/accounts:lookup?key=\(key)", json, "{"),
                (.POST, "/v1/accounts:lookup?key=\(key)", json, #"{"idToken":{}}"#),
                (.POST, "/v1/accounts:lookup?key=\(key)", json, #"{"idToken":"a.b.c"}"#),
                (.POST, "/v1/accounts:signInWithIdp?key=\(key)", json, #"{"postBody":5}"#),
                (.POST, "/v1/accounts:signInWithIdp?key=\(key)", json, #"{"requestUri":"x","postBody":"%zz"}"#),
                (.POST, "/v1/accounts:signUp?key=wrong", json, "{}"), (.POST, "/v1/token?key=\(key)", form, "%"),
                (.POST, "/oauth/token", form, "grant_type=%00"), (.POST, "/oauth/token", json, "{}"),
                (.GET, "/oauth/authorize?client_id=nobody", [:], ""), (.GET, "/oauth/callback/github.com", [:], ""),
                (.GET, "/oauth/userinfo", ["Authorization": "Bearer x"], ""), (.GET, "/nothing/here", [:], ""),
                (.GET, "/nothing", ["Accept": "text/html"], ""), (.PUT, "/v1/accounts:lookup", [:], ""),
                (.GET, "/v1/projects/other/accounts:lookup", [:], ""), (.GET, "/%2e%2e/%2e%2e/etc/passwd", [:], ""),
                (.POST, "/v1/projects/test-project/accounts:batchCreate", ["Authorization": "Bearer x"], "{}"),
            ]
            for (method, path, headers, body) in requests {
                let answer = try await broker.send(method, path, headers: headers, body: Array(body.utf8))
                #expect((300..<500).contains(answer.status), "\(path): \(answer.status)")
                Self.expectNothing(in: answer, "\(method) \(path)")
            }
        }
    }

    @Test func `500 and 503 do not either`() async throws {
        try await TestBroker.run { broker in
            let session = try await broker.signUp()
            // A schema that does not fit the broker's statements: a bug, as far as the broker knows.
            try await broker.core.store.write { transaction in
                _ = try transaction.run(
                    Statement("break_sessions", "ALTER TABLE sessions RENAME COLUMN epoch TO broken"))
            }
            let app = try await OAuthApp(at: broker)
            let answers = [
                try await broker.signUp(), try await broker.lookup(session.string("idToken")),
                try await broker.signIn(broker.person("ada")),
                try await app.post("/oauth/token", [("grant_type", "refresh_token"), ("refresh_token", "x")]),
            ]
            await broker.core.store.close()
            let closed = [try await broker.signUp(), try await broker.get("/oauth/authorize?client_id=a")]

            #expect(answers.contains { $0.status == 500 }, "\(answers.map(\.status))")
            #expect(closed.contains { $0.status == 503 }, "\(closed.map(\.status))")
            for answer in answers + closed { Self.expectNothing(in: answer, "\(answer.status)") }
        }
    }
}

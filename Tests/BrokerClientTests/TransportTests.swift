import BrokerClient
import Foundation
import StrictJSON
import Testing

@Suite("Requests to the broker", .timeLimit(.minutes(20)))
struct TransportTests {
    private static func send(_ path: String, to broker: StandInBroker) async throws -> HTTPResponse {
        try await URLSessionTransport().send(HTTPRequest(url: try #require(URL(string: broker.url + path))))
    }

    @Test func `a redirect is not followed`() async throws {
        try await StandInBroker.run { broker in
            broker.answer { call in
                call.path == "/here" ? .init(status: 302, headers: ["Location": "/there"], body: "") : nil
            }

            let response = try await Self.send("/here", to: broker)

            #expect(response.status == 302 && broker.calls.map(\.path) == ["/here"])
        }
    }

    @Test func `a response larger than a mebibyte is refused`() async throws {
        try await StandInBroker.run { broker in
            broker.answer { call in
                .init(body: String(repeating: "x", count: call.path == "/large" ? (1 << 20) + 1 : 1 << 20))
            }

            let large = try #require(URL(string: broker.url + "/large"))
            let fitting = try await Self.send("/fitting", to: broker)
            let thrown = await failure { () async throws(BrokerAuthError) in
                try await URLSessionTransport().send(HTTPRequest(url: large))
            }

            #expect(fitting.body.count == 1 << 20)
            #expect(thrown == .network(NetworkFailure(.invalidResponse)))
        }
    }

    @Test func `cookies are neither kept nor sent`() async throws {
        try await StandInBroker.run { broker in
            let transport = URLSessionTransport()
            broker.answer { _ in .init(headers: ["Set-Cookie": "a=b; Path=/"], body: "{}") }
            for _ in 0..<2 {
                _ = try await transport.send(HTTPRequest(url: try #require(URL(string: broker.url + "/cookie"))))
            }

            #expect(broker.calls.count == 2 && broker.calls.allSatisfy { $0.headers["cookie"] == nil })
        }
    }

    @Test(arguments: ["http://id.example.com/", "ftp://127.0.0.1/", "http://127.0.0.1.example/", "file:///etc/passwd"])
    func `only HTTPS and loopback hosts are asked`(url: String) async throws {
        let request = HTTPRequest(url: try #require(URL(string: url)))

        let thrown = await failure { () async throws(BrokerAuthError) in try await URLSessionTransport().send(request) }

        #expect(thrown == .network(NetworkFailure(.insecure)))
    }

    @Test func `a host that does not answer is a failure of the network`() async throws {
        let url = try await StandInBroker.run { broker in broker.url }
        let request = HTTPRequest(url: try #require(URL(string: url)))

        let thrown = await failure { () async throws(BrokerAuthError) in try await URLSessionTransport().send(request) }

        #expect(thrown == .network(NetworkFailure(.unreachable)))
    }

    @Test func `a cancelled call ends at once`() async throws {
        try await StandInBroker.run { broker in
            let (arrivals, arrived) = AsyncStream<Void>.makeStream()
            broker.answer { _ in
                arrived.yield()
                try await Task.sleep(for: .seconds(60))
                return nil
            }
            let request = HTTPRequest(url: try #require(URL(string: broker.url)))
            let call = Task { () async -> BrokerAuthError? in
                await failure { () async throws(BrokerAuthError) in try await URLSessionTransport().send(request) }
            }
            for await _ in arrivals { break }
            call.cancel()

            #expect(await call.value == .cancelled)
        }
    }

    @Test(arguments: [
        (200, "<html>Welcome to the hotel</html>"), (200, "[]"), (404, "not found"), (302, ""),
    ])
    func `the page of a captive portal is a failure of the network`(status: Int, body: String) async throws {
        try await StandInBroker.run { broker in
            let app = try await TestApp.signedIn(broker)
            broker.answer { call in call.path == "/oauth/token" ? .init(status: status, body: body) : nil }

            let thrown = await failure { () async throws(BrokerAuthError) in
                try await app.auth.accessToken(forcingRefresh: true)
            }

            #expect(thrown == .network(NetworkFailure(.invalidResponse)))
            #expect(app.storage.items.count == 1)
        }
    }
}

import BrokerClient
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("A request of the app with the session's token", .timeLimit(.minutes(20)))
struct AuthorizedRequestTests {
    private static func request(_ broker: StandInBroker, _ path: String = "/notes") throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: broker.url + path)))
        request.httpMethod = "POST"
        request.httpBody = Data(#"{"text":"hello"}"#.utf8)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        return request
    }

    @Test func `carries the token, and its answer comes back`() async throws {
        try await StandInBroker.run { broker in
            let app = try await TestApp.signedIn(broker)
            broker.answer { call in
                call.path == "/notes" ? .init(status: 201, headers: ["X-Note": "7"], body: "stored") : nil
            }

            let (data, response) = try await app.auth.authorized(try Self.request(broker))

            #expect(String(decoding: data, as: UTF8.self) == "stored" && response.statusCode == 201)
            #expect(response.value(forHTTPHeaderField: "X-Note") == "7")
            let call = try #require(broker.calls(of: "/notes").first)
            #expect(call.headers["authorization"] == "Bearer access-1" && call.json == ["text": "hello"])
            #expect(call.headers["content-type"] == "application/json")
        }
    }

    @Test func `is repeated once with a new token after 401`() async throws {
        try await StandInBroker.run { broker in
            let app = try await TestApp.signedIn(broker)
            broker.answer { call in
                guard call.path == "/notes" else { return nil }
                return .init(status: call.headers["authorization"] == "Bearer access-1" ? 401 : 200, body: "")
            }
            let (_, response) = try await app.auth.authorized(try Self.request(broker))
            broker.answer { call in call.path == "/notes" ? .init(status: 401, body: "no") : nil }
            let (data, refused) = try await app.auth.authorized(try Self.request(broker))

            #expect(response.statusCode == 200 && refused.statusCode == 401)
            #expect(String(decoding: data, as: UTF8.self) == "no", "the second answer is the app's to read")
            #expect(broker.calls(of: "/notes").count == 4 && broker.refreshes.count == 2)
            #expect(broker.calls(of: "/notes").allSatisfy { $0.json == ["text": "hello"] })
        }
    }

    @Test func `follows no redirect, and goes to no insecure address`() async throws {
        try await StandInBroker.run { broker in
            let app = try await TestApp.signedIn(broker)
            broker.answer { call in
                call.path == "/notes" ? .init(status: 302, headers: ["Location": "/other"], body: "") : nil
            }
            let (_, response) = try await app.auth.authorized(try Self.request(broker))
            let insecure = URLRequest(url: try #require(URL(string: "http://notes.example/")))
            let refused = await failure { () async throws(BrokerAuthError) in try await app.auth.authorized(insecure) }

            #expect(response.statusCode == 302 && broker.calls(of: "/other").isEmpty)
            #expect(refused == .network(NetworkFailure(.insecure)))
        }
    }

    @Test func `needs a session`() async throws {
        try await StandInBroker.run { broker in
            let app = try TestApp(broker)

            let request = try Self.request(broker)
            let refused = await failure { () async throws(BrokerAuthError) in try await app.auth.authorized(request) }

            #expect(refused == .signedOut && broker.calls(of: "/notes").isEmpty)
        }
    }
}

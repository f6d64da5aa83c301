import NIOHTTP1
import ProviderKit
import Testing

@testable import Broker

@Suite("bearer credentials of a request")
struct BearerCredentialsTests {
    /// A path that takes a bearer token.
    enum Endpoint: CaseIterable, Sendable {
        case userInfo, account, administration, introspection
    }

    /// Sends `Authorization` headers to an endpoint, each with its token.
    private struct Caller: Sendable {
        let broker: TestBroker
        private let accessToken: String
        private let adminToken: String

        init(at broker: TestBroker) async throws {
            let app = try await OAuthApp(at: broker)
            let user = try await broker.signedInUser()
            self.broker = broker
            accessToken = try await app.signIn(user, scope: "openid account").string("access_token")
            adminToken = try await TestBackend(broker).token
        }

        func send(_ endpoint: Endpoint, _ headers: [(String) -> String]) async throws -> Answer {
            let token = [.userInfo, .account].contains(endpoint) ? accessToken : adminToken
            let fields = HTTPHeaders(headers.map { ("Authorization", $0(token)) })
            switch endpoint {
            case .userInfo: return try await broker.get("/oauth/userinfo", headers: fields)
            case .account: return try await broker.get("/v1/broker/me", headers: fields)
            case .administration:
                return try await broker.send(
                    .POST, "/v1/broker/admin/users.list",
                    headers: HTTPHeaders(fields + [("Content-Type", "application/json")]), body: Array("{}".utf8))
            case .introspection:
                return try await broker.postForm("/oauth/introspect", [("token", accessToken)], headers: fields)
            }
        }
    }

    @Test(arguments: Endpoint.allCases)
    func `the scheme is compared without case, and spaces may follow it`(endpoint: Endpoint) async throws {
        try await TestBroker.run { broker in
            let caller = try await Caller(at: broker)
            for scheme in ["Bearer ", "bearer ", "BEARER ", "Bearer   "] {
                let answer = try await caller.send(endpoint, [{ scheme + $0 }])
                #expect(answer.status == 200, "\(scheme) \(answer.text)")
            }
        }
    }

    @Test(arguments: Endpoint.allCases)
    func `several headers, no token, and anything after the token are an invalid request`(
        endpoint: Endpoint
    ) async throws {
        try await TestBroker.run { broker in
            let caller = try await Caller(at: broker)
            let requests: [[(String) -> String]] = [
                [{ "Bearer \($0)" }, { "Bearer \($0)" }], [{ "Bearer \($0)" }, { _ in "Basic YTpi" }],
                [{ _ in "Basic YTpi" }, { "Bearer \($0)" }], [{ _ in "Bearer" }], [{ "Bearer \($0) x" }],
                [{ "Bearer \($0), Bearer \($0)" }], [{ "Bearer \($0)," }], [{ "Bearer \"\($0)\"" }],
                [{ _ in "Bearer ==" }],
                [{ "Bearer \($0)=x" }],
            ]
            for request in requests {
                let answer = try await caller.send(endpoint, request)
                #expect(answer.status == 400, "\(request.map { $0("t") }) \(answer.text)")
                switch endpoint {
                case .userInfo, .introspection: #expect(answer.oauthError == "invalid_request")
                case .account, .administration: #expect(answer["error"]?["status"] == "INVALID_ARGUMENT")
                }
            }
        }
    }

    @Test(arguments: Endpoint.allCases)
    func `credentials of another scheme are no bearer token`(endpoint: Endpoint) async throws {
        try await TestBroker.run { broker in
            let caller = try await Caller(at: broker)
            for scheme in ["Basic ", "Bearerx ", "Bearer\t", "DPoP "] {
                #expect(try await caller.send(endpoint, [{ scheme + $0 }]).status == 401, "\(scheme)")
            }
        }
    }
}

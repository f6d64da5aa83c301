import BrokerStore
import Foundation
import NIOHTTP1
import OAuth
import PostgreSQLTesting
import ProviderKit
import Testing

@testable import Broker

@Suite("what an assertion of a service account obtains", .oneEngine("the scopes of assertions"))
struct ServiceAccountScopeTests {
    private typealias Backend = ServiceAccountBackend

    private static let google = "https://www.googleapis.com/auth/"

    /// A request of an account with `users:read tokens:introspect`, or with `admin`.
    struct Request: Sendable {
        var isAdmin = false
        /// The claim `scope` of the assertion; nil leaves it out.
        var claim: JSONValue?
        /// The parameter `scope`.
        var parameter: String?
        /// The answer's scope; nil for `invalid_scope`.
        let granted: String?
    }

    static let requests: [Request] = [
        Request(claim: "users:read", granted: "users:read"),
        Request(claim: "users:read users:write", granted: "users:read"),
        Request(claim: "users:write", granted: nil),
        Request(claim: "admin", granted: nil),
        Request(claim: "admin users:read", granted: "users:read"),
        Request(isAdmin: true, claim: "users:read", granted: "users:read"),
        Request(isAdmin: true, claim: "admin", granted: "admin"),
        Request(claim: .string(google + "cloud-platform"), granted: "tokens:introspect users:read"),
        Request(claim: .string(google + "datastore " + google + "firebase"), granted: "tokens:introspect users:read"),
        Request(isAdmin: true, claim: .string(google + "identitytoolkit"), granted: "admin"),
        Request(isAdmin: true, claim: .string(google + "cloud-platform users:read"), granted: "users:read"),
        Request(claim: .string(google + "cloud-platform users:write"), granted: nil),
        Request(claim: .string(google + "cloud-platform users:reed"), granted: nil),
        Request(claim: .string(google + "datastore"), granted: nil),
        Request(claim: .string(google + "cloud-platform"), parameter: "users:read", granted: "users:read"),
        Request(claim: "users:read", parameter: "tokens:introspect", granted: nil),
        Request(isAdmin: true, claim: "users:read", parameter: "admin", granted: nil),
        Request(parameter: "users:read", granted: "users:read"),
        Request(granted: nil), Request(claim: "", granted: nil), Request(claim: ["users:read"], granted: nil),
        Request(claim: 7, parameter: "users:read", granted: nil),
    ]

    @Test(arguments: requests)
    func `the answer and the token have the requested scopes that the account has`(request: Request) async throws {
        try await TestBroker.run { broker in
            let backend = try await Backend.create(
                at: broker, request.isAdmin ? [.admin] : [.readUsers, .introspectTokens])
            let assertion =
                try request.claim.map { try backend.assertion(["scope": $0]) }
                ?? backend.assertion(without: "scope")

            let answer = try await backend.exchange(assertion, scope: request.parameter)

            guard let granted = request.granted else {
                #expect(answer.status == 400 && answer.oauthError == "invalid_scope", "\(answer.text)")
                return
            }
            #expect(answer["scope"]?.string == granted, "\(answer.text)")
            let known = try await Self.run("admin.whoami", with: try answer.string("access_token"), broker)
            #expect(known["scopes"]?.array?.compactMap(\.string).joined(separator: " ") == granted, "\(known.text)")
        }
    }

    @Test func `a token of one scope has no other right of its account`() async throws {
        try await TestBroker.run { broker in
            let backend = try await Backend.create(at: broker, [.admin])
            let narrow = try await backend.accessToken(scope: "users:read")
            let full = try await backend.accessToken()

            #expect(try await Self.run("users.list", with: narrow, broker).status == 200)
            for operation in ["webhooks.list", "admin.service-account.list", "keys.rotate"] {
                let refused = try await Self.run(operation, with: narrow, broker)
                #expect(refused.status == 403, "\(operation): \(refused.text)")
            }
            #expect(try await backend.status(of: narrow) == 403)
            #expect(try await backend.status(of: full) == 400)
        }
    }

    @Test func `introspection names the scope of the account's own token, and tells no other account`() async throws {
        try await TestBroker.run { broker in
            let backend = try await Backend.create(at: broker, [.readUsers, .introspectTokens])
            let other = try await Backend.create(at: broker, [.introspectTokens], named: "notes")
            let reader = try await backend.accessToken(scope: "users:read")
            let asker = try await backend.accessToken(scope: "tokens:introspect")

            let own = try await Self.introspect(reader, with: asker, broker)
            let foreign = try await Self.introspect(reader, with: try await other.accessToken(), broker)
            let itself = try await Self.introspect(reader, with: reader, broker)

            #expect(own["active"] == true && own["scope"] == "users:read", "\(own.text)")
            #expect(own["sub"]?.string == backend.email && own["client_id"]?.string == backend.id)
            #expect(own["aud"]?.string == broker.core.configuration.publicURL && own["token_type"] == "Bearer")
            #expect(own["exp"]?.integer == Int64(broker.clock.now.timeIntervalSince1970) + 3600)
            #expect(foreign.status == 200 && foreign.body == ["active": false], "\(foreign.text)")
            #expect(itself.status == 403 && itself.oauthError == "insufficient_scope", "\(itself.text)")
            _ = try await broker.core.sessions.serviceAccounts.revoke(id: backend.id, origin: Backend.origin)
            #expect(try await Self.introspect(reader, with: asker, broker).status == 401)
        }
    }

    @Test func `an assertion with a jti is single-use, at every broker of the store`() async throws {
        try await TestBroker.run { broker in
            try await broker.withSecondBroker { second in
                let backend = try await Backend.create(at: broker, [.readUsers])
                let (one, two) = (try backend.assertion(["jti": "one"]), try backend.assertion(["jti": "two"]))

                #expect(try await backend.exchange(one).status == 200)
                #expect(try await backend.exchange(two, at: second).status == 200)
                for replay in [try await backend.exchange(one, at: second), try await backend.exchange(two)] {
                    #expect(replay.status == 400 && replay.oauthError == "invalid_grant", "\(replay.text)")
                }
                let resigned = try backend.assertion(["jti": "one", "exp": 1_800_003_500])
                #expect(try await backend.exchange(resigned).oauthError == "invalid_grant")
                // Google's libraries send none.
                let plain = try backend.assertion()
                for _ in 1...2 { #expect(try await backend.exchange(plain).status == 200) }
            }
        }
    }

    @Test func `of twenty concurrent exchanges of one assertion one yields a token`() async throws {
        try await TestBroker.run { broker in
            try await broker.withSecondBroker { second in
                let backend = try await Backend.create(at: broker, [.readUsers])
                let assertion = try backend.assertion(["jti": "one"])

                let statuses = try await withThrowingTaskGroup(of: Int.self) { group -> [Int: Int] in
                    for number in 0..<20 {
                        group.addTask {
                            try await backend.exchange(assertion, at: number % 2 == 0 ? broker : second).status
                        }
                    }
                    return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
                }

                #expect(statuses == [200: 1, 400: 19])
            }
        }
    }

    @Test func `a jti is of one account, is text, and is not consumed by a refused assertion`() async throws {
        try await TestBroker.run { broker in
            let backend = try await Backend.create(at: broker, [.readUsers])
            let other = try await Backend.create(at: broker, [.readUsers], named: "notes")

            let refused = try await backend.exchange(try backend.assertion(["jti": "one", "scope": "admin"]))
            #expect(refused.oauthError == "invalid_scope")
            #expect(try await backend.exchange(try backend.assertion(["jti": "one"])).status == 200)
            #expect(try await other.exchange(try other.assertion(["jti": "one"])).status == 200)
            for value in ["", 7, .null, ["one"]] as [JSONValue] {
                let answer = try await backend.exchange(try backend.assertion(["jti": value]))
                #expect(answer.status == 400 && answer.oauthError == "invalid_grant", "\(value): \(answer.text)")
            }
        }
    }

    @Test func `the ids of an account's unexpired assertions are bounded, and go when they have expired`() async throws
    {
        try await TestBroker.run { broker in
            let backend = try await Backend.create(at: broker, [.readUsers])
            let other = try await Backend.create(at: broker, [.readUsers], named: "notes")
            try await Self.fill(backend)

            let full = try await backend.exchange(try backend.assertion(["jti": "one"]))
            #expect(full.status == 429 && full.headers["Retry-After"].first != nil, "\(full.text)")
            #expect(try await other.exchange(try other.assertion(["jti": "one"])).status == 200)
            #expect(try await backend.exchange(try backend.assertion()).status == 200)
            broker.clock.advance(seconds: 3631)
            #expect(try await backend.exchange(try backend.assertion(["jti": "one"])).status == 200)
            let now = Timestamp(broker.clock.now)
            let removed = try await broker.core.store.write {
                try $0.removeReceivedEvents(expiredBy: now, limit: 2 * ServiceAccounts.maximumAssertions)
            }
            #expect(removed == ServiceAccounts.maximumAssertions + 1)
        }
    }

    /// Stores as many ids of assertions as one account may have.
    private static func fill(_ backend: Backend) async throws {
        let store = backend.broker.core.store
        let now = Timestamp(backend.broker.clock.now)
        for start in stride(from: 0, to: ServiceAccounts.maximumAssertions, by: 1000) {
            try await store.write(at: now) { transaction in
                for number in start..<start + 1000 {
                    _ = try transaction.record(
                        ReceivedEvent(
                            key: transaction.nextKey(), provider: "service-account:" + backend.id,
                            eventHash: RandomText.hash(of: "id-\(number)"), receivedAt: now,
                            expiresAt: now.advanced(by: .seconds(3630))))
                }
            }
        }
    }

    private static func run(_ operation: String, with token: String, _ broker: TestBroker) async throws -> Answer {
        try await broker.send(
            .POST, "/v1/broker/admin/\(operation)",
            headers: ["Authorization": "Bearer \(token)", "Content-Type": "application/json"], body: Array("{}".utf8))
    }

    private static func introspect(
        _ token: String, with credential: String, _ broker: TestBroker
    ) async throws -> Answer {
        try await broker.postForm(
            "/oauth/introspect", [("token", token)], headers: ["Authorization": "Bearer \(credential)"])
    }
}

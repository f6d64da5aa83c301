import Broker
import BrokerStore
import NIOHTTP1
import ProviderKit
import Testing

@Suite("admin credentials")
struct AdminCredentialTests {
    /// A path for apps, at which no admin credential has a right: 403 then means that the token is valid.
    private static func isValid(_ token: String, at broker: TestBroker) async throws -> Bool {
        let headers: HTTPHeaders = ["Authorization": "Bearer \(token)"]
        let answer = try await broker.send(.POST, "/v1/accounts:signUp?key=\(broker.apiKey)", headers: headers)
        if answer.status == 401 {
            #expect(answer.message == "Invalid Credentials" && answer["error"]?["status"] == "UNAUTHENTICATED")
            return false
        }
        #expect(answer.status == 403 && answer["error"]?["status"] == "PERMISSION_DENIED", "\(answer.text)")
        return true
    }

    private static func create(
        at broker: TestBroker, lifetime: Duration? = nil
    ) async throws -> (credential: AdminCredential, token: AdminToken) {
        try await broker.core.sessions.adminCredentials.create(
            named: "Calendar", scopes: [.readProviderTokens], lifetime: lifetime,
            origin: Origin(.admin, actor: "test"))
    }

    @Test func `a token is valid until it expires`() async throws {
        try await TestBroker.run { broker in
            let (_, token) = try await Self.create(at: broker, lifetime: .seconds(60))

            #expect(try await Self.isValid(token.text, at: broker))
            broker.clock.advance(seconds: 59)
            #expect(try await Self.isValid(token.text, at: broker))
            broker.clock.advance(seconds: 1)
            #expect(try await !Self.isValid(token.text, at: broker))
        }
    }

    @Test func `a revoked token is refused at once, and a second revocation finds nothing`() async throws {
        try await TestBroker.run { broker in
            let (credential, token) = try await Self.create(at: broker)
            let (_, other) = try await Self.create(at: broker)
            let origin = Origin(.admin, actor: "test")

            let first = try await broker.core.sessions.adminCredentials.revoke(id: credential.id, origin: origin)
            let second = try await broker.core.sessions.adminCredentials.revoke(id: credential.id, origin: origin)

            #expect(first?.id == credential.id && second == nil)

            #expect(try await !Self.isValid(token.text, at: broker))
            #expect(try await Self.isValid(other.text, at: broker))
        }
    }

    @Test(arguments: ["owner", "bat1_", "bat1_" + String(repeating: "A", count: 43)])
    func `a token that was not issued here is refused`(token: String) async throws {
        try await TestBroker.run { broker in
            let isValid = try await Self.isValid(token, at: broker)
            #expect(!isValid)
        }
    }

    @Test func `the store has a hash of the token, and its last use to the minute`() async throws {
        try await TestBroker.run { broker in
            let (created, token) = try await Self.create(at: broker)
            let began = Timestamp(broker.clock.now)
            _ = try await Self.isValid(token.text, at: broker)
            broker.clock.advance(seconds: 30)
            _ = try await Self.isValid(token.text, at: broker)
            let first = try #require(try await broker.core.sessions.adminCredentials.all().first)
            broker.clock.advance(seconds: 31)
            _ = try await Self.isValid(token.text, at: broker)
            let second = try #require(try await broker.core.sessions.adminCredentials.all().first)

            #expect(token.text.hasPrefix("bat1_") && token.text.utf8.count == 48)
            #expect(created.lastUsedAt == nil && first.lastUsedAt == began)
            #expect(second.lastUsedAt == began.advanced(by: .seconds(61)))
            #expect(!"\(first)\(token)".contains(token.text))
        }
    }

    @Test(arguments: [("", 1, 60), ("Name", 0, 60), ("Na\u{7}me", 1, 60), ("Name", 1, 0), ("Name", 1, 400_000_000)])
    func `a credential without a name, a scope or a usable lifetime is not created`(
        name: String, scopes: Int, seconds: Int
    ) async throws {
        try await TestBroker.run { broker in
            await #expect(throws: AdminFailure.self) {
                try await broker.core.sessions.adminCredentials.create(
                    named: name, scopes: scopes == 0 ? [] : [.readProviderTokens], lifetime: .seconds(seconds),
                    origin: Origin(.admin, actor: "test"))
            }
            let all = try await broker.core.sessions.adminCredentials.all()
            #expect(all.isEmpty)
        }
    }

    @Test(arguments: [(AdminScope.admin, true), (.readProviderTokens, true), (.readUsers, false)])
    func `a token has the rights of its scopes, and admin implies all of them`(
        scope: AdminScope, mayRead: Bool
    ) async throws {
        try await TestBroker.run { broker in
            let (_, token) = try await broker.core.sessions.adminCredentials.create(
                named: "Calendar", scopes: [scope], lifetime: nil, origin: Origin(.admin, actor: "test"))
            let answer = try await broker.send(
                .POST, "/v1/broker/users/nobody/providers/github.com:token",
                headers: ["Authorization": "Bearer \(token.text)"])

            #expect((answer.status == 403) != mayRead && answer.status != 401, "\(answer.text)")
        }
    }
}

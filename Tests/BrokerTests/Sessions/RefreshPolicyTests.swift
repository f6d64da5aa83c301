import Broker
import BrokerStore
import Foundation
import ProviderKit
import Testing

/// What Firebase's JavaScript SDK does with refresh tokens: it retries an answer it did not get after 30 seconds, and
/// each tab has a token of its own in memory.
@Suite("refresh tokens under both policies")
struct RefreshPolicyTests {
    private static func run(
        _ policy: Policy.RefreshTokens, _ test: (TestBroker, ClientSDK) async throws -> Void
    ) async throws {
        try await TestBroker.run {
            $0.policy = policy == .stable ? .firebase : .strict
        } _: { broker in
            try await test(broker, ClientSDK(broker: broker))
        }
    }

    private static func signIn(_ sdk: ClientSDK) async throws -> String {
        try await sdk.user(sdk.signInWithIdp("ada")).credential.string("refreshToken")
    }

    @Test(arguments: Policy.RefreshTokens.allCases)
    func `a lost answer is made up for by the retry after 31 seconds`(_ policy: Policy.RefreshTokens) async throws {
        try await Self.run(policy) { broker, sdk in
            let token = try await Self.signIn(sdk)
            broker.clock.advance(seconds: 3300)
            let lost = try await sdk.refresh(token)
            broker.clock.advance(seconds: 31)

            let retried = try await sdk.refresh(token)

            #expect(lost.status == 200 && retried.status == 200)
            #expect(retried["refresh_token"] == lost["refresh_token"])
            broker.clock.advance(seconds: 3300)
            #expect(try await sdk.refresh(retried.string("refresh_token")).status == 200)
        }
    }

    @Test(arguments: Policy.RefreshTokens.allCases)
    func `a tab that was frozen for hours goes on only where the token is stable`(
        _ policy: Policy.RefreshTokens
    ) async throws {
        try await Self.run(policy) { broker, sdk in
            let frozen = try await Self.signIn(sdk)
            var live = frozen
            for _ in 1...3 {
                broker.clock.advance(seconds: 3300)
                live = try await sdk.refresh(live).string("refresh_token")
            }

            let woken = try await sdk.refresh(frozen)
            let other = try await sdk.refresh(live)

            switch policy {
            case .stable: #expect(woken.status == 200 && other.status == 200 && live == frozen)
            case .rotating: #expect(woken.code == "TOKEN_EXPIRED" && other.code == "TOKEN_EXPIRED")
            }
        }
    }

    @Test(arguments: Policy.RefreshTokens.allCases)
    func `two live tabs refresh side by side for days`(_ policy: Policy.RefreshTokens) async throws {
        try await Self.run(policy) { broker, sdk in
            let token = try await Self.signIn(sdk)
            var tabs = [token, token]
            for _ in 1...50 {
                broker.clock.advance(seconds: 3300)
                for index in tabs.indices {
                    let answer = try await sdk.refresh(tabs[index])
                    try #require(answer.status == 200, "\(answer.text)")
                    tabs[index] = try answer.string("refresh_token")
                    broker.clock.advance(seconds: 20)
                }
                #expect(tabs[0] == tabs[1])
            }
            #expect((tabs[0] == token) == (policy == .stable))
        }
    }

    @Test func `a stable token has no age, and its use is recorded once an hour`() async throws {
        try await Self.run(.stable) { broker, sdk in
            let token = try await Self.signIn(sdk)
            broker.clock.advance(seconds: 400 * 86_400)
            let used = Timestamp(broker.clock.now)

            #expect(try await sdk.refresh(token)["refresh_token"]?.string == token)
            broker.clock.advance(seconds: 3599)
            #expect(try await sdk.refresh(token)["refresh_token"]?.string == token)

            let sessions = try await Self.sessions(broker)
            #expect(sessions.map(\.session.lastUsedAt) == [used])
            #expect(sessions.map(\.session.generation) == [0] && sessions.map(\.state) == [.live])
            broker.clock.advance(seconds: 1)
            _ = try await sdk.refresh(token)
            #expect(try await Self.sessions(broker).first?.session.lastUsedAt == Timestamp(broker.clock.now))
        }
    }

    @Test func `a stable token ends with its session, its user's epoch and its user`() async throws {
        try await Self.run(.stable) { broker, sdk in
            let admin = Origin(.admin, actor: "root")
            let (first, second) = (try await Self.signIn(sdk), try await Self.signIn(sdk))
            let user = try await Self.user(broker)
            let sessions = try await broker.core.sessions.listSessions(of: user).sessions
            let oldest = try #require(sessions.last?.session.id)

            _ = try await broker.core.sessions.revokeSession(oldest, origin: admin)
            #expect(try await sdk.refresh(first).code == "TOKEN_EXPIRED")
            #expect(try await sdk.refresh(second).status == 200)
            _ = try await broker.core.accounts.disableUser(localID: user.localID, origin: admin)
            #expect(try await sdk.refresh(second).code == "USER_DISABLED")
            _ = try await broker.core.accounts.disableUser(false, localID: user.localID, origin: admin)
            _ = try await broker.core.sessions.revokeSessions(of: user.localID, origin: admin)
            #expect(try await sdk.refresh(second).code == "TOKEN_EXPIRED")
        }
    }

    @Test func `after a switch to stable the current token is accepted, and an older one ends nothing`() async throws {
        try await TestBroker.run { broker in
            let first = try await broker.signUp().string("refreshToken")
            let second = try await broker.refresh(first).string("refresh_token")

            try await broker.withSecondBroker {
                $0.policy = .firebase
            } _: { switched in
                for _ in 1...2 {
                    let (older, current) = (try await switched.refresh(first), try await switched.refresh(second))
                    #expect(older.code == "TOKEN_EXPIRED" && current["refresh_token"]?.string == second)
                }
            }
            // And back.
            #expect(try await broker.refresh(second).string("refresh_token") != second)
        }
    }

    private static func user(_ broker: TestBroker) async throws -> User {
        try #require(try await broker.core.store.read { try $0.user(holdingEmail: "ada@example.com") })
    }

    private static func sessions(
        _ broker: TestBroker
    ) async throws -> [(session: Session, state: SessionState)] {
        try await broker.core.sessions.listSessions(of: try await user(broker)).sessions
    }
}

import BrokerClient
import Foundation
import StrictJSON
import Synchronization
import Testing

@Suite("The start and the end of a session", .timeLimit(.minutes(20)))
struct SessionLifeTests {
    @Test func `without a stored session there is none`() async throws {
        try await StandInBroker.run { broker in
            let app = try TestApp(broker)

            #expect(try await app.auth.restore() == nil)
            #expect(await app.auth.session == nil && broker.calls.isEmpty)
            let token = await failure { () async throws(BrokerAuthError) in try await app.auth.accessToken() }
            #expect(token == .signedOut)
        }
    }

    @Test func `a stored session is restored without a request`() async throws {
        try await StandInBroker.run { broker in
            let first = try await TestApp.signedIn(broker)
            let calls = broker.calls.count
            let app = try TestApp(broker, storage: first.storage)

            #expect(try await app.auth.restore()?.userID == "user-1")
            #expect(broker.calls.count == calls)
        }
    }

    @Test func `a refresh token without a user is refreshed silently`() async throws {
        try await StandInBroker.run { broker in
            let app = try TestApp(broker)
            let key = StorageKey.session(of: app.auth.configuration)
            let item =
                #"{"refreshToken":"refresh-0","isEmailVerified":false,"scopes":[],"isAnonymous":false,"#
                + #""toAbsorb":[],"hasAnonymousData":false}"#
            app.storage.put(StoredItem(key: key, content: Data(item.utf8)))
            broker.answer { call in call.path == "/oauth/token" ? .init(status: 503, body: "") : nil }

            let offline = await failure { () async throws(BrokerAuthError) in try await app.auth.restore() }
            #expect(offline == .network(NetworkFailure(.unavailable(status: 503))))
            #expect(app.storage.items.count == 1, "the token is kept")
            broker.answer { _ in nil }
            app.clock.advance(by: 2)

            #expect(try await app.auth.restore()?.userID == "user-1")
            #expect(broker.refreshes.map { $0.form["refresh_token"] } == ["refresh-0", "refresh-0"])

            app.storage.put(StoredItem(key: key, content: Data(item.utf8)))
            broker.answer { call in call.path == "/oauth/token" ? .refusal("invalid_grant") : nil }
            let later = try TestApp(broker, storage: app.storage)
            #expect(try await later.auth.restore() == nil && app.storage.items.isEmpty)
        }
    }

    @Test func `signing out removes the session and revokes it`() async throws {
        try await StandInBroker.run { broker in
            let app = try await TestApp.signedIn(broker)
            var events = app.auth.events.makeAsyncIterator()

            try await app.auth.signOut()
            try await app.auth.signOut()

            #expect(await app.auth.session == nil && app.storage.items.isEmpty)
            #expect(broker.calls(of: "/oauth/revoke").map { $0.form["token"] } == ["refresh-1"])
            #expect(await events.next() == .signedOut(.requested))
        }
    }

    @Test func `a broker that cannot be reached does not prevent a sign-out, and the failure is reported`() async throws
    {
        try await StandInBroker.run { broker in
            let app = try await TestApp.signedIn(broker)
            broker.answer { call in call.path == "/oauth/revoke" ? .init(status: 503, body: "") : nil }

            let thrown = await failure { () async throws(BrokerAuthError) in try await app.auth.signOut() }

            #expect(thrown == .network(NetworkFailure(.unavailable(status: 503))))
            #expect(await app.auth.session == nil && app.storage.items.isEmpty)
        }
    }

    @Test func `a storage that cannot remove the session is reported, and the session is revoked`() async throws {
        try await StandInBroker.run { broker in
            let app = try await TestApp.signedIn(broker)
            app.storage.fail(.remove, with: .storageFailed("read-only"))

            let thrown = await failure { () async throws(BrokerAuthError) in try await app.auth.signOut() }

            #expect(thrown == .storageFailed("read-only"))
            #expect(broker.calls(of: "/oauth/revoke").count == 1)
            #expect(await app.auth.session == nil && app.storage.items.count == 1)
            let token = await failure { () async throws(BrokerAuthError) in try await app.auth.accessToken() }
            #expect(token == .signedOut)

            app.storage.fail(.remove, with: nil)
            let restored = try await app.auth.restore()

            #expect(restored == nil && app.storage.items.isEmpty)
        }
    }

    @Test func `a sign-in that cannot be stored leaves the former session as it is`() async throws {
        try await StandInBroker.run { broker in
            let app = try await TestApp.signedIn(broker)
            broker.answer { call in call.path == "/oauth/token" ? .json(try broker.tokens(of: "user-2")) : nil }
            app.storage.fail(.save, with: .storageFailed("full"))

            let thrown = await failure { () async throws(BrokerAuthError) in
                try await app.auth.signIn(with: .idToken("t", of: .apple, nonce: SignInNonce()))
            }
            app.storage.fail(.save, with: nil)

            #expect(thrown == .storageFailed("full"))
            #expect(await app.auth.session?.userID == "user-1")
            #expect(try await app.auth.accessToken() == "access-1")
            #expect(broker.calls(of: "/oauth/revoke").map { $0.form["token"] } == ["refresh-2"])
        }
    }

    @Test func `a link is not stored into the session of another user who signed in meanwhile`() async throws {
        try await StandInBroker.run { broker in
            let app = try await TestApp.signedIn(broker)
            broker.answer { call in call.path == "/oauth/token" ? .json(try broker.tokens(of: "user-2")) : nil }
            let other = try TestApp(broker, storage: MemoryStorage())
            _ = try await other.auth.signIn(with: .idToken("t", of: .apple, nonce: SignInNonce()))
            let item = try #require(other.storage.items.first)
            broker.answer { call in
                guard call.path == "/oauth/token" else { return nil }
                // Another process with the same storage, while the link is under way.
                app.storage.put(item)
                return .json(try broker.tokens(of: "user-1"))
            }

            let thrown = await failure { () async throws(BrokerAuthError) in
                try await app.auth.link(.idToken("t", of: .gitLab, nonce: SignInNonce()))
            }

            #expect(thrown == .userMismatch)
            #expect(app.storage.items == [item])
        }
    }

    /// Signs out in the middle of the work that a sign-in waits for.
    private final class SigningOut: AccountDataHandler {
        let auth = Mutex<BrokerAuth?>(nil)

        func migrate(from oldUserID: String, to userID: String) async throws {}
        func absorb(_ subjects: [String], into userID: String) async throws {
            try await auth.withLock { $0 }?.signOut()
        }
        func uploadAnonymousData(of userID: String) async throws {}
    }

    @Test func `a sign-in whose session ends while the app's data is moved is no sign-in`() async throws {
        try await StandInBroker.run { broker in
            let handler = SigningOut()
            let app = try TestApp(broker, accountData: handler)
            handler.auth.withLock { $0 = app.auth }
            var events = app.auth.events.makeAsyncIterator()
            broker.answer { call in
                guard call.path == "/oauth/token" else { return nil }
                var tokens = try broker.tokens()
                tokens["broker"] = ["mergedFrom": ["other"]]
                return .json(tokens)
            }

            let thrown = await failure { () async throws(BrokerAuthError) in
                try await app.auth.signIn(with: .idToken("t", of: .apple, nonce: SignInNonce()))
            }

            #expect(thrown == .signedOut)
            #expect(await events.next() == .signedOut(.requested))
            #expect(await app.auth.session == nil)
        }
    }

    @Test func `a refresh that is under way does not bring a session back`() async throws {
        try await StandInBroker.run { broker in
            let app = try await TestApp.signedIn(broker)
            let (arrivals, arrived) = AsyncStream<Void>.makeStream()
            let (gate, opened) = AsyncStream<Void>.makeStream()
            broker.answer { call in
                guard call.path == "/oauth/token" else { return nil }
                arrived.yield()
                for await _ in gate { break }
                return nil
            }
            let refresh = Task { () async -> BrokerAuthError? in
                await failure { () async throws(BrokerAuthError) in
                    try await app.auth.accessToken(forcingRefresh: true)
                }
            }
            for await _ in arrivals { break }

            try await app.auth.signOut()
            opened.finish()

            #expect(await refresh.value == .signedOut)
            #expect(await app.auth.session == nil && app.storage.items.isEmpty)
        }
    }

    @Test func `signing out everywhere needs the broker`() async throws {
        try await StandInBroker.run { broker in
            let app = try await TestApp.signedIn(broker)
            broker.answer { call in call.path.hasSuffix("signOutAll") ? .init(status: 503, body: "") : nil }
            let thrown = await failure { () async throws(BrokerAuthError) in try await app.auth.signOutEverywhere() }
            #expect(thrown == .network(NetworkFailure(.unavailable(status: 503))))
            #expect(await app.auth.session != nil)

            broker.answer { call in call.path == "/v1/broker/me/sessions:signOutAll" ? .json([:]) : nil }
            try await app.auth.signOutEverywhere()

            #expect(await app.auth.session == nil && app.storage.items.isEmpty)
        }
    }

    @Test func `nothing of the session's tokens is in a description`() async throws {
        try await StandInBroker.run { broker in
            let app = try await TestApp.signedIn(broker)
            let token = ProviderToken.sample
            var text = "\(app.auth) \(try #require(await app.auth.session)) \(token)"
            dump(app.auth, to: &text)
            dump(token, to: &text)

            for secret in ["access-1", "refresh-1", "provider-secret", "eyJ"] {
                #expect(!text.contains(secret), "\(secret)")
            }
        }
    }
}

extension ProviderToken {
    fileprivate static var sample: ProviderToken {
        ProviderToken(provider: .gitHub, accessToken: "provider-secret", scopes: ["repo"], expiresAt: nil)
    }
}

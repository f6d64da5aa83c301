import BrokerClient
import Foundation
import StrictJSON
import Synchronization
import Testing

@Suite("The refresh of tokens", .timeLimit(.minutes(20)))
struct RefreshTests {
    @Test func `a clock that was set back does not prolong the pause after a failure`() async throws {
        try await StandInBroker.run { broker in
            let app = try await TestApp.signedIn(broker)
            app.clock.advance(by: 40_000)
            broker.answer { call in call.path == "/oauth/token" ? .init(status: 503, body: "") : nil }
            _ = await failure { () async throws(BrokerAuthError) in try await app.auth.accessToken() }
            app.clock.advance(by: -30_000)
            broker.answer { call in
                call.path == "/oauth/token" ? .json(try broker.tokens(at: app.clock.now)) : nil
            }

            #expect(try await app.auth.accessToken().hasPrefix("access-"))
            #expect(broker.refreshes.count == 2)
        }
    }

    @Test func `fifty tasks that need a token at expiry cause one refresh`() async throws {
        try await StandInBroker.run { broker in
            let app = try await TestApp.signedIn(broker)
            app.clock.advance(by: 3600)
            broker.answer { call in
                call.path == "/oauth/token" ? .json(try broker.tokens(at: app.clock.now)) : nil
            }

            let tokens = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<50 { group.addTask { try await app.auth.accessToken() } }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }

            #expect(tokens.count == 1)
            #expect(broker.refreshes.map { $0.form["refresh_token"] } == ["refresh-1"])
            #expect(app.storage.text.contains("refresh-2"))
        }
    }

    @Test func `a token is refreshed a minute before it expires, not earlier`() async throws {
        try await StandInBroker.run { broker in
            let app = try await TestApp.signedIn(broker)
            broker.answer { call in
                call.path == "/oauth/token" ? .json(try broker.tokens(at: app.clock.now)) : nil
            }

            app.clock.advance(by: 3500)
            let early = try await app.auth.accessToken()
            app.clock.advance(by: 45)
            let late = try await app.auth.accessToken()

            #expect(early == "access-1" && late == "access-2")
        }
    }

    @Test func `no new access token is given out before its refresh token is stored`() async throws {
        try await StandInBroker.run { broker in
            let app = try await TestApp.signedIn(broker)
            app.storage.fail(.save, with: .storageFailed("disk full"))

            let first = await failure { () async throws(BrokerAuthError) in
                try await app.auth.accessToken(forcingRefresh: true)
            }
            let second = await failure { () async throws(BrokerAuthError) in try await app.auth.accessToken() }
            app.storage.fail(.save, with: nil)
            let token = try await app.auth.accessToken()

            #expect(first == .storageFailed("disk full") && second == first)
            #expect(token == "access-2" && broker.refreshes.count == 1, "the answer is not lost")
            #expect(app.storage.text.contains("refresh-2"))
        }
    }

    @Test func `while the broker is away a valid token is returned, and no session ends`() async throws {
        try await StandInBroker.run { broker in
            let app = try await TestApp.signedIn(broker)
            broker.answer { call in
                call.path == "/oauth/token" ? .init(status: 503, headers: ["Retry-After": "30"], body: "busy") : nil
            }

            app.clock.advance(by: 3570)
            let offline = try await app.auth.accessToken()
            let again = try await app.auth.accessToken()
            app.clock.advance(by: 31)
            let expired = await failure { () async throws(BrokerAuthError) in try await app.auth.accessToken() }

            #expect(offline == "access-1" && again == "access-1")
            #expect(broker.refreshes.count == 2, "not before Retry-After")
            #expect(
                expired == .network(NetworkFailure(.unavailable(status: 503), retryAfter: .seconds(30))))
            #expect(await app.auth.session != nil && app.storage.items.count == 1)
        }
    }

    @Test func `a failed refresh is repeated when its pause has passed or the app insists`() async throws {
        try await StandInBroker.run { broker in
            let app = try await TestApp.signedIn(broker)
            broker.answer { call in call.path == "/oauth/token" ? .init(status: 500, body: "") : nil }
            app.clock.advance(by: 4000)

            for _ in 0..<3 { _ = await failure { () async throws(BrokerAuthError) in try await app.auth.idToken() } }
            let atFirst = broker.refreshes.count
            app.clock.advance(by: 1)
            _ = await failure { () async throws(BrokerAuthError) in try await app.auth.idToken() }
            let afterAPause = broker.refreshes.count
            _ = await failure { () async throws(BrokerAuthError) in try await app.auth.idToken(forcingRefresh: true) }

            #expect(atFirst == 1 && afterAPause == 2 && broker.refreshes.count == 3)
        }
    }

    @Test func `what the broker refuses signs out`() async throws {
        try await StandInBroker.run { broker in
            let app = try await TestApp.signedIn(broker)
            var events = app.auth.events.makeAsyncIterator()
            broker.answer { call in call.path == "/oauth/token" ? .refusal("invalid_grant") : nil }
            app.clock.advance(by: 4000)

            let refused = await failure { () async throws(BrokerAuthError) in try await app.auth.accessToken() }

            #expect(refused == .signedOut)
            #expect(await app.auth.session == nil && app.storage.items.isEmpty)
            #expect(await events.next() == .signedOut(.endedByBroker))
        }
    }

    @Test(arguments: [nil, ["third"]] as [[String]?])
    func `tokens of another user than the session's end it, unless the broker merged the two`(
        mergedFrom: [String]?
    ) async throws {
        try await StandInBroker.run { broker in
            let app = try await TestApp.signedIn(broker)
            var events = app.auth.events.makeAsyncIterator()
            broker.answer { call in
                guard call.path == "/oauth/token" else { return nil }
                var tokens = try broker.tokens(of: "user-2", at: app.clock.now)
                if let mergedFrom { tokens["broker"] = ["mergedFrom": .array(mergedFrom.map(JSONValue.string))] }
                return .json(tokens)
            }

            let refused = await failure { () async throws(BrokerAuthError) in
                try await app.auth.accessToken(forcingRefresh: true)
            }

            #expect(refused == .signedOut)
            #expect(await app.auth.session == nil && app.storage.items.isEmpty)
            #expect(broker.calls(of: "/oauth/revoke").map { $0.form["token"] } == ["refresh-2"])
            #expect(await events.next() == .signedOut(.endedByBroker))
        }
    }

    @Test(arguments: ["invalid_client", "unauthorized_client", "invalid_request"])
    func `a refusal of the client ends no session`(code: String) async throws {
        try await StandInBroker.run { broker in
            let app = try await TestApp.signedIn(broker)
            broker.answer { call in call.path == "/oauth/token" ? .refusal(code, "no") : nil }

            let refused = await failure { () async throws(BrokerAuthError) in
                try await app.auth.accessToken(forcingRefresh: true)
            }

            #expect(refused == .server(code: code, message: "no"))
            #expect(app.storage.items.count == 1)
        }
    }

    @Test func `a refresh token that another process has rotated meanwhile is read again`() async throws {
        try await StandInBroker.run { broker in
            let app = try await TestApp.signedIn(broker)
            let other = try TestApp(broker, clock: app.clock, storage: app.storage)
            app.clock.advance(by: 4000)
            broker.answer { call in
                guard call.path == "/oauth/token" else { return nil }
                guard call.form["refresh_token"] == "refresh-1" else {
                    return .json(try broker.tokens(at: app.clock.now))
                }
                // The storage of another process changes while the request is on its way.
                let item = try #require(app.storage.items.first)
                let text = String(decoding: item.content, as: UTF8.self).replacing("refresh-1", with: "refresh-other")
                app.storage.put(StoredItem(key: item.key, content: Data(text.utf8)))
                return .refusal("invalid_grant")
            }

            let token = try await app.auth.accessToken()

            #expect(token == "access-2")
            #expect(broker.refreshes.map { $0.form["refresh_token"] } == ["refresh-1", "refresh-other"])
            #expect(try await other.auth.accessToken() == token)
        }
    }

    @Test func `a locked storage neither signs out nor is written`() async throws {
        try await StandInBroker.run { broker in
            let storage = MemoryStorage()
            let first = try await TestApp.signedIn(broker, storage: storage)
            let app = try TestApp(broker, clock: first.clock, storage: storage)
            storage.fail(.load, with: .storageLocked)
            let writes = storage.log.filter { $0 != .load }.count

            let restored = await failure { () async throws(BrokerAuthError) in try await app.auth.restore() }
            let token = await failure { () async throws(BrokerAuthError) in try await app.auth.accessToken() }
            storage.fail(.load, with: nil)

            #expect(restored == .storageLocked && token == .storageLocked)
            #expect(storage.log.filter { $0 != .load }.count == writes)
            #expect(try await app.auth.accessToken() == "access-1")
        }
    }

    @Test func `a cancelled caller does not cancel the refresh that others wait for`() async throws {
        try await StandInBroker.run { broker in
            let app = try await TestApp.signedIn(broker)
            let (arrivals, arrived) = AsyncStream<Void>.makeStream()
            let (releases, release) = AsyncStream<Void>.makeStream()
            broker.answer { call in
                guard call.path == "/oauth/token" else { return nil }
                arrived.yield()
                for await _ in releases { break }
                return nil
            }

            let cancelled = Task { try await app.auth.accessToken(forcingRefresh: true) }
            for await _ in arrivals { break }
            let waiting = Task { try await app.auth.accessToken(forcingRefresh: true) }
            cancelled.cancel()
            release.yield()

            #expect(try await waiting.value == "access-2")
            #expect(broker.refreshes.count == 1)
        }
    }
}

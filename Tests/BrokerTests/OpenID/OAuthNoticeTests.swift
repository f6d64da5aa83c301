import Broker
import BrokerStore
import Foundation
import NIOHTTP1
import ProviderKit
import ProviderSimulators
import Testing

@Suite("What OAuth clients are told about merges and promotions")
struct OAuthNoticeTests {
    private static func announce(_ gone: String, to user: User, _ broker: TestBroker) async throws {
        let now = Timestamp(broker.clock.now)
        try await broker.core.store.write(at: now) { transaction in
            #expect(try transaction.addUserAlias(gone, of: user.key, at: now))
            for (kind, value) in [(AccountNotice.Kind.mergedFrom, gone as String?), (.promoted, nil)] {
                try transaction.insert(
                    AccountNotice(
                        key: transaction.nextKey(), userKey: user.key, kind: kind, value: value, createdAt: now))
            }
        }
    }

    private static let notice: JSONValue = ["mergedFrom": ["gone"], "promoted": true]
    /// Each answer has the users who were merged.
    private static let aliases: JSONValue = ["mergedFrom": ["gone"]]

    @Test func `the exchange of a code says it, and later answers name the merged users only`() async throws {
        try await TestBroker.run { broker in
            let app = try await OAuthApp(at: broker)
            let user = try await broker.signedInUser()
            try await Self.announce("gone", to: user, broker)

            let first = try await app.signIn(user)
            let next = try await app.refresh(first.string("refresh_token"))

            #expect(first["broker"] == Self.notice, "\(first.text)")
            #expect(next.status == 200 && next["broker"] == Self.aliases)
        }
    }

    @Test func `a refresh says it, and its repetition after a lost answer`() async throws {
        try await TestBroker.run { broker in
            let app = try await OAuthApp(at: broker)
            let user = try await broker.signedInUser()
            let tokens = try await app.signIn(user)
            try await Self.announce("gone", to: user, broker)

            let first = try await app.refresh(tokens.string("refresh_token"))
            broker.clock.advance(seconds: 30)
            let repeated = try await app.refresh(tokens.string("refresh_token"))
            let next = try await app.refresh(first.string("refresh_token"))

            #expect(first["broker"] == Self.notice && repeated["broker"] == Self.notice, "\(first.text)")
            #expect(next.status == 200 && next["broker"] == Self.aliases)
        }
    }

    @Test func `a device's code and a token exchange say it`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let person = try providers.person(at: "github.com", email: "ann@example.com")
            let localID = try await broker.signIn(person).string("localId")
            let user = try #require(try await broker.user(localID)?.user)
            let device = try await TestDevice(at: broker)
            _ = try await device.approve(in: TestBrowser(broker), as: person.account)
            try await Self.announce("gone", to: user, broker)
            let polled = try await device.poll()

            let native = try await NativeApp(at: broker)
            let apple = try providers.person(at: "apple.com", email: "ann@icloud.example")
            let first = try await native.signIn(apple)
            let sub = try #require(try first.claims()["sub"]?.string)
            try await Self.announce("other", to: try #require(try await broker.user(sub)?.user), broker)
            let exchanged = try await native.signIn(apple)

            #expect(polled["broker"] == Self.notice, "\(polled.text)")
            #expect(first["broker"] == nil, "\(first.text)")
            #expect(exchanged["broker"] == ["mergedFrom": ["other"], "promoted": true], "\(exchanged.text)")
        }
    }

    @Test func `a session that returns long after the merge learns of it, and so does the account`() async throws {
        try await TestBroker.run { broker in
            let app = try await OAuthApp(at: broker)
            let user = try await broker.signedInUser()
            try await Self.announce("gone", to: user, broker)
            broker.clock.advance(seconds: 365 * 86_400)
            _ = try await broker.core.store.write {
                try $0.removeNotices(createdBy: Timestamp(broker.clock.now), limit: 10)
            }

            let answer = try await app.signIn(user, scope: "openid account offline_access")
            let own = try await broker.send(
                .GET, "/v1/broker/me", headers: ["Authorization": "Bearer \(try answer.string("access_token"))"])

            #expect(answer["broker"] == Self.aliases, "\(answer.text)")
            #expect(own["broker"]?["mergedFrom"] == Self.aliases["mergedFrom"], "\(own.text)")
        }
    }

    @Test func `a client of the user who stays learns of the merge`() async throws {
        try await TestBroker.runWithMerges(autoMerge: true) { broker in
            let app = try await OAuthApp(at: broker)
            let stays = try #require(
                try await broker.user(try await broker.signIn(.init("9")).string("localId"))?.user)
            let tokens = try await app.signIn(stays)
            let gone = try await broker.signIn(.init("7")).string("localId")
            let id = try await broker.core.accounts.verify(
                Credential(
                    .accessToken(
                        try MergingAccount("9", survivor: "9", absorbed: ["7"], proven: ["7"]).accessToken())),
                from: MergingProvider.id)
            _ = try await broker.core.accounts.user(of: id, origin: Origin(.admin))

            let refreshed = try await app.refresh(tokens.string("refresh_token"))

            #expect(refreshed["broker"] == ["mergedFrom": [.string(gone)]], "\(refreshed.text)")
        }
    }
}

import Broker
import BrokerStore
import Foundation
import ProviderKit
import ProviderSimulators
import Testing

@Suite("The history of an account and its providers, by the API")
struct OwnHistoryTests {
    private static func entries(_ answer: Answer) -> [JSONValue] { answer["entries"]?.array ?? [] }

    private static func events(_ answer: Answer) -> [String] { entries(answer).compactMap { $0["event"]?.string } }

    @Test func `lists sign-ins and changes, newest first`() async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)
            let session = try await native.signIn(providers.person(at: "apple.com", email: "ann@example.com"))
            _ = try await native.post(":update", session, ["displayName": "Ann"])

            let history = try await native.get("/history", session)

            #expect(history.status == 200 && history["kind"] == "broker#History", "\(history.text)")
            #expect(Self.events(history) == ["user.updated", "session.started", "user.created"], "\(history.text)")
            let changed = try #require(Self.entries(history).first)
            #expect(changed["actor"] == "user" && changed["fields"] == ["displayName"])
            let started = Self.entries(history)[1]
            #expect(started["clientId"]?.string == native.app.client.id && started["providerId"] == "apple.com")
            #expect(history["nextPageToken"] == nil)
        }
    }

    @Test func `says what administrators changed, without their names and reasons`() async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)
            let session = try await native.signIn(providers.person(at: "apple.com", email: "ann@example.com"))
            let localID = try #require(try session.claims()["sub"]?.string)
            var changes = AccountChanges()
            changes.displayName = .set("Renamed")
            _ = try await broker.core.accounts.updateAccount(
                localID: localID, changes, AdministratorChanges(),
                origin: Origin(.admin, actor: "root@host.example", reason: "complaint 4711"))

            let history = try await native.get("/history?actor=administrator", session)

            let entry = try #require(Self.entries(history).first)
            #expect(Self.entries(history).count == 1 && entry["actor"] == "administrator", "\(history.text)")
            #expect(entry["event"] == "user.updated" && entry["fields"] == ["displayName"])
            #expect(!history.text.contains("root@host") && !history.text.contains("4711"))
            #expect(try await native.get("/history?actor=root", session).status == 400)
        }
    }

    @Test func `tells of another user's attempt neither the network nor the request`() async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)
            let session = try await native.signIn(providers.person(at: "apple.com", email: "ann@example.com"))
            let localID = try #require(try session.claims()["sub"]?.string)
            let attempt = Origin(
                .user, actor: "another-user", requestID: "another-request",
                device: ClientDevice(address: "203.0.113.7"))
            try await broker.core.store.write(at: Timestamp(broker.clock.now)) { transaction in
                try transaction.audit(
                    "sign-in.need-confirmation", of: localID, provider: "github.com", detail: AuditDetail(),
                    by: attempt)
            }

            let history = try await native.get("/history", session)

            let entry = try #require(Self.entries(history).first)
            #expect(entry["event"] == "sign-in.need-confirmation" && entry["actor"] == "app", "\(history.text)")
            #expect(!history.text.contains("another-") && !history.text.contains("203.0.113"))
        }
    }

    @Test func `goes on page by page, and says nothing after a foreign cursor`() async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)
            let session = try await native.signIn(providers.person(at: "apple.com", email: "ann@example.com"))
            for name in ["A", "B", "C"] {
                _ = try await native.post(":update", session, ["displayName": .string(name)])
            }
            let whole = Self.entries(try await native.get("/history", session))

            var found: [JSONValue] = []
            var token: String?
            repeat {
                let page = try await native.get(
                    "/history?pageSize=2" + (token.map { "&pageToken=\($0)" } ?? ""), session)
                #expect(Self.entries(page).count <= 2)
                found += Self.entries(page)
                token = page["nextPageToken"]?.string
            } while token != nil

            #expect(found == whole && whole.count == 5)
            #expect(try await Self.entries(native.get("/history?pageToken=session-1", session)).isEmpty)
            #expect(try await native.get("/history?pageSize=0", session).status == 400)
        }
    }

    @Test func `has that of a merged account, and refusals without their request`() async throws {
        try await TwoAccounts.run { two, _ in
            #expect(try await two.merge().status == 200)
            let admin = Origin(.admin, actor: "root")
            _ = try await two.broker.core.accounts.disableUser(localID: two.ownID, origin: admin)
            _ = try await two.native.exchange(two.onePass.credential())
            _ = try await two.broker.core.accounts.disableUser(false, localID: two.ownID, origin: admin)
            let session = try await two.native.signIn(two.apple)

            let history = try await two.native.get("/history", session)

            let events = Self.events(history)
            #expect(events.filter { $0 == "user.created" }.count == 2, "\(history.text)")
            #expect(events.contains("user.merged") && events.contains("user.absorbed"))
            let refused = try #require(Self.entries(history).first { $0["event"] == "sign-in.refused" })
            #expect(refused["refusal"] == "USER_DISABLED" && refused["providerId"] == "1pass.dev")
            #expect(refused["requestId"] == nil && refused["network"] == nil)
        }
    }

    @Test func `providers come with their last use, their scopes, and what a deletion does there`() async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)
            let person = providers.apple.people()[0]
            let session = try await native.exchange(providers.nativeCredential(of: person))
            broker.clock.advance(seconds: 60)
            _ = try await native.exchange(providers.idTokenCredential(at: "1pass.dev", forging: nil), actor: session)

            let answer = try await native.get("/providers", session)

            #expect(answer.status == 200 && answer["kind"] == "broker#Providers", "\(answer.text)")
            let entries = try #require(answer["providers"]?.array)
            #expect(entries.map { $0["providerId"] } == ["apple.com", "1pass.dev"])
            #expect(entries[0]["withdrawal"] == "queued" && entries[0]["scopes"] != nil)
            #expect(entries[1]["withdrawal"] == "nothingStored" && entries[1]["scopes"] == nil, "\(answer.text)")
            let times = entries.compactMap { $0["lastSignInAt"]?.string }
            #expect(times.count == 2 && times[0] < times[1])
        }
    }
}

import BrokerStore
import PostgreSQLTesting
import Testing

@Suite("Deliveries of events")
struct EventDeliveryTests {
    private static let soon = Timestamp.seconds(afterNoon: 1)

    private static func webhook(_ events: String...) -> Webhook {
        Webhook(
            key: newKey(), id: "wh_" + randomText(10), url: "https://backend.example/", events: events,
            sealedSecret: randomBytes(48), createdAt: .noon)
    }

    private static func claim(_ holder: String) -> QueueClaim {
        QueueClaim(holder: holder, until: .seconds(afterNoon: 30))
    }

    @Test(arguments: TestEngine.allCases)
    func `an event is a row for each subscriber, and none without one`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let (some, every, other) = (
                Self.webhook("user.created", "user.deleted"), Self.webhook("*"), Self.webhook("user.deleted")
            )
            try await store.write(at: .noon) { try $0.publish(.created, of: "early") }
            try await store.write { tx in for webhook in [some, every, other] { try tx.insert(webhook) } }
            try await store.write(at: .noon) { try $0.publish(.created, of: "cached") }
            store.forgetEventSubscriptions()
            try await store.write(at: .noon) { tx in
                try tx.publish(.created, of: "ada", ["provider": "github.com"])
                try tx.publish(.linked, of: "ada")
                try tx.publish(.created, of: "ben")
            }

            let found = try await store.read { try $0.rows(QueueSelection<EventDelivery>(), limit: 100) }
            #expect(Set(found.map(\.target)) == [.webhook(some.id), .webhook(every.id)])
            #expect(found.filter { $0.localID == "ada" }.map(\.sequence).sorted() == [1, 1, 2])
            #expect(found.filter { $0.localID == "ben" }.map(\.sequence) == [1, 1])
            #expect(Set(found.map(\.eventID)).count == 3)
            #expect(found.first?.data == #"{"provider":"github.com"}"#)
            #expect(!found.contains { $0.localID == "early" || $0.localID == "cached" })
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a user's events are claimed one after the other, others meanwhile`(on engine: TestEngine) async throws {
        try await withTwoStores(engine) { store, second in
            let webhook = Self.webhook("*")
            try await store.write { try $0.insert(webhook) }
            store.forgetEventSubscriptions()
            try await store.write(at: .noon) { tx in
                for _ in 0..<3 { try tx.publish(.signedIn, of: "ada") }
                try tx.publish(.signedIn, of: "ben")
            }
            let target = EventTarget.webhook(webhook.id)
            func claim(_ store: Store, _ holder: String) async throws -> [EventDelivery] {
                try await store.claim(EventDelivery.self, by: Self.claim(holder), of: target, limit: 10, at: Self.soon)
            }

            #expect(try await store.dueRecipients(of: EventDelivery.self, at: Self.soon) == [target])
            let first = try await claim(store, "one")
            let none = try await claim(second, "two")
            let ada = try #require(first.first { $0.localID == "ada" })
            #expect(
                try await store.settle(
                    ada, as: .queued, reason: "down", nextAttempt: .seconds(afterNoon: 60), at: Self.soon))
            let waiting = try await claim(second, "two")
            #expect(try await !store.settle(ada, as: .delivered, reason: nil, nextAttempt: nil, at: Self.soon))
            let late = try await second.claim(
                EventDelivery.self, by: QueueClaim(holder: "two", until: .seconds(afterNoon: 90)), of: target,
                limit: 10,
                at: .seconds(afterNoon: 60))
            let again = try #require(late.first { $0.localID == "ada" })
            #expect(
                try await second.settle(
                    again, as: .delivered, reason: nil, nextAttempt: nil, at: .seconds(afterNoon: 61)))
            let next = try await second.claim(
                EventDelivery.self, by: QueueClaim(holder: "two", until: .seconds(afterNoon: 90)), of: target,
                limit: 10,
                at: .seconds(afterNoon: 62))

            #expect(first.map(\.sequence) == [1, 1] && none.isEmpty && waiting.isEmpty)
            #expect(again.key == ada.key && again.attempts == 2)
            #expect(next.map(\.sequence) == [2] && next.map(\.localID) == ["ada"], "\(next)")
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `brokers that claim at once never share a delivery`(on engine: TestEngine) async throws {
        try await withTwoStores(engine) { store, second in
            let webhook = Self.webhook("*")
            try await store.write { try $0.insert(webhook) }
            store.forgetEventSubscriptions()
            try await store.write(at: .noon) { tx in for n in 0..<40 { try tx.publish(.signedIn, of: "user\(n)") } }

            let claimed = try await withThrowingTaskGroup(of: [EventDelivery].self) { group in
                for number in 0..<8 {
                    group.addTask {
                        try await (number.isMultiple(of: 2) ? store : second).claim(
                            EventDelivery.self, by: Self.claim("holder\(number)"), of: .webhook(webhook.id), limit: 5,
                            at: Self.soon)
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }

            #expect(Set(claimed.map(\.key)).count == claimed.count)
            #expect(claimed.allSatisfy { $0.attempts == 1 })
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `sessions that end are published, with a logout for their client`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            var client = ClientTests.sample(.confidential)
            client.backChannelLogout = .init(uri: "https://shop.example/logout")
            let user = User.sample(email: "ada@example.com")
            var (app, web, ended) = (Session.sample(of: user), Session.sample(of: user), Session.sample(of: user))
            (app.family, app.clientID) = (.oauth, client.id)
            web.family = .web
            (ended.revokedAt, ended.revokedReason) = (.noon, "before")
            let (inserted, sessions, appID) = (client, [app, web, ended], app.id)
            try await store.write { tx in
                try tx.insert(inserted)
                try tx.insert(Self.webhook("session.revoked"))
                _ = try tx.insert(user)
                for session in sessions { try tx.insert(session) }
            }
            store.forgetEventSubscriptions()
            try await store.write(at: .noon) { tx in
                _ = try tx.setDisabled(true, userKey: user.key)
                _ = try tx.revokeSession(id: appID, at: .noon, reason: "sign-out")
                _ = try tx.deleteUser(key: user.key)
            }

            let found = try await store.read { try $0.rows(QueueSelection<EventDelivery>(), limit: 10) }
            let logouts = found.filter { $0.target == .client(inserted.id) }
            #expect(logouts.map(\.type) == ["user.disabled", "session.revoked"])
            #expect(logouts.allSatisfy { $0.data.contains(app.id) && $0.sequence == 0 })
            let events = found.filter { $0.target.kind == .webhook }
            #expect(events.map(\.sequence) == [1, 2] && events.allSatisfy { $0.localID == user.localID })
            #expect(events[0].data.contains(app.id) && events[1].data.contains(web.id))
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `deliveries are listed, replayed, dropped and removed`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let webhook = Self.webhook("*")
            let later = Timestamp.seconds(afterNoon: 120)
            try await store.write { try $0.insert(webhook) }
            store.forgetEventSubscriptions()
            try await store.write(at: .noon) { tx in
                try tx.publish(.deleted, of: "ada")
                try tx.publish(.created, of: "ben")
            }
            let found = try await store.read {
                try $0.rows(QueueSelection<EventDelivery>([.target: webhook.id], state: .queued), limit: 9)
            }
            let dead = try await store.write {
                try $0.end(EventDelivery.self, of: .webhook(webhook.id), as: .dead, reason: "gone", at: Self.soon)
            }
            let replayed = try await store.write {
                try $0.retry(QueueSelection<EventDelivery>([.event: found[0].eventID]), limit: 9, at: later)
            }
            let dropped = try await store.write {
                try $0.drop(QueueSelection<EventDelivery>(state: .dead), reason: "dropped", limit: 9, at: later)
            }
            let removed = try await store.write { tx in
                try [
                    tx.remove(EventDelivery.self, .dropped, endedBy: Self.soon, limit: 9),
                    tx.remove(EventDelivery.self, .dropped, endedBy: later, limit: 9),
                    tx.removeEventSequences(endedBy: Self.soon, limit: 9),
                ]
            }

            #expect(found.map(\.localID) == ["ada", "ben"] && dead == 2)
            #expect(replayed.map(\.state) == [.queued] && replayed[0].nextAttemptAt == later)
            #expect(replayed[0].attempts == 0)
            #expect(dropped.map(\.localID) == ["ben"])
            #expect(removed == [0, 1, 1])
        }
    }
}

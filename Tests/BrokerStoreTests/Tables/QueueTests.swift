import BrokerStore
import PostgreSQLTesting
import Testing

@Suite("Queues")
struct QueueTests {
    private static let soon = Timestamp.seconds(afterNoon: 1)
    private static let later = Timestamp.seconds(afterNoon: 600)

    private static func withdrawal(_ id: String = randomText(12), provider: String = "github.com") -> Withdrawal {
        Withdrawal(
            key: newKey(), id: id, identity: IdentityKey(provider: provider, issuer: provider, subject: id),
            subjectHash: randomText(20), clientID: "client", tokenHint: .accessToken, cause: .delete,
            sealedGrant: randomBytes(40), createdAt: .noon)
    }

    private static func claim(_ holder: String = "one") -> QueueClaim {
        QueueClaim(holder: holder, until: .seconds(afterNoon: 30))
    }

    /// The one due row of a provider, claimed.
    private static func claimed(in store: Store, at now: Timestamp = soon) async throws -> Withdrawal {
        let claim = QueueClaim(holder: "one", until: now.advanced(by: .seconds(30)))
        let rows = try await store.claim(Withdrawal.self, by: claim, of: "github.com", limit: 9, at: now)
        return try #require(rows.first)
    }

    @Test(arguments: TestEngine.allCases)
    func `a parked row is listed, waits for the end of its time, and is due at once when it is retried by hand`(
        on engine: TestEngine
    ) async throws {
        try await withStore(engine) { store in
            let (queued, other) = (Self.withdrawal(), Self.withdrawal(provider: "gitlab.com"))
            try await store.write { tx in for row in [queued, other] { try tx.insert(row) } }
            let row = try await Self.claimed(in: store)
            let isSettled = try await store.write {
                try $0.settle(row, as: .parked, reason: "our fault", nextAttempt: Self.later, at: Self.soon)
            }
            let parked = try await store.read { tx in
                try (
                    tx.rows(QueueSelection<Withdrawal>(state: .parked), limit: 9),
                    tx.rows(QueueSelection<Withdrawal>([.provider: "gitlab.com"], state: .parked), limit: 9),
                    tx.backlog(of: Withdrawal.self).map { "\($0.count) \($0.state)" }
                )
            }
            let due = try await store.dueRecipients(of: Withdrawal.self, at: Self.soon)
            let retried = try await store.write { try $0.retry(QueueSelection(row), limit: 9, at: Self.soon) }
            let again = try await Self.claimed(in: store)

            #expect(isSettled && parked.0.map(\.id) == [queued.id] && parked.1.isEmpty)
            #expect(parked.0.first?.reason == "our fault" && parked.0.first?.nextAttemptAt == Self.later)
            #expect(parked.0.first?.sealedGrant == queued.sealedGrant && parked.0.first?.claim == nil)
            #expect(parked.2 == ["1 parked", "1 queued"] && due == ["gitlab.com"])
            #expect(retried.map(\.id) == [queued.id] && retried.first?.queuedAt == Self.soon)
            #expect(again.id == queued.id && again.state == .queued && again.attempts == 2)
            _ = try await store.settle(again, as: .parked, reason: nil, nextAttempt: Self.later, at: Self.soon)
            #expect(try await Self.claimed(in: store, at: Self.later).state == .parked, "once more at its end")
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a row that is done or dropped loses its secret, and no operator can change it`(
        on engine: TestEngine
    ) async throws {
        try await withStore(engine) { store in
            let (first, second) = (Self.withdrawal(), Self.withdrawal())
            try await store.write { try $0.insert(first) }
            let row = try await Self.claimed(in: store)
            _ = try await store.settle(row, as: .done, reason: nil, nextAttempt: nil, at: Self.soon)
            try await store.write { try $0.insert(second) }
            let dropped = try await store.write {
                try $0.drop(QueueSelection(second), reason: "given up", limit: 9, at: Self.soon)
            }

            let (all, shown) = try await store.read { tx in
                try (
                    tx.rows(QueueSelection<Withdrawal>(), limit: 9),
                    tx.rows(QueueSelection<Withdrawal>(), includesSettled: false, limit: 9)
                )
            }
            #expect(all.map(\.state) == [.done, .dropped] && all.allSatisfy { $0.sealedGrant == nil })
            #expect(dropped.map(\.reason) == ["given up"] && shown.isEmpty)
            let changed = try await store.write { tx in
                try tx.retry(QueueSelection<Withdrawal>(), limit: 9, at: Self.later)
                    + tx.drop(QueueSelection<Withdrawal>(), reason: "again", limit: 9, at: Self.later)
            }
            #expect(changed.isEmpty)
            let removed = try await store.write { tx in
                try [
                    tx.remove(Withdrawal.self, .done, endedBy: .noon, limit: 9),
                    tx.remove(Withdrawal.self, .done, endedBy: Self.soon, limit: 9),
                ]
            }
            #expect(removed == [0, 1])
            #expect(try await store.read { try $0.rows(of: Withdrawal.self, named: second.id) }.count == 1)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a claim that ran out or was lost writes nothing`(on engine: TestEngine) async throws {
        try await withTwoStores(engine) { store, second in
            try await store.write { try $0.insert(Self.withdrawal()) }
            let slow = try await Self.claimed(in: store)
            let early = try await second.claim(
                Withdrawal.self, by: Self.claim("two"), of: "github.com", limit: 9, at: .seconds(afterNoon: 30))
            let next = try await second.claim(
                Withdrawal.self, by: QueueClaim(holder: "two", until: Self.later), of: "github.com", limit: 9,
                at: .seconds(afterNoon: 31))

            let isLate = try await store.settle(slow, as: .done, reason: nil, nextAttempt: nil, at: Self.later)
            #expect(early.isEmpty && next.map(\.attempts) == [2] && !isLate)
            #expect(try await second.settle(next[0], as: .dead, reason: "end", nextAttempt: nil, at: Self.later))
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `brokers that claim at once never share a row`(on engine: TestEngine) async throws {
        try await withTwoStores(engine) { store, second in
            try await store.write { tx in for _ in 0..<40 { try tx.insert(Self.withdrawal()) } }

            let claimed = try await withThrowingTaskGroup(of: [Withdrawal].self) { group in
                for number in 0..<8 {
                    group.addTask {
                        try await (number.isMultiple(of: 2) ? store : second).claim(
                            Withdrawal.self, by: Self.claim("holder\(number)"), of: "github.com", limit: 5,
                            at: Self.soon)
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }

            #expect(!claimed.isEmpty && Set(claimed.map(\.key)).count == claimed.count)
            #expect(claimed.allSatisfy { $0.attempts == 1 })
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a claim that a wrong clock has made too long is ignored`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            try await store.write { try $0.insert(Self.withdrawal()) }
            let wrong = QueueClaim(holder: "one", until: .seconds(afterNoon: 2 * 3600))
            let first = try await store.claim(Withdrawal.self, by: wrong, of: "github.com", limit: 9, at: Self.soon)

            let due = try await store.dueRecipients(of: Withdrawal.self, at: Self.soon)
            let second = try await store.claim(
                Withdrawal.self, by: Self.claim("two"), of: "github.com", limit: 9, at: Self.soon)

            #expect(first.count == 1 && due == ["github.com"] && second.map(\.attempts) == [2])
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a list that is cut has the oldest withdrawals, and the latest deliveries`(
        on engine: TestEngine
    ) async throws {
        try await withStore(engine) { store in
            let withdrawals = (0..<3).map { _ in Self.withdrawal() }
            let deliveries = (0..<3).map { number in
                EventDelivery(
                    key: newKey(), eventID: randomText(12), target: .client("app"), type: "user.updated",
                    localID: "ada", sequence: Int64(number), occurredAt: .noon, data: "{}")
            }
            try await store.write { tx in
                for row in withdrawals { try tx.insert(row) }
                for row in deliveries { try tx.insert(row) }
            }

            let (oldest, latest) = try await store.read { tx in
                try (
                    tx.rows(QueueSelection<Withdrawal>(), limit: 2), tx.rows(QueueSelection<EventDelivery>(), limit: 2)
                )
            }
            #expect(oldest.map(\.key) == withdrawals.prefix(2).map(\.key))
            #expect(latest.map(\.key) == deliveries.suffix(2).map(\.key))
        }
    }
}

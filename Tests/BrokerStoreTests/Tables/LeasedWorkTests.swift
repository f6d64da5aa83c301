import BrokerStore
import PostgreSQLTesting
import Testing

@Suite("Work under a lease")
struct LeasedWorkTests {
    private static func work(in store: Store, at now: Timestamp = .noon) -> LeasedWork {
        let lease = Lease(name: "some work", holder: randomText(22), duration: .seconds(60))
        return LeasedWork(lease, in: store) { now.date }
    }

    @Test(arguments: TestEngine.allCases)
    func `work is not begun while another process has the lease, and begun once it is given back`(
        on engine: TestEngine
    ) async throws {
        try await withStore(engine) { store in
            let (first, second) = (Self.work(in: store), Self.work(in: store))

            let outcome = try await first.withLease { try await second.withLease { "both" } }
            guard case .done(.notBegun) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            // A turn keeps the lease for the next one.
            guard case .notBegun = try await second.withLease({}) else {
                Issue.record("the lease ended with the turn")
                return
            }
            try await first.release()
            guard case .done("next") = try await second.withLease({ "next" }) else {
                Issue.record("the lease was not given back")
                return
            }
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `work whose lease was lost stops and writes nothing more`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let (slow, next) = (Self.work(in: store), Self.work(in: store, at: .seconds(afterNoon: 61)))
            let user = User.sample(email: "ada@example.com")
            var steps: [String] = []

            let outcome = try await slow.withLease {
                steps.append("begun")
                try await slow.write { _ in }
                steps.append("renewed")
                guard case .done = try await next.withLease({}) else { return }
                steps.append("lost")
                try await slow.write { _ = try $0.insert(user) }
                steps.append("written")
            }

            guard case .lost = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(steps == ["begun", "renewed", "lost"])
            #expect(try await store.read { try $0.user(key: user.key) } == nil)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a lease that is not taken for want of work stays free`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let (idle, busy) = (Self.work(in: store), Self.work(in: store))

            let outcome = try await idle.withLease(acquiring: { _, _ -> Bool? in nil }, { _ in })

            guard case .notBegun = outcome, case .done = try await busy.withLease({}) else {
                Issue.record("the lease was taken")
                return
            }
        }
    }
}

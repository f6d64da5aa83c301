import BrokerStore
import PostgreSQLTesting
import Testing

@Suite("Subject migrations")
struct SubjectMigrationTests {
    static let provider = "apple.com"
    static let (source, target) = ("https://appleid.apple.com/TEAMAAAAAA", "https://appleid.apple.com/TEAMBBBBBB")

    static func job(_ phase: SubjectMigrationJob.Phase = .prepare) -> SubjectMigrationJob {
        SubjectMigrationJob(
            key: newKey(), provider: provider, sourceIssuer: source, targetIssuer: target, phase: phase,
            windowSeconds: 60, startedAt: .noon)
    }

    /// Users with an identity of the source issuer, named `subject-0` and so on.
    static func addUsers(_ count: Int, to store: Store) async throws -> [Identity] {
        var identities: [Identity] = []
        for number in 0..<count {
            let user = try await store.addUser()
            identities.append(
                Identity.sample(
                    of: user, IdentityKey(provider: provider, issuer: source, subject: "subject-\(number)")))
        }
        let added = identities
        try await store.write { tx in for identity in added { _ = try tx.insert(identity) } }
        return added
    }

    @Test(arguments: TestEngine.allCases)
    func `enlist the identities of the source issuer in pages, each once`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let identities = try await Self.addUsers(5, to: store)
            let stranger = Identity.sample(of: try await store.addUser())
            _ = try await store.write { try $0.insert(stranger) }
            let job = try await store.write { try $0.begin(Self.job()) }

            for _ in 0..<2 {
                var after: Int64? = 0
                while let key = after {
                    after = try await store.write { try $0.enlist(for: job, after: key, limit: 2) }
                }
            }

            let listed = try await store.read { try $0.migratingSubjects(of: job, in: nil, after: 0, limit: 100) }
            #expect(listed.map(\.identityKey) == identities.map(\.key))
            #expect(listed.allSatisfy { $0.state == .pending && $0.transferSubject == nil })
            #expect(try await store.read { try $0.subjectCounts(of: job) } == [.pending: 5])
            #expect(try await store.read { try $0.identityCount(of: Self.provider, issuer: Self.source) } == 5)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a state changes only from the state it was read in`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let identity = try await Self.addUsers(1, to: store)[0]
            let job = try await store.write { tx in
                let job = try tx.begin(Self.job())
                _ = try tx.enlist(for: job, after: 0, limit: 1)
                return job
            }
            var subject = try #require(
                try await store.read { try $0.migratingSubject(of: job, identityKey: identity.key) })
            (subject.state, subject.transferSubject) = (.prepared, "transfer-0")
            let prepared = subject

            #expect(try await store.write { try $0.update(prepared, from: .pending) })
            #expect(try await store.write { try !$0.update(prepared, from: .pending) })

            let found = try #require(
                try await store.read {
                    try $0.migratingSubject(
                        transferSubject: "transfer-0", provider: Self.provider, issuer: Self.target)
                })
            #expect(found.0.identityKey == identity.key && found.1 == job)
            let elsewhere = try await store.read {
                try $0.migratingSubject(transferSubject: "transfer-0", provider: "apple.other", issuer: Self.target)
            }
            #expect(elsewhere == nil)
            _ = try await store.write { try $0.deleteUser(key: identity.userKey) }
            #expect(try await store.read { try $0.subjectCounts(of: job) } == [:])
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `failed subjects return to the last step that succeeded`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            _ = try await Self.addUsers(4, to: store)
            let job = try await store.write { tx in
                let job = try tx.begin(Self.job())
                _ = try tx.enlist(for: job, after: 0, limit: 10)
                for (number, subject) in try tx.migratingSubjects(of: job, in: .pending, after: 0, limit: 10)
                    .enumerated()
                {
                    var failed = subject
                    (failed.state, failed.reason) = (.failed, number == 3 ? "user-exists" : "invalid-request")
                    if number > 0 { failed.transferSubject = "t\(number)" }
                    if number > 1 {
                        failed.successor = .init(subject: "n\(number)", email: "a@b.example", isRelay: true)
                    }
                    _ = try tx.update(failed, from: .pending)
                }
                return job
            }
            let failures = try await store.read { try $0.failureCounts(of: job).map { "\($0.reason) \($0.count)" } }
            #expect(failures == ["invalid-request 3", "user-exists 1"])

            try await store.write { try $0.retryFailures(of: job, reason: "user-exists") }
            #expect(try await store.read { try $0.subjectCounts(of: job) } == [.failed: 3, .exchanged: 1])
            try await store.write { try $0.retryFailures(of: job) }

            #expect(
                try await store.read { try $0.subjectCounts(of: job) } == [.pending: 1, .prepared: 1, .exchanged: 2])
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a job keeps its clock and its warnings when it is begun again`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let job = try await store.write { try $0.begin(Self.job()) }
            try await store.write { tx in
                try tx.noteTransfer(of: job, at: .noon)
                try tx.noteTransfer(of: job, at: .seconds(afterNoon: 9))
                try tx.pause(job, .init(at: .noon, code: "client-refused", reason: "refused"))
            }
            let warnings = try await store.write { tx in
                try [14, 14, 7, 14].map { try tx.noteWarning(of: job, days: $0) }
            }
            let paused = try await store.read { try $0.subjectMigrations(limit: 10) }
            let again = try await store.write { try $0.begin(Self.job(.exchange)) }

            #expect(warnings == [true, false, true, false])
            #expect(paused.map(\.pause?.code) == ["client-refused"])
            #expect(again.key == job.key && again.phase == .exchange && again.pause == nil)
            #expect(again.transferredAt == .noon && again.closesAt == .seconds(afterNoon: 60))
            #expect(again.isOpen(at: .seconds(afterNoon: 59)) && !again.isOpen(at: .seconds(afterNoon: 60)))
            try await store.write { try $0.setTransfer(of: again, at: .seconds(afterNoon: 9)) }
            #expect(try await store.write { try $0.noteWarning(of: again, days: 14) })
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `an identity takes a subject that is free, and its aliases and grants follow the caller`(
        on engine: TestEngine
    ) async throws {
        try await withStore(engine) { store in
            let identities = try await Self.addUsers(2, to: store)
            let (mine, other) = (identities[0], identities[1])
            func replace(_ subject: String) async throws -> Bool {
                try await store.write { tx in
                    try tx.replaceSubject(
                        of: mine.key, issuer: Self.target, subject: subject, email: nil, isEmailVerified: false,
                        profile: "{}")
                }
            }
            let taken = IdentityKey(provider: Self.provider, issuer: Self.target, subject: "taken")
            _ = try await store.write { try $0.addAlias(taken, to: other.key, at: .noon) }

            #expect(try await !replace("taken"))
            #expect(try await store.write { try !$0.removeAlias(taken, of: mine.key) })
            #expect(try await store.write { try $0.removeAlias(taken, of: other.key) })
            #expect(try await replace("taken"))

            #expect(try await store.read { try $0.identity(taken)?.key } == mine.key)
            #expect(try await store.read { try $0.identity(mine.identity) } == nil)
            #expect(try await store.write { try $0.removeGrants(ofIdentity: mine.key) } == 0)
        }
    }
}

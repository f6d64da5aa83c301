import BrokerStore
import PostgreSQLTesting
import StrictJSON
import Testing

@Suite("Audit entries, decisions and settings")
struct RecordTests {
    @Test(arguments: AuditEntry.ActorKind.allCases, TestEngine.allCases)
    func `audit entries come back as they were added, latest first`(
        actorKind: AuditEntry.ActorKind, on engine: TestEngine
    ) async throws {
        try await withStore(engine) { store in
            let localID = randomText()
            let entries = (0..<3).map { number in
                AuditEntry(
                    key: newKey(), at: .seconds(afterNoon: number), actorKind: actorKind,
                    actor: number == 0 ? nil : randomText(), event: "user.created", localID: localID,
                    provider: "github.com", subjectHash: randomText(), requestID: randomText(),
                    detail: AuditDetail(["number": 1]))
            }
            let stranger = AuditEntry(key: newKey(), at: .noon, actorKind: .system, event: "started")
            try await store.write { tx in for entry in entries + [stranger] { try tx.append(entry) } }

            let found = try await store.read { tx in try tx.auditEntries(localID: localID, limit: 2) }

            #expect(found == [entries[2], entries[1]])
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `decisions come back as they were added, latest first`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let localID = randomText()
            let decisions = (0..<3).map { number in
                Decision(
                    key: newKey(), at: .seconds(afterNoon: number), requestID: randomText(), provider: "github.com",
                    issuer: "https://github.com", subjectHash: randomText(), localID: localID, rule: "S1",
                    outcome: "signed in", evidence: "{}")
            }
            let refused = Decision(
                key: newKey(), at: .noon, requestID: randomText(), provider: "github.com",
                issuer: "https://github.com", subjectHash: randomText(), rule: "S4", outcome: "refused", evidence: "{}")
            try await store.write { tx in for decision in decisions + [refused] { try tx.append(decision) } }

            let found = try await store.read { tx in try tx.decisions(localID: localID, limit: 2) }
            let ofRequest = try await store.read { tx in
                try tx.decisions(requestID: refused.requestID, at: nil, limit: 2)
            }

            #expect(found == [decisions[2], decisions[1]])
            #expect(ofRequest == [refused])
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `audited decisions of a request are found near its time, others at any`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let (requestID, keys) = (randomText(), KeyGenerator())
            func decision(
                secondsAfterNoon seconds: Int, of requestID: String, isAudited: Bool = true
            ) -> Decision {
                let moment = Timestamp.seconds(afterNoon: seconds)
                return Decision(
                    key: keys.next(at: moment.date), at: moment, requestID: requestID, provider: "github.com",
                    issuer: "https://github.com", subjectHash: randomText(), rule: "S4", outcome: "refused",
                    evidence: "{}", isAudited: isAudited)
            }
            let near = [-600, 0, 1, 600].map { decision(secondsAfterNoon: $0, of: requestID) }
            let other = decision(secondsAfterNoon: 601, of: randomText())
            let far = decision(secondsAfterNoon: 602, of: requestID)
            let late = decision(secondsAfterNoon: 40_000, of: requestID, isAudited: false)
            try await store.write { tx in for decision in near + [other, far, late] { try tx.append(decision) } }

            let found = try await store.read { tx in try tx.decisions(requestID: requestID, at: .noon, limit: 9) }
            let latest = try await store.read { tx in try tx.decisions(requestID: requestID, at: .noon, limit: 2) }
            let ofAnyTime = try await store.read { tx in try tx.decisions(requestID: requestID, at: nil, limit: 9) }

            #expect(found == [late] + near.reversed())
            #expect(latest == [late, near[3]])
            #expect(ofAnyTime == [late])
        }
    }

    private static func decision(_ number: Int, about localID: String, isAudited: Bool) -> Decision {
        Decision(
            key: newKey(), at: .seconds(afterNoon: number), requestID: randomText(), provider: "github.com",
            issuer: "https://github.com", subjectHash: randomText(), localID: localID, rule: "S1",
            outcome: "signed in", evidence: "{}", isAudited: isAudited)
    }

    /// Adds decisions with their audit entries, where they have some, and entries that follow from no decision.
    private static func append(_ decisions: [Decision], to store: Store) async throws {
        try await store.write(at: .noon) { tx in
            for decision in decisions {
                try tx.append(decision)
                try tx.audit(
                    "user.signed-in", of: decision.localID, after: decision.isAudited ? decision : nil)
            }
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `decisions with an audit entry and others come back together, those of the user alone`(
        on engine: TestEngine
    ) async throws {
        try await withStore(engine) { store in
            let localID = randomText()
            let decisions = (0..<6).map { Self.decision($0, about: localID, isAudited: $0 % 2 == 0) }
            let foreign = (0..<2).map { Self.decision($0, about: randomText(), isAudited: $0 == 0) }
            try await Self.append(decisions + foreign, to: store)

            let found = try await store.read { try $0.decisions(localID: localID, limit: 5) }

            #expect(found == Array(decisions.reversed().prefix(5)))
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `decisions are found by their user when their audit entries have gone`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let localID = randomText()
            let decisions = (0..<3).map { Self.decision($0, about: localID, isAudited: true) }
            try await Self.append(decisions, to: store)

            let removed = try await store.write { tx in
                for (index, entry) in try tx.unsealedAudit(limit: 3).enumerated() {
                    let sealed = SealedAuditEntry(entry: entry, sequence: Int64(index) + 1, keyID: "k", seal: [0])
                    _ = try tx.place(sealed)
                }
                return try tx.removeSealedAudit(upTo: 2)
            }
            let found = try await store.read { try $0.decisions(localID: localID, limit: 9) }

            #expect(removed == 2)
            #expect(found.map(\.key) == decisions.reversed().map(\.key))
            #expect(found.map(\.isAudited) == [true, false, false])
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a setting keeps its first value`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let value = randomBytes()

            let answers = try await store.write { tx in
                [try tx.insertSetting("check", value), try tx.insertSetting("check", randomBytes())]
            }

            #expect(answers == [true, false])
            #expect(try await store.read { tx in try tx.setting("check") } == value)
            #expect(try await store.read { tx in try tx.setting("other") } == nil)
        }
    }
}

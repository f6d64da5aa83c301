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
            let ofRequest = try await store.read { tx in try tx.decisions(requestID: refused.requestID, limit: 2) }

            #expect(found == [decisions[2], decisions[1]])
            #expect(ofRequest == [refused])
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

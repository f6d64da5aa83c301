import BrokerStore
import PostgreSQLTesting
import Testing

@Suite("Devices that wait")
struct DeviceAuthorizationTests {
    private static func row(
        _ purpose: DeviceAuthorizationRow.Purpose = .client, expiring seconds: Int = 600,
        userCode: [UInt8] = Array(randomText(32).utf8)
    ) -> DeviceAuthorizationRow {
        DeviceAuthorizationRow(
            key: newKey(), deviceCodeHash: Array(randomText(32).utf8), userCodeHash: userCode, purpose: purpose,
            party: "somebody", scope: "openid", sealedRequest: purpose == .terminal ? [1, 2] : nil, createdAt: .noon,
            expiresAt: .seconds(afterNoon: seconds), pollInterval: 5)
    }

    private static let approval = DeviceApproval(
        userKey: 7, epoch: 3, provider: "github.com", authTime: 99, authenticationMethods: "fed user", parentID: "p")

    @Test(arguments: TestEngine.allCases)
    func `no two wait with one code, and what was written is what is read`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let first = Self.row(.terminal)
            let second = Self.row(userCode: first.userCodeHash)

            let (isIn, isSecond) = try await store.write { tx in (try tx.insert(first), try tx.insert(second)) }
            let read = try await store.read { tx in
                [
                    try tx.deviceAuthorization(userCodeHash: first.userCodeHash),
                    try tx.deviceAuthorization(deviceCodeHash: first.deviceCodeHash),
                    try tx.deviceAuthorization(deviceCodeHash: second.deviceCodeHash),
                ]
            }

            #expect(isIn && !isSecond)
            #expect(read == [first, first, nil])
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a decision is made once, in time, and by the right kind of page`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let (client, terminal) = (Self.row(), Self.row(.terminal))
            let (approved, answered, denied) = try await store.write { tx in
                for row in [client, terminal] { _ = try tx.insert(row) }
                let now = Timestamp.seconds(afterNoon: 599)
                let late = Timestamp.seconds(afterNoon: 600)
                return (
                    [
                        try tx.approveDevice(userCodeHash: terminal.userCodeHash, Self.approval, at: now),
                        try tx.approveDevice(userCodeHash: client.userCodeHash, Self.approval, at: late),
                        try tx.approveDevice(userCodeHash: client.userCodeHash, Self.approval, at: now),
                        try tx.approveDevice(userCodeHash: client.userCodeHash, Self.approval, at: now),
                    ].map { $0?.approval },
                    [
                        try tx.answerTerminal(userCodeHash: client.userCodeHash, sealedOutcome: [4], at: now),
                        try tx.answerTerminal(userCodeHash: terminal.userCodeHash, sealedOutcome: [4], at: late),
                        try tx.answerTerminal(userCodeHash: terminal.userCodeHash, sealedOutcome: [4], at: now),
                        try tx.answerTerminal(userCodeHash: terminal.userCodeHash, sealedOutcome: [5], at: now),
                    ],
                    [client, terminal].map { $0.userCodeHash }.count {
                        (try? tx.denyDevice(userCodeHash: $0, at: now)) == true
                    }
                )
            }
            let outcome = try await store.read { try $0.deviceAuthorization(userCodeHash: terminal.userCodeHash) }

            #expect(approved == [nil, nil, Self.approval, nil])
            #expect(answered == [false, false, true, false] && denied == 0)
            #expect(outcome?.sealedOutcome == [4] && outcome?.decision == .approved)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a poll that comes too early makes the next ones wait longer, up to a minute`(on engine: TestEngine)
        async throws
    {
        try await withStore(engine) { store in
            let row = Self.row()
            func poll(_ seconds: Int, _ client: String = "somebody") async throws -> DeviceAuthorizationRow? {
                try await store.write { tx in
                    try tx.pollDevice(
                        deviceCodeHash: row.deviceCodeHash, ofClient: client, at: .seconds(afterNoon: seconds))
                }
            }
            _ = try await store.write { try $0.insert(row) }

            #expect(try await poll(0, "another") == nil)
            let polls = [try await poll(0), try await poll(4), try await poll(7), try await poll(16)]
            let (first, further) = (try await poll(17), try await poll(18))
            for step in 1...20 { _ = (try await poll(step * 100), try await poll(step * 100 + 1)) }

            #expect(polls.map { $0?.wasPolledEarly } == [false, false, true, false])
            #expect(polls.map { $0?.pollInterval } == [5, 5, 10, 10])
            #expect(first?.pollInterval == 15 && first?.earlyUntil == .seconds(afterNoon: 31))
            #expect(further == nil, "a further early poll is not written")
            #expect(try await poll(3000)?.pollInterval == 60)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `an approval is used once, and nothing else is`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let (open, approved) = (Self.row(), Self.row())
            let used = try await store.write { tx in
                for row in [open, approved] { _ = try tx.insert(row) }
                _ = try tx.approveDevice(userCodeHash: approved.userCodeHash, Self.approval, at: .noon)
                return try [open, approved, approved].map { row in
                    try tx.consumeDeviceAuthorization(deviceCodeHash: row.deviceCodeHash, at: .noon) != nil
                }
            }
            let polled = try await store.write { tx in
                try tx.pollDevice(deviceCodeHash: approved.deviceCodeHash, ofClient: "somebody", at: .noon)
            }

            #expect(used == [false, true, false])
            #expect(polled == nil)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `what has expired goes, a bounded number at a time`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let rows = (1...5).map { Self.row(expiring: $0) }
            let moment = Timestamp.seconds(afterNoon: 3)

            let removed = try await store.write { tx in
                for row in rows.shuffled() { _ = try tx.insert(row) }
                return [
                    try tx.removeExpired(from: .deviceAuthorizations, by: moment, limit: 2),
                    try tx.removeExpired(from: .deviceAuthorizations, by: moment, limit: 2),
                ]
            }
            let left = try await store.read { tx in
                try rows.map { try tx.deviceAuthorization(userCodeHash: $0.userCodeHash) != nil }
            }

            #expect(removed == [2, 1])
            #expect(left == [false, false, false, true, true])
        }
    }
}

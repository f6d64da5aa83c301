import BrokerStore
import Foundation
import PostgreSQLTesting
import Testing

@Suite("Backup and restore")
struct BackupTests {
    private static let audit = AuditEntry(key: newKey(), at: .noon, actorKind: .admin, event: "store.restored")

    private static func restore(into target: Store, from path: String) async throws {
        let restore = StoreRestore(into: target, named: "backup", now: { .noon })
        _ = try await restore(from: path, audit: audit)
    }

    /// A backup of a store with `people` in it, and an empty store opened for transfer.
    private static func withBackup(
        of people: Int = 3, to engine: TestEngine = .sqlite,
        _ body: (_ stores: CopyScene, _ backup: String) async throws -> Void
    ) async throws {
        try await CopyScene.run(engine) { stores in
            for _ in 0..<people { try await stores.crowd.join() }
            let folder = try TemporaryFolder()
            try await Store.backUp(sqlite: stores.sourcePath, to: folder.file("backup"))
            try await body(stores, folder.file("backup"))
        }
    }

    @Test func `a backup of a store that is written to is whole, and its owner's alone`() async throws {
        try await CopyScene.run { stores in
            let folder = try TemporaryFolder()
            for _ in 0..<200 { try await stores.crowd.join() }
            let promised = stores.crowd.acknowledged.filter { $0.sessions.count == 1 }.count

            try await stores.underLoad(.steadily) {
                for number in 0..<3 {
                    try await Store.backUp(sqlite: stores.sourcePath, to: folder.file("backup\(number)"))
                }
            }

            for number in 0..<3 {
                let path = folder.file("backup\(number)")
                let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
                #expect(mode == 0o600)
                let backup = try await Store.open(archive: path)
                let report = try await backup.examine()
                await backup.close()
                #expect(report.violations == [])
                #expect(report.tables.first { $0.table == "audit" }?.rows ?? 0 >= promised)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 3)
        }
    }

    @Test func `a backup equals the store, and replaces nothing`() async throws {
        try await Self.withBackup { stores, backup in
            let archive = try await Store.open(archive: backup)
            let digests = try await archive.digests()
            await archive.close()
            let before = try Data(contentsOf: URL(filePath: backup))
            try await stores.crowd.join()

            let refusal = await failure(StoreError.self) {
                try await Store.backUp(sqlite: stores.sourcePath, to: backup)
            }

            #expect(refusal?.kind == .fileExists && refusal?.reason.contains("exists") == true)
            #expect(try Data(contentsOf: URL(filePath: backup)) == before)
            #expect(digests.reduce(0) { $0 + $1.rows } > 0)
            #expect(digests.differing(from: try await stores.source.digests()).contains("users"))
        }
    }

    @Test func `a PostgreSQL store is backed up into a SQLite file that equals it`() async throws {
        try await CopyScene.run(.postgreSQL) { stores in
            let folder = try TemporaryFolder()
            for _ in 0..<600 { try await stores.crowd.join() }
            let copied = try await stores.copy().move(Self.audit)

            try await stores.target.backUp(to: folder.file("backup"), now: .noon)

            let archive = try await Store.open(archive: folder.file("backup"))
            #expect(try await archive.digests() == copied)
            await archive.close()
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("backup"))
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["backup"])
        }
    }

    @Test func `a store that was moved away, or is half filled, is not backed up`() async throws {
        try await CopyScene.run { stores in
            let folder = try TemporaryFolder()
            try await stores.crowd.join()
            try await stores.copy().prepare()
            let half = await failure(StoreError.self) {
                try await stores.target.backUp(to: folder.file("half"), now: .noon)
            }
            _ = try await stores.copy().move(Self.audit)
            let moved = await failure(StoreError.self) {
                try await Store.backUp(sqlite: stores.sourcePath, to: folder.file("moved"))
            }

            #expect(half?.kind == .unfinished)
            #expect(moved?.kind == .moved)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `after a restore all users exist, and everything issued to them is invalid`(engine: TestEngine) async throws {
        try await Self.withBackup(of: 600, to: engine) { stores, backup in
            let one = try #require(stores.crowd.acknowledged.randomElement())

            try await Self.restore(into: stores.target, from: backup)

            let (user, sessions) = try await stores.target.read { tx in
                (try tx.user(key: one.user.key), try tx.sessions(of: one.user.key))
            }
            #expect(user?.email == one.user.email)
            #expect(user?.epoch ?? 0 >= Timestamp.noon.seconds)
            #expect(user?.validSince == Timestamp.noon.seconds)
            #expect(!sessions.isEmpty && sessions.allSatisfy { $0.revokedAt != nil && $0.revokedReason != nil })
            let credentials = try await stores.target.read { try $0.adminCredentials() }
            #expect(credentials.count == 600 && credentials.allSatisfy { $0.revokedAt == .noon })
            let accounts = try await stores.target.read { try $0.serviceAccounts() }
            #expect(accounts.count == 600 && accounts.allSatisfy { $0.revokedAt == .noon })
            let digests = try await stores.target.digests()
            #expect(digests.first { $0.table == "pending_tokens" }?.rows == 0)
            #expect(digests.first { $0.table == "used_id_tokens" }?.rows == 600)
            #expect(digests.first { $0.table == "audit" }?.rows == 601)
            #expect(try await stores.target.examine().violations == [])
            try await stores.expectTargetServed()
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `users who were deleted after the backup are deleted again, with what was left of merged ones`(
        engine: TestEngine
    ) async throws {
        try await Self.withBackup(of: 5, to: engine) { stores, _ in
            let folder = try TemporaryFolder()
            let people = stores.crowd.acknowledged.map(\.user)
            // Deleted and made again before the backup; the audit of the backup has the deletion.
            let known = Erasure(localID: people[3].localID, at: .noon)
            try await stores.source.write { tx in
                #expect(try tx.addUserAlias("absorbed", of: people[0].key, at: .noon))
                try tx.append(
                    AuditEntry(
                        key: newKey(), at: .noon, actorKind: .user, event: "user.deleted", localID: known.localID))
            }
            try await Store.backUp(sqlite: stores.sourcePath, to: folder.file("later"))
            let later = Timestamp.noon.advanced(by: .seconds(60))
            let erasures = [
                Erasure(localID: people[1].localID, at: later), Erasure(localID: "absorbed", at: later),
                Erasure(localID: people[2].localID, at: Timestamp(milliseconds: 1)), known,
                Erasure(localID: "unknown", at: later),
            ]

            let restore = StoreRestore(into: stores.target, named: "backup", now: { .noon })
            let outcome = try await restore(from: folder.file("later"), repeating: erasures, audit: Self.audit)

            let (left, absorber, list) = try await stores.target.read { tx in
                (
                    try tx.users(after: nil, limit: 10).map(\.localID), try tx.user(absorbing: "absorbed"),
                    try tx.erasures(after: 0, limit: 10).map(\.erasure.localID)
                )
            }
            // One was created after the erasure of its id.
            #expect(outcome.erased == 2)
            #expect(Set(left) == Set([0, 2, 3, 4].map { people[$0].localID }))
            #expect(absorber == nil)
            #expect(Set(list) == [known.localID, people[1].localID, "absorbed"])
            #expect(try await stores.target.examine().violations == [])
            try await stores.expectTargetServed()
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `an interrupted restore is not served, and starts over`(engine: TestEngine) async throws {
        try await Self.withBackup(of: 30, to: engine) { stores, backup in
            for moment in 1...10 {
                let interruption = Interruption(after: moment)
                let restore = StoreRestore(
                    into: stores.target, named: "backup", now: { .noon }, report: { _ in interruption.count() })
                let task = Task { _ = try await restore(from: backup, audit: Self.audit) }
                interruption.onCount { task.cancel() }
                guard await failure(CancellationError.self, of: { try await task.value }) != nil else { continue }
                let refusal = await stores.refusalOfTarget()
                #expect(refusal?.kind == .unfinished)
                #expect(refusal?.reason.contains("restore") == true)
            }

            if try await stores.target.transfer(.incoming) != nil {
                try await Self.restore(into: stores.target, from: backup)
            }

            #expect(try await stores.target.digests().first { $0.table == "users" }?.rows == 30)
            try await stores.expectTargetServed()
        }
    }

    @Test func `a restore that another one has taken over writes nothing more`() async throws {
        try await Self.withBackup { _, backup in
            let folder = try TemporaryFolder()
            let path = folder.file("target.sqlite")
            let target = try await Store.open(sqlite: path, for: .transfer)
            let restore = StoreRestore(into: target, named: "backup", now: { .noon }) { progress in
                guard progress.work == .copying, progress.table == "settings" else { return }
                // As the one does that begins anew.
                try? RawSQLite(path).run("UPDATE transfers SET revision = revision + 1")
            }

            let refusal = await failure(TransferRefusal.self) { _ = try await restore(from: backup, audit: Self.audit) }

            let mark = try await target.transfer(.incoming)
            let users = try await target.read { tx in try tx.users(after: nil, limit: 10) }
            await target.close()
            guard case .continuedElsewhere? = refusal else { throw refusal ?? .notMoving }
            #expect(mark?.phase == .restoring)
            #expect(users == [])
        }
    }

    @Test func `a store with something in it is not restored over`() async throws {
        try await Self.withBackup { stores, backup in
            let user = try await stores.target.addUser()

            await #expect(throws: TransferRefusal.targetIsNotEmpty) {
                try await Self.restore(into: stores.target, from: backup)
            }

            #expect(try await stores.target.user(user) == user)
            try await stores.expectTargetServed()
        }
    }

    /// What can be wrong with a file, and as what it is refused.
    static let wrongFiles: [(sql: String, kind: StoreError.Kind)] = [
        ("PRAGMA application_id = 7", .foreignFile), ("PRAGMA user_version = 999", .newerSchema),
        ("DELETE FROM schema_migrations", .corrupt),
    ]

    @Test(arguments: wrongFiles)
    func `a file that is no backup of this broker is refused, and nothing is written`(
        sql: String, kind: StoreError.Kind
    ) async throws {
        try await Self.withBackup { stores, backup in
            try RawSQLite(backup).run(sql)

            let refusal = await failure(StoreError.self) { try await Self.restore(into: stores.target, from: backup) }

            #expect(refusal?.kind == kind)
            #expect(try await stores.isTargetEmpty())
            try await stores.expectTargetServed()
        }
    }

    @Test func `a damaged file is refused, and nothing is written`() async throws {
        try await Self.withBackup(of: 200) { stores, backup in
            var bytes = try Data(contentsOf: URL(filePath: backup))
            bytes.replaceSubrange(bytes.count / 2..<bytes.count / 2 + 4096, with: Data(randomBytes(4096)))
            try bytes.write(to: URL(filePath: backup))

            let refusal = await failure(StoreError.self) { try await Self.restore(into: stores.target, from: backup) }
            try Data("This is no database. ".utf8).write(to: URL(filePath: backup))
            let foreign = await failure(StoreError.self) { try await Self.restore(into: stores.target, from: backup) }

            #expect(refusal?.kind == .corrupt)
            #expect(foreign?.kind == .foreignFile)
            #expect(try await stores.isTargetEmpty())
        }
    }
}

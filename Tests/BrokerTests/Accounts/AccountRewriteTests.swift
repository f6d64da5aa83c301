import Foundation
import OAuth
import ProviderKit
import StoreSchema
import Testing

@testable import Broker
@testable import BrokerStore

@Suite("What merges, undos and deletions do with the rows of each table")
struct AccountRewriteTests {
    private static let owned = TableDefinition.all.filter { $0.ownership.owner != .noUser }
    private static let admin = Origin(.admin, actor: "root")

    /// Two users, each with an identity of the provider that merges accounts; the one that goes has rows in a table.
    private struct Scene {
        let broker: TestBroker
        let table: TableDefinition
        let survivor, absorbed: UserRecord
        /// The absorbed user's identity whose place the survivor's takes.
        let replaced, heir: Identity

        init(_ broker: TestBroker, _ table: TableDefinition) async throws {
            self.broker = broker
            self.table = table
            let survivorID = try await broker.signIn(.init("9")).string("localId")
            let first = try await broker.signIn(.init("7"))
            _ = try await broker.link(broker.person("ada"), to: first)
            absorbed = try #require(try await broker.user(first.string("localId")))
            survivor = try #require(try await broker.user(survivorID))
            replaced = try #require(absorbed.identities.first { $0.provider == MergingProvider.id })
            heir = try #require(survivor.identities.first { $0.provider == MergingProvider.id })
            broker.core.store.forgetEventSubscriptions()
            try await broker.core.store.write(at: Timestamp(broker.clock.now)) { [self] in try addRow(in: $0) }
            #expect(try await rows(of: absorbed.user, replaced) > 0, "the absorbed user has a row in \(table.name)")
        }

        /// Adds a row of the absorbed user, in a table that sign-ins leave empty.
        private func addRow(in transaction: borrowing Transaction) throws {
            let (user, now, key) = (absorbed.user, transaction.now, transaction.nextKey())
            let later = now.advanced(by: .seconds(3600))
            let hash = RandomText.hash(of: RandomText.secret())
            switch table.name {
            case "users", "identities", "provider_grants", "sessions", "audit", "decisions", "user_words": break
            case "identity_aliases":
                let alias = IdentityKey(provider: replaced.provider, issuer: replaced.issuer, subject: "77")
                #expect(try transaction.addAlias(alias, to: replaced.key, at: now))
            case "pending_tokens":
                try transaction.insert(
                    PendingToken(
                        key: key, tokenHash: hash, sealedEvidence: [1], createdAt: now, expiresAt: later, authTime: 1,
                        binding: .init(
                            userKey: user.key, epoch: user.epoch, identityKey: replaced.key, sessionID: "session")))
            case "used_id_tokens":
                _ = try transaction.recordUse(
                    of: UsedIDToken(
                        key: key, tokenHash: hash, localID: user.localID, usedAt: now, expiresAt: later))
            case "first_time_profiles":
                try transaction.keep(
                    FirstTimeProfile(
                        key: key, identity: replaced.identity, givenName: "Ada", isEmailVerified: false,
                        capturedAt: now))
            case "pending_merges":
                #expect(
                    try transaction.insert(
                        PendingMerge(
                            key: key, id: "reported", survivorKey: survivor.user.key, absorbedKey: user.key,
                            provider: replaced.provider, createdAt: now)))
            case "user_aliases": #expect(try transaction.addUserAlias("earlier", of: user.key, at: now))
            case "account_notices":
                try transaction.insert(AccountNotice(key: key, userKey: user.key, kind: .promoted, createdAt: now))
            case "merge_snapshots":
                try transaction.insert(
                    MergeSnapshot(
                        key: key, id: "earlier", survivorKey: user.key, absorbedLocalID: "gone", provider: "p",
                        createdAt: now, expiresAt: later, sealedUsers: [1]))
            case "authorization_codes":
                try transaction.insert(
                    AuthorizationCode(
                        key: key, codeHash: hash, clientID: "client", redirectURI: "https://app.example/",
                        codeChallenge: "", scope: "openid", userKey: user.key, epoch: user.epoch, provider: "p",
                        authTime: 1, authenticationMethods: "fed", sessionID: "s", createdAt: now, expiresAt: later))
            case "device_authorizations":
                #expect(
                    try transaction.insert(
                        DeviceAuthorizationRow(
                            key: key, deviceCodeHash: hash, userCodeHash: hash, purpose: .client, party: "client",
                            scope: "openid", createdAt: now, expiresAt: later, pollInterval: 5)))
                let approval = DeviceAuthorizationRow.Approval(
                    userKey: user.key, epoch: user.epoch, provider: "p", authTime: 1, authenticationMethods: "fed",
                    parentID: "s")
                #expect(try transaction.approveDevice(userCodeHash: hash, approval, at: now) != nil)
            case "provider_devices":
                let device = ProviderDevice(
                    key: key, provider: replaced.provider, deviceHash: hash, claim: "claim", claimedUntil: later,
                    createdAt: now)
                #expect(try transaction.claim(device))
                _ = try transaction.confirmDevice(
                    key: key, claim: "claim", secretHash: hash, sealedSecret: [1], identityKey: replaced.key, at: now)
            case "migrating_subjects":
                let job = try transaction.begin(
                    SubjectMigrationJob(
                        key: key, provider: replaced.provider, sourceIssuer: replaced.issuer, targetIssuer: "other",
                        phase: .prepare, windowSeconds: 60, startedAt: now))
                _ = try transaction.enlist(for: job, after: replaced.key - 1, limit: 1)
            case "event_deliveries", "event_sequences":
                try transaction.insert(
                    Webhook(
                        key: key, id: "hook", url: "https://backend.example/", events: [Webhook.everyEvent],
                        sealedSecret: [1], createdAt: now))
                try transaction.publish(.created, of: user.localID)
            default: Issue.record("\(table.name) belongs to users: say here how one of them gets a row")
            }
        }

        /// The number of rows of a user, or of one identity where rows belong to identities.
        func rows(of user: User, _ identity: Identity, where condition: String = "1 = 1") async throws -> Int64 {
            let (owner, values): (String, [SQLValue]) =
                switch table.ownership.owner {
                case .own: ("key = $1", [.integer(user.key)])
                case .user(let column): ("\(column) = $1", [.integer(user.key)])
                case .identity(let column): ("\(column) = $1", [.integer(identity.key)])
                case .localID(let column): ("\(column) = $1", [.text(user.localID)])
                case .subject:
                    (
                        "provider = $1 AND issuer = $2 AND subject = $3",
                        [.text(identity.provider), .text(identity.issuer), .text(identity.subject)]
                    )
                case .noUser: ("1 = 0", [])
                }
            let statement = Statement(
                "rows_\(table.name)_\(condition.count)",
                "SELECT count(*) FROM \(table.name) WHERE \(owner) AND \(condition)", parameters: values.map(\.type))
            return try await broker.core.store.read { transaction in
                try transaction.value(statement, values: values) { row throws(StoreError) in try row.integer() } ?? 0
            }
        }

        /// The merge that the provider reports at the next sign-in.
        func report() async throws -> String {
            _ = try await broker.signIn(.init("7", survivor: "9", absorbed: ["7"]))
            return try #require(try await broker.merges().first).merge.id
        }

        func merge(_ id: String) async throws {
            _ = try await broker.core.accounts.approveMerge(id, origin: AccountRewriteTests.admin)
        }
    }

    @Test(arguments: owned)
    func `a merge moves, keeps, ends or drops the rows as the table declares`(table: TableDefinition) async throws {
        try await TestBroker.runWithMerges { broker in
            let scene = try await Scene(broker, table)
            let (survivor, absorbed) = (scene.survivor.user, scene.absorbed.user)
            let id = try await scene.report()
            let before = try await scene.rows(of: absorbed, scene.replaced)
            let others = try await scene.rows(of: survivor, scene.heir)

            try await scene.merge(id)

            let left = try await scene.rows(of: absorbed, scene.replaced)
            let moved = try await scene.rows(of: survivor, scene.heir) - others
            switch table.ownership.merge {
            case .move:
                #expect(left == 0)
                // The identity whose place the survivor's takes is one of them, and becomes an alias itself.
                let replaced: Int64 = table == .identities ? 1 : 0
                let added: Int64 =
                    [.identityAliases, .userAliases, .accountNotices, .mergeSnapshots].contains(table) ? 1 : 0
                #expect(moved == before - replaced + added)
            case .keep: #expect(left >= before)
            // Words follow from the identities, which moved.
            case .end, .drop: #expect(left == 0 && (moved <= 0 || table == .userWords))
            case .leaveOut: Issue.record("a merge leaves out no table")
            }
        }
    }

    @Test(arguments: owned)
    func `an undo returns, keeps, ends or drops the rows as the table declares`(table: TableDefinition) async throws {
        try await TestBroker.runWithMerges { broker in
            let scene = try await Scene(broker, table)
            let before = try await scene.rows(of: scene.absorbed.user, scene.replaced)
            let id = try await scene.report()
            try await scene.merge(id)
            let others = try await scene.rows(of: scene.survivor.user, scene.heir)

            _ = try await broker.core.accounts.undoMerge(id, origin: Self.admin)

            let restored = try #require(try await broker.user(scene.absorbed.user.localID))
            let identity = try #require(restored.identities.first { $0.provider == MergingProvider.id })
            let returned = try await scene.rows(of: restored.user, identity)
            switch table.ownership.undo {
            case .move: #expect(returned == before)
            case .keep:
                let stay = try await scene.rows(of: scene.survivor.user, scene.heir)
                let gone: Int64 = table == .accountNotices ? 1 : 0
                #expect(stay >= others - gone)
            case .end:
                let alive = "revoked_at IS NULL"
                #expect(try await scene.rows(of: scene.survivor.user, scene.heir, where: alive) == 0)
                #expect(returned == 0)
            case .drop: #expect(returned == 0)
            case .leaveOut: Issue.record("an undo leaves out no table")
            }
        }
    }

    @Test(arguments: owned)
    func `a deletion ends, drops or keeps the rows as the table declares`(table: TableDefinition) async throws {
        try await TestBroker.runWithMerges { broker in
            let scene = try await Scene(broker, table)
            let before = try await scene.rows(of: scene.absorbed.user, scene.replaced)

            try await broker.core.accounts.deleteAccount(localID: scene.absorbed.user.localID, origin: Self.admin)

            let left = try await scene.rows(of: scene.absorbed.user, scene.replaced)
            switch table.ownership.deletion {
            case .keep: #expect(left >= before)
            case .end, .drop: #expect(left == 0)
            case .move, .leaveOut: Issue.record("a deletion moves no rows and leaves out none")
            }
            // What is owed to the provider outlives the user.
            guard table == .providerGrants else { return }
            #expect(try await !broker.withdrawals().isEmpty)
        }
    }

    @Test func `rows that belong to no user stay out of each flow`() {
        let others = TableDefinition.all.filter { $0.ownership.owner == .noUser }

        #expect(others.allSatisfy { $0.ownership == .noUser })
        #expect(
            Self.owned.allSatisfy { table in
                [Ownership.Disposition.keep, .leaveOut].contains(table.ownership.export)
                    && [.keep, .leaveOut].contains(table.ownership.snapshot)
            })
    }
}

extension TableDefinition: CustomTestStringConvertible {
    public var testDescription: String { name }
}

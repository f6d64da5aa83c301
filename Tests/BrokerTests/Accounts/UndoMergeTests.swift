import BrokerStore
import Foundation
import ProviderKit
import Testing

@testable import Broker

@Suite("Undoing a merge")
struct UndoMergeTests {
    private static let admin = Origin(.admin, actor: "root")
    private static let day: TimeInterval = 86_400

    /// A merge of two users: the absorbed one has GitHub and an address as well.
    private struct Merged {
        let survivor, absorbed: Answer
        let survivorID, absorbedID: String
        let id: String

        init(_ broker: TestBroker, survivor: String = "9", absorbed: String = "7") async throws {
            let email = "a@example.com"
            self.survivor = try await broker.signIn(.init(survivor))
            let first = try await broker.signIn(.init(absorbed, email: email))
            _ = try await broker.link(broker.person("ada"), to: first)
            self.absorbed = try await broker.signIn(.init(absorbed, email: email))
            survivorID = try self.survivor.string("localId")
            absorbedID = try self.absorbed.string("localId")
            id = try await Self.merge(absorbed, into: survivor, broker)
        }

        static func merge(_ absorbed: String, into survivor: String, _ broker: TestBroker) async throws -> String {
            _ = try await broker.signIn(
                .init(absorbed, survivor: survivor, absorbed: [absorbed], proven: [absorbed]))
            let id = try #require(try await broker.merges().first).merge.id
            _ = try await broker.core.accounts.approveMerge(id, origin: UndoMergeTests.admin)
            return id
        }
    }

    private static func conflicts(_ id: String, _ broker: TestBroker) async throws -> [UndoConflict] {
        try #require(try await broker.core.accounts.undoableMerge(id)).conflicts
    }

    @Test func `the merged user is back with identities, tokens and address, and all sessions have ended`() async throws
    {
        try await TestBroker.runWithMerges { broker in
            let merged = try await Merged(broker)
            let moved = try await broker.refresh(merged.absorbed.string("refreshToken"))
            let before = try #require(try await broker.user(merged.survivorID))

            let outcome = try await broker.core.accounts.undoMerge(merged.id, origin: Self.admin)

            #expect(outcome.conflicts == [])
            let restored = try #require(try await broker.user(merged.absorbedID))
            #expect(before.user.email == "a@example.com" && outcome.survivor.user.email == nil)
            #expect(restored.user.email == "a@example.com" && restored.user.isEmailVerified)
            #expect(restored.identities.map(\.provider).sorted() == ["github.com", MergingProvider.id])
            #expect(restored.identities.contains { $0.subject == "7" })
            #expect(outcome.survivor.identities.map(\.subject) == ["9"])
            let grants = try await broker.core.store.read { try $0.grants(of: restored.user.key) }
            #expect(Set(grants.map(\.provider)) == ["github.com", MergingProvider.id])
            for token in [try moved.string("refresh_token"), try merged.survivor.string("refreshToken")] {
                #expect(try await broker.refresh(token).status == 400)
            }
            for session in [merged.absorbed, merged.survivor] {
                #expect(try await broker.lookup(session.string("idToken")).code == "TOKEN_EXPIRED")
            }
            #expect(try await broker.signIn(broker.person("ada"))["localId"]?.string == merged.absorbedID)
            #expect(try await broker.core.admin.survivor(of: merged.absorbedID) == nil)
            let last = try await broker.signIn(.init("9"))
            #expect(last["localId"]?.string == merged.survivorID)
            #expect(last["broker"] == ["unmerged": [.string(merged.absorbedID)]], "\(last.text)")
        }
    }

    @Test(arguments: [false, true])
    func `a removal that was due before the merge is due again, unless the account was used since`(
        isUsed: Bool
    ) async throws {
        try await TestBroker.runWithMerges { broker in
            _ = try await broker.signIn(.init("9"))
            let absorbed = try await broker.signIn(.init("7")).string("localId")
            _ = try await broker.signIn(.init("9", survivor: "9", absorbed: ["7"], proven: ["7"]))
            let due = Timestamp(broker.clock.now).advanced(by: .seconds(3600))
            try await broker.core.store.write { transaction in
                let user = try #require(try transaction.user(localID: absorbed))
                let identity = try #require(try transaction.identities(of: user.key).first)
                try transaction.scheduleRemoval(ofIdentity: identity.key, at: due)
                try transaction.markConsentRevoked(ofIdentity: identity.key, at: due)
            }
            let id = try #require(try await broker.merges().first).merge.id
            _ = try await broker.core.accounts.approveMerge(id, origin: Self.admin)
            broker.clock.advance(seconds: 60)
            if isUsed { _ = try await broker.signIn(.init("7")) }

            let outcome = try await broker.core.accounts.undoMerge(id, origin: Self.admin)

            let identity = try #require(outcome.restored.identities.first)
            #expect(identity.subject == "7" && identity.removalAt == (isUsed ? nil : due))
            #expect(identity.consentRevokedAt == (isUsed ? nil : due))
        }
    }

    @Test func `a snapshot has the members that the broker before this one reads`() throws {
        let user = try RecordRoundTripTests.user(key: 1, "everything")
        let merged = MergedUsers(
            survivor: UserRecord(user: user, identities: []), absorbed: user, identities: [],
            rows: ["user_aliases": ["a"], "merge_snapshots": ["m"]], claims: .survivor)

        let json = merged.json

        #expect(json["aliases"] == ["a"] && json["merges"] == ["m"])
        var earlier = try #require(json.object)
        earlier["rows"] = nil
        #expect(MergedUsers(.object(earlier))?.rows == merged.rows && MergedUsers(json)?.rows == merged.rows)
    }

    @Test func `both users' records tell of it, and it cannot be undone twice`() async throws {
        try await TestBroker.runWithMerges { broker in
            let merged = try await Merged(broker)

            _ = try await broker.core.accounts.undoMerge(merged.id, origin: Self.admin)

            #expect(try await broker.events(of: merged.survivorID).first == "merge.undone")
            #expect(try await broker.events(of: merged.absorbedID).first == "user.restored")
            #expect(try await broker.decisions(about: merged.absorbedID).first == "M-undone merge-undone")
            await #expect(throws: BrokerError.mergeNotFound) {
                try await broker.core.accounts.undoMerge(merged.id, origin: Self.admin)
            }
            #expect(try await broker.core.accounts.undoableMerges(limit: 10).isEmpty)
        }
    }

    @Test func `the provider's next report does not merge them again, and each signs in as itself`() async throws {
        try await TestBroker.runWithMerges(autoMerge: true) { broker in
            let (stays, goes) = (try await broker.signIn(.init("9")), try await broker.signIn(.init("7")))
            func report(_ subject: String) async throws -> Answer {
                try await broker.signIn(.init(subject, survivor: "9", absorbed: ["7"], proven: ["7"]))
            }
            _ = try await report("7")
            let id = try #require(try await broker.core.accounts.undoableMerges(limit: 10).first).id

            _ = try await broker.core.accounts.undoMerge(id, origin: Self.admin)

            for _ in 1...2 {
                #expect(try await report("7")["localId"] == goes["localId"])
                #expect(try await report("9")["localId"] == stays["localId"])
            }
            #expect(try await broker.merges().isEmpty)
            #expect(try await broker.merges(all: true).map(\.merge.id) == [id])
            let again = try await broker.core.accounts.approveMerge(id, origin: Self.admin)
            #expect(try again.user.localID == stays.string("localId"))
            #expect(try await broker.core.accounts.undoableMerge(id) != nil, "and that merge can be undone in turn")
        }
    }

    @Test func `what was unlinked or taken since is listed and not restored`() async throws {
        try await TestBroker.runWithMerges { broker in
            let merged = try await Merged(broker)
            _ = try await broker.core.accounts.unlink(
                provider: "github.com", from: merged.survivorID, origin: Self.admin)
            let other = try await broker.signIn(broker.person("ada")).string("localId")
            try await broker.core.store.write { [merged] transaction in
                let survivor = try #require(try transaction.user(localID: merged.survivorID))
                let holder = try #require(try transaction.user(localID: other))
                try transaction.releaseEmail(of: survivor.key)
                _ = try transaction.setEmail(
                    of: holder.key, email: "a@example.com", canonical: "a@example.com", verified: true,
                    assertedBy: "github.com", at: Timestamp(broker.clock.now))
            }
            let expected: Set<UndoConflict> = [
                .identityOfAnotherUser(provider: "github.com", localID: other), .addressTaken(localID: other),
            ]
            let listed = try await Self.conflicts(merged.id, broker)

            let outcome = try await broker.core.accounts.undoMerge(merged.id, origin: Self.admin)

            #expect(Set(listed) == expected && Set(outcome.conflicts) == expected, "\(outcome.conflicts)")
            #expect(outcome.restored.identities.map(\.subject) == ["7"] && outcome.restored.user.email == nil)
            #expect(try await broker.user(other)?.user.email == "a@example.com")
        }
    }

    @Test func `without any identity left the restored user has no way to sign in`() async throws {
        try await TestBroker.runWithMerges { broker in
            let merged = try await Merged(broker)
            let session = try await broker.signIn(.init("9"))
            _ = try await broker.link(broker.person("ben"), to: session, provider: "github.work")
            for provider in ["github.com", MergingProvider.id] {
                _ = try await broker.core.accounts.unlink(
                    provider: provider, from: merged.survivorID, origin: Self.admin)
            }

            let outcome = try await broker.core.accounts.undoMerge(merged.id, origin: Self.admin)

            #expect(
                Set(outcome.conflicts) == [
                    .identityUnlinked(provider: "github.com"), .identityUnlinked(provider: MergingProvider.id),
                    .identityLinkedSince(provider: "github.work"), .noSignInMethod,
                ], "\(outcome.conflicts)")
            #expect(outcome.restored.identities.isEmpty)
            #expect(outcome.survivor.identities.map(\.provider) == ["github.work"])
        }
    }

    @Test func `a disabled user is restored as two disabled users`() async throws {
        try await TestBroker.runWithMerges { broker in
            let merged = try await Merged(broker)
            _ = try await broker.core.accounts.disableUser(localID: merged.survivorID, origin: Self.admin)

            let outcome = try await broker.core.accounts.undoMerge(merged.id, origin: Self.admin)

            #expect(outcome.conflicts == [.survivorDisabled])
            #expect(outcome.survivor.user.isDisabled && outcome.restored.user.isDisabled)
        }
    }

    @Test func `after a merge of the remaining user both merges can be undone, in either order`() async throws {
        for isFirstUndoneFirst in [true, false] {
            try await TestBroker.runWithMerges { broker in
                let first = try await Merged(broker)
                let last = try await broker.signIn(.init("1")).string("localId")
                let second = try await Merged.merge("9", into: "1", broker)
                let listed = try await Self.conflicts(first.id, broker)

                for id in isFirstUndoneFirst ? [first.id, second] : [second, first.id] {
                    _ = try await broker.core.accounts.undoMerge(id, origin: Self.admin)
                }

                #expect(listed == [.survivorMerged(localID: last)])
                let subjects = [first.absorbedID: "7", first.survivorID: "9", last: "1"]
                for (localID, subject) in subjects {
                    let identities = try #require(try await broker.user(localID)).identities
                    #expect(identities.map(\.subject).contains(subject), "\(subject), \(isFirstUndoneFirst)")
                }
                #expect(try await broker.user(first.absorbedID)?.identities.count == 2)
                #expect(try await broker.core.admin.survivor(of: first.absorbedID) == nil)
            }
        }
    }

    @Test func `after 30 days it cannot be undone`() async throws {
        try await TestBroker.runWithMerges { broker in
            let merged = try await Merged(broker)
            broker.clock.advance(seconds: 30 * Self.day - 1)
            #expect(try await broker.core.accounts.undoableMerge(merged.id) != nil)
            broker.clock.advance(seconds: 1)

            #expect(try await broker.core.accounts.undoableMerge(merged.id) == nil)
            await #expect(throws: BrokerError.mergeNotFound) {
                try await broker.core.accounts.undoMerge(merged.id, origin: Self.admin)
            }
        }
    }

    @Test func `deleting either user destroys the snapshot`() async throws {
        for isSurvivor in [true, false] {
            try await TestBroker.runWithMerges { broker in
                let merged = try await Merged(broker)

                _ = try await broker.core.accounts.deleteAccount(
                    localID: isSurvivor ? merged.survivorID : merged.absorbedID, origin: Self.admin)

                let left = try await broker.core.store.read {
                    try $0.mergeSnapshots(at: Timestamp(milliseconds: 0), limit: 10)
                }
                #expect(left.isEmpty)
                #expect(try await broker.core.admin.survivor(of: merged.absorbedID) == nil)
                #expect(try await (broker.user(merged.survivorID) == nil) == isSurvivor)
                await #expect(throws: BrokerError.userNotFound) {
                    _ = try await broker.core.accounts.deleteAccount(localID: merged.absorbedID, origin: Self.admin)
                }
            }
        }
    }

    @Test func `a snapshot is sealed for its own row`() async throws {
        try await TestBroker.runWithMerges { broker in
            let merged = try await Merged(broker)
            let now = Timestamp(broker.clock.now)
            let snapshot = try #require(
                try await broker.core.store.read { try $0.mergeSnapshot(id: merged.id, at: now) })
            var moved = snapshot
            (moved.id, moved.key) = ("another", snapshot.key + 1)
            try await broker.core.store.write { [moved] in try $0.insert(moved) }
            let token = try MergingAccount("7", email: "a@example.com").accessToken()

            await #expect(throws: BrokerError.mergeNotFound) {
                try await broker.core.accounts.undoMerge("another", origin: Self.admin)
            }
            let text = String(decoding: snapshot.sealedUsers, as: UTF8.self)
            for secret in [token, "a@example.com", merged.absorbedID] { #expect(!text.contains(secret)) }
            _ = try await broker.core.accounts.undoMerge(merged.id, origin: Self.admin)
        }
    }
}

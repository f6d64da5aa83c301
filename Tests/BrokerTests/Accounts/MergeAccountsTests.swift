import Broker
import BrokerStore
import Foundation
import ProviderKit
import ProviderSimulators
import Testing

@Suite("merging two users")
struct MergeAccountsTests {
    private static let admin = Origin(.admin, actor: "root")

    /// Two users that the provider has just reported as one account, the second one with GitHub as well.
    private static func twoUsers(
        _ broker: TestBroker, survivor: MergingAccount = .init("9"), absorbed: MergingAccount = .init("7"),
        login: String = "ada"
    ) async throws -> (survivor: Answer, absorbed: Answer) {
        let stays = try await broker.signIn(survivor)
        let goes = try await broker.signIn(absorbed)
        let linked = try await broker.link(broker.person(login), to: goes)
        #expect(linked.status == 200 && linked["errorMessage"] == nil, "\(linked.text)")
        _ = try await broker.signIn(.init(absorbed.subject, survivor: survivor.subject, absorbed: [absorbed.subject]))
        return (stays, linked)
    }

    @Test func `an approved merge moves everything to the surviving user and deletes the other`() async throws {
        try await TestBroker.runWithMerges { broker in
            let users = try await Self.twoUsers(broker)
            let localID = try users.survivor.string("localId")
            let goneID = try users.absorbed.string("localId")
            let gitHub = try #require(try await broker.user(goneID)?.identities.last)
            let id = try #require(try await broker.merges().first).merge.id

            let survivor = try await broker.core.accounts.approveMerge(id, origin: Self.admin)

            #expect(survivor.user.localID == localID)
            #expect(survivor.identities.map(\.subject) == ["9", gitHub.subject])
            #expect(try await broker.user(goneID) == nil)
            #expect(try await broker.lookup(users.absorbed.string("idToken")).code == "USER_NOT_FOUND")
            #expect(try await broker.refresh(users.absorbed.string("refreshToken")).code == "INVALID_REFRESH_TOKEN")
            #expect(try await broker.lookup(users.survivor.string("idToken")).status == 200)
            #expect(try await broker.signIn(.init("7"))["localId"]?.string == localID)
            #expect(try await broker.signIn(broker.person("ada"))["localId"]?.string == localID)
            let client = broker.simulator.defaultApplication.clientID
            let grant = try await broker.core.store.read { try $0.grant(identityKey: gitHub.key, clientID: client) }
            #expect(grant != nil, "the tokens of a moved identity stay with it")
        }
    }

    @Test func `both users' records tell of it`() async throws {
        try await TestBroker.runWithMerges { broker in
            let users = try await Self.twoUsers(broker)
            let (stays, goes) = (try users.survivor.string("localId"), try users.absorbed.string("localId"))
            let id = try #require(try await broker.merges().first).merge.id

            _ = try await broker.core.accounts.approveMerge(id, origin: Self.admin)

            #expect(try await broker.events(of: stays).first == "user.merged")
            #expect(try await broker.events(of: goes).first == "user.absorbed")
            let entry = try await broker.core.store.read { try $0.auditEntries(localID: goes, limit: 1) }.first
            let detail = try JSONValue(parsing: entry?.detail.text ?? "")
            #expect(entry?.actor == "root" && entry?.provider == MergingProvider.id)
            #expect(detail["survivor"]?.string == stays && detail["absorbed"]?.string == goes)
            for localID in [stays, goes] {
                let explained = try await broker.core.admin.explain(localID, limit: 1).decisions.first
                #expect(explained?.rule == "M-approved" && explained?.outcome == "merged", "\(localID)")
            }
        }
    }

    @Test func `the surviving user takes the other user's verified address only without one of its own`() async throws {
        try await TestBroker.runWithMerges { broker in
            for (number, own) in [nil, "own@example.com"].enumerated() {
                let other = "other-\(number)@example.com"
                let survivor = MergingAccount("s-\(number)", email: own)
                let stays = try await broker.signIn(survivor).string("localId")
                _ = try await broker.signIn(.init("a-\(number)", email: other))
                _ = try await broker.signIn(.init("a-\(number)", survivor: survivor.subject, email: other))
                let id = try #require(try await broker.merges().first).merge.id

                let merged = try await broker.core.accounts.approveMerge(id, origin: Self.admin).user

                #expect(merged.localID == stays && merged.email == own ?? other && merged.isEmailVerified)
            }
        }
    }

    @Test func `an unverified address is deleted with the user who had it`() async throws {
        try await TestBroker.runWithMerges({ $0.policy = .firebase }) { broker in
            let stays = try await broker.signIn(.init("9"))
            let goes = try await broker.signIn(.init("7"))
            let claimed = try await broker.update(goes, ["email": "claimed@example.com"])
            _ = try await broker.signIn(.init("7", survivor: "9"))
            let id = try #require(try await broker.merges().first).merge.id

            let merged = try await broker.core.accounts.approveMerge(id, origin: Self.admin).user

            #expect(claimed.status == 200)
            #expect(try merged.localID == stays.string("localId") && merged.email == nil)
        }
    }

    @Test func `a provider both users have is a conflict, and nothing is written until one of them loses it`()
        async throws
    {
        try await TestBroker.runWithMerges { broker in
            let users = try await Self.twoUsers(broker)
            let localIDs = [try users.survivor.string("localId"), try users.absorbed.string("localId")]
            _ = try await broker.link(broker.person("ben"), to: users.survivor)
            let id = try #require(try await broker.merges().first).merge.id
            func state() async throws -> [String] {
                var state: [String] = []
                for localID in localIDs {
                    let identities = try await broker.user(localID)?.identities.map { "\($0.userKey) \($0.subject)" }
                    state += (identities ?? ["gone"]) + (try await broker.events(of: localID))
                }
                return state
            }
            let before = try await state()

            await #expect(throws: BrokerError.mergeConflict(provider: "github.com")) {
                try await broker.core.accounts.approveMerge(id, origin: Self.admin)
            }

            #expect(try await state() == before)
            #expect(try await broker.merges().map(\.merge.id) == [id])
            _ = try await broker.core.accounts.unlink(provider: "github.com", from: localIDs[1], origin: Self.admin)
            let merged = try await broker.core.accounts.approveMerge(id, origin: Self.admin)
            #expect(merged.identities.map(\.provider) == [MergingProvider.id, "github.com"])
        }
    }

    @Test func `a disabled user is not merged`() async throws {
        try await TestBroker.runWithMerges { broker in
            let users = try await Self.twoUsers(broker)
            let id = try #require(try await broker.merges().first).merge.id
            for answer in [users.survivor, users.absorbed] {
                let localID = try answer.string("localId")
                _ = try await broker.core.accounts.disableUser(localID: localID, origin: Self.admin)

                await #expect(throws: BrokerError.userDisabled) {
                    try await broker.core.accounts.approveMerge(id, origin: Self.admin)
                }

                _ = try await broker.core.accounts.disableUser(false, localID: localID, origin: Self.admin)
            }
            #expect(try await broker.core.accounts.approveMerge(id, origin: Self.admin).identities.count == 2)
        }
    }

    @Test func `dismissed, it stays so whatever the provider says, and an administrator may think again`() async throws
    {
        try await TestBroker.runWithMerges { broker in
            let users = try await Self.twoUsers(broker)
            let goes = try users.absorbed.string("localId")
            let id = try #require(try await broker.merges().first).merge.id

            let dismissed = try await broker.core.accounts.dismissMerge(id, origin: Self.admin)
            let events = try await broker.events(of: goes)
            let decisions = try await broker.decisions(about: goes)
            let again = try await broker.signIn(.init("7", survivor: "9"))

            #expect(again["localId"]?.string == goes, "each signs in as itself")
            #expect(dismissed.merge.dismissedAt != nil)
            #expect(try await broker.merges().isEmpty)
            #expect(try await broker.merges(all: true).map(\.merge.id) == [id])
            #expect(events.first == "merge.dismissed" && decisions.first == "M-dismissed merge-dismissed")
            await #expect(throws: BrokerError.mergeNotFound) {
                try await broker.core.accounts.dismissMerge(id, origin: Self.admin)
            }
            _ = try await broker.core.accounts.approveMerge(id, origin: Self.admin)
            #expect(try await broker.merges(all: true).isEmpty)
            await #expect(throws: BrokerError.mergeNotFound) {
                try await broker.core.accounts.approveMerge(id, origin: Self.admin)
            }
        }
    }

    @Test func `what was merged stays one when the next merge comes`() async throws {
        try await TestBroker.runWithMerges { broker in
            let users = try await Self.twoUsers(broker)
            let localID = try users.survivor.string("localId")
            let first = try #require(try await broker.merges().first).merge.id
            _ = try await broker.core.accounts.approveMerge(first, origin: Self.admin)
            let last = try await broker.signIn(.init("1"))

            // The one who stayed is absorbed in turn, with all they had absorbed.
            _ = try await broker.signIn(.init("9", survivor: "1", absorbed: ["9", "7"]))
            let second = try #require(try await broker.merges().first)
            let merged = try await broker.core.accounts.approveMerge(second.merge.id, origin: Self.admin)

            #expect(second.absorbed.user.localID == localID)
            #expect(merged.identities.map(\.subject).contains("1"))
            for subject in ["1", "7", "9"] {
                #expect(try await broker.signIn(.init(subject))["localId"] == last["localId"], "\(subject)")
            }
        }
    }
}

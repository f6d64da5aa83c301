import Broker
import BrokerStore
import ProviderKit
import Testing

@Suite("merged accounts under a race")
struct MergeRaceTests {
    private static let rounds = 60

    @Test func `a subject and the account it was merged into are one user, in either order`() async throws {
        try await TestBroker.runWithMerges { broker in
            try await broker.withSecondCore(plugins: TestBroker.mergingPlugins) { other in
                for round in 0..<Self.rounds {
                    let (old, new) = ("old-\(round)", "new-\(round)")
                    // Every other round both in one process.
                    let second = round.isMultiple(of: 2) ? other : broker.core

                    async let one = broker.core.localID(signingIn: .init(old))
                    async let two = second.localID(signingIn: .init(new, survivor: new, absorbed: [old]))
                    let localIDs = try await [one, two]

                    #expect(localIDs[0] == localIDs[1], "round \(round)")
                    #expect(try await broker.core.localID(signingIn: .init(old)) == localIDs[0])
                    #expect(try await broker.core.localID(signingIn: .init(new)) == localIDs[0])
                }
                let users = try await broker.core.store.read { try $0.users(after: nil, limit: 1000) }
                #expect(users.count == Self.rounds)
            }
        }
    }

    @Test func `of two approvals at once one merges`() async throws {
        try await TestBroker.runWithMerges { broker in
            try await broker.withSecondCore(plugins: TestBroker.mergingPlugins) { other in
                for round in 0..<Self.rounds {
                    let (old, new) = ("old-\(round)", "new-\(round)")
                    let survivor = try await broker.core.localID(signingIn: .init(new))
                    _ = try await broker.core.localID(signingIn: .init(old))
                    _ = try await broker.core.localID(signingIn: .init(old, survivor: new))
                    let id = try #require(try await broker.merges().first).merge.id

                    async let one = broker.core.approves(id)
                    async let two = other.approves(id)
                    async let meanwhile = other.localID(signingIn: .init(old, survivor: new))

                    #expect(try await [one, two].filter(\.self).count == 1, "round \(round)")
                    #expect(try await meanwhile == survivor)
                    #expect(try await broker.core.localID(signingIn: .init(old)) == survivor)
                    #expect(try await broker.merges(all: true).isEmpty)
                }
            }
        }
    }

    @Test func `a refresh at the moment of the merge is answered, and its session goes on`() async throws {
        try await TestBroker.runWithMerges { broker in
            try await broker.withSecondCore(plugins: TestBroker.mergingPlugins) { other in
                for round in 0..<Self.rounds {
                    let (old, new) = ("old-\(round)", "new-\(round)")
                    let survivor = try await broker.core.localID(signingIn: .init(new))
                    let session = try await broker.signIn(.init(old))
                    let gone = try session.string("localId")
                    _ = try await broker.core.localID(signingIn: .init(old, survivor: new, proven: [old]))
                    let id = try #require(try await broker.merges().first).merge.id

                    async let approved = other.approves(id)
                    async let refreshed = broker.refresh(session.string("refreshToken"))
                    let (isApproved, answer) = try await (approved, refreshed)
                    let next = try await broker.refresh(answer.string("refresh_token"))

                    #expect(isApproved && answer.status == 200, "round \(round): \(answer.text)")
                    #expect([gone, survivor].contains(answer["user_id"]?.string), "round \(round)")
                    #expect(next["user_id"]?.string == survivor, "round \(round): \(next.text)")
                    let told = [answer, next].compactMap { $0["broker"]?["mergedFrom"]?.array }
                    #expect(told == [[.string(gone)]], "round \(round)")
                }
            }
        }
    }
}

extension BrokerCore {
    /// The user that a sign-in with an account resolves to.
    fileprivate func localID(signingIn account: MergingAccount) async throws -> String {
        let credential = try await accounts.verify(
            Credential(.accessToken(try account.accessToken())), from: MergingProvider.id)
        let outcome = try await accounts.signIn(credential, origin: Origin(.client))
        guard case .signedIn(let facts, _) = outcome else { throw TestFailure("no user was signed in") }
        return facts.user.localID
    }

    /// Whether this approval was the one that merged.
    fileprivate func approves(_ id: String) async throws -> Bool {
        do {
            _ = try await accounts.approveMerge(id, origin: Origin(.admin, actor: "root"))
            return true
        } catch BrokerError.mergeNotFound {
            return false
        }
    }
}

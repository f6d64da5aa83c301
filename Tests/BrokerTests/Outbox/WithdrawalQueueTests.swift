import BrokerStore
import Foundation
import ProviderKit
import ProviderSimulators
import Testing

@testable import Broker

@Suite("queueing the withdrawal of grants")
struct WithdrawalQueueTests {
    enum Road: CaseIterable {
        case accountsUpdate, accountsDelete, unlinkByAdministrator, deletionByAdministrator

        /// Gives up the user's identity of `github.work`, and maybe all others.
        func take(_ session: Answer, _ broker: TestBroker) async throws -> [JSONValue] {
            let (localID, origin) = (try session.string("localId"), Origin(.admin, actor: "test"))
            switch self {
            case .accountsUpdate:
                return try await broker.update(session, ["deleteProvider": ["github.work"]]).receipts
            case .accountsDelete: return try await broker.delete(session).receipts
            case .unlinkByAdministrator:
                return try await broker.core.accounts.unlink(provider: "github.work", from: localID, origin: origin)
                    .withdrawals.map { .object(JSONObject($0)) }
            case .deletionByAdministrator:
                return try await broker.core.accounts.deleteAccount(localID: localID, origin: origin)
                    .map { .object(JSONObject($0)) }
            }
        }

        var isDeletion: Bool { self == .accountsDelete || self == .deletionByAdministrator }
    }

    @Test(arguments: Road.allCases)
    func `every road queues the grants it deletes, and they are revoked`(road: Road) async throws {
        try await TestBroker.runWithTwoProviders { broker in
            let session = try await broker.signInWithTwoIdentities()
            let tokens = try await broker.storedTokens(of: session)

            let receipts = try await road.take(session, broker)

            let queued = try await broker.withdrawals()
            #expect(receipts.map { $0["receipt"]?.string } == queued.map(\.id))
            #expect(receipts.allSatisfy { $0["state"] == "queued" })
            #expect(queued.map(\.provider) == (road.isDeletion ? ["github.com", "github.work"] : ["github.work"]))
            #expect(queued.allSatisfy { $0.cause == (road.isDeletion ? .delete : .unlink) })
            #expect(tokens.count == 2 && tokens.allSatisfy(broker.simulator.isLive(token:)))

            try await broker.withdrawalWorker().turn()

            #expect(tokens.map(broker.simulator.isLive(token:)) == [!road.isDeletion, false])
            let done = try await broker.withdrawals()
            #expect(done.allSatisfy { $0.state == .done && $0.sealedGrant == nil && $0.attempts == 1 })
            let events = try await broker.events(of: session.string("localId"))
            #expect(events.count { $0 == "withdrawal.queued" } == queued.count)
            #expect(events.count { $0 == "withdrawal.done" } == queued.count)
        }
    }

    @Test func `the account page shows the receipts of what it unlinks and deletes`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let browser = TestBrowser(broker)
            _ = try await browser.signIn(try providers.person(at: "github.com", email: "ann@example.com"))
            let question = try await browser.connect(try providers.person(at: "gitlab.com", email: "ann@work.example"))
            let account = try await browser.submit("/account/link", on: question)

            let unlink = try await browser.submit("/account/unlink", on: account)
            let unlinked = try await browser.submit("/account/unlink", on: unlink)
            let forged = try await browser.visit(
                "/account?done=unlinked&provider=github.com&access=queued&receipt=call+us")
            let deletion = try await browser.submit("/account/delete", on: try await browser.visit("/account"))
            let deleted = try await browser.submit("/account/delete", on: deletion, ["understood": "yes"])

            let receipts = try await broker.withdrawals().map(\.id)
            #expect(receipts.count == 2)
            #expect(unlinked.html.contains(receipts[0]) && deleted.html.contains(receipts[1]))
            // The address of the way to sign in that is left.
            #expect(deleted.html.contains("The account of ann@work.example is deleted"))
            #expect(forged.html.contains("no longer connected") && !forged.html.contains("call us"))
        }
    }

    @Test func `the answer comes before the provider is asked`() async throws {
        try await TestBroker.run { broker in
            let session = try await broker.signIn(broker.person("ada"))
            broker.simulator.fail(.deleteGrant, with: .hang)

            let answer = try await broker.delete(session)

            #expect(answer.status == 200 && answer.receipts.count == 1)
            #expect(broker.simulator.hits(.deleteGrant) == 0)
        }
    }

    @Test func `a refused deletion or unlink queues nothing`() async throws {
        try await TestBroker.run { broker in
            let session = try await broker.signIn(broker.person("ada"))

            let unlink = try await broker.update(session, ["deleteProvider": ["github.com"]])
            broker.clock.advance(seconds: 301)
            let deletion = try await broker.delete(session)

            #expect(unlink.code == "LAST_SIGN_IN_METHOD" && deletion.code == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
            #expect(try await broker.withdrawals().isEmpty)
        }
    }

    @Test func `a user without a stored token or a revocable one is told so`() async throws {
        try await TestProviders.run { broker, providers in
            let person = try providers.person(at: "apple.com", email: "ann@example.com")

            let answer = try await broker.delete(broker.signIn(person))

            #expect(answer.receipts == [["providerId": "apple.com", "state": "nothingStored"]])
            #expect(try await broker.withdrawals().isEmpty)
        }
        try await TestBroker.runWithMerges { broker in
            let answer = try await broker.delete(broker.signIn(MergingAccount("one")))

            #expect(
                answer.receipts == [["providerId": .string(MergingProvider.id), "state": "notSupported"]])
            #expect(try await broker.withdrawals().isEmpty)
        }
    }

    @Test func `a user without any identity gets no receipt`() async throws {
        try await TestBroker.run { broker in
            let answer = try await broker.delete(broker.signUp())

            #expect(answer.body == ["kind": "identitytoolkit#DeleteAccountResponse"])
        }
    }

    @Test func `an administrator revokes a grant, and the identity stays`() async throws {
        try await TestBroker.runWithTwoProviders { broker in
            let session = try await broker.signInWithTwoIdentities()
            let tokens = try await broker.storedTokens(of: session)
            let localID = try session.string("localId")

            let receipts = try await broker.core.accounts.revokeGrants(
                at: "github.work", of: localID, origin: Origin(.admin, actor: "test"))
            try await broker.withdrawalWorker().turn()

            let row = try await broker.withdrawal()
            #expect(receipts == [WithdrawalReceipt(provider: "github.work", state: .queued(id: row.id))])
            #expect(row.state == .done && row.cause == .revoke)
            #expect(tokens.map(broker.simulator.isLive(token:)) == [true, false])
            #expect(try await broker.storedTokens(of: session) == [tokens[0]])
            #expect(try await broker.record(session)["providerUserInfo"]?.array?.count == 2)
            #expect(try await broker.refresh(session.string("refreshToken")).status == 200)
        }
    }

    @Test func `the identity that a merge absorbs is not withdrawn`() async throws {
        try await TestBroker.run { broker in
            let survivor = try await broker.signIn(broker.person("ada")).string("localId")
            let absorbed = try await broker.signIn(broker.person("ben"))
            let tokens = try await broker.storedTokens(of: absorbed)

            let (now, other) = (Timestamp(broker.clock.now), try absorbed.string("localId"))
            _ = try await broker.core.store.write(at: now) { transaction in
                try transaction.insert(
                    PendingMerge(
                        key: transaction.nextKey(), id: "merge",
                        survivorKey: transaction.record(of: survivor).user.key,
                        absorbedKey: transaction.record(of: other).user.key, provider: "github.com", createdAt: now))
            }
            _ = try await broker.core.accounts.approveMerge("merge", origin: Origin(.admin, actor: "test"))

            #expect(try await broker.withdrawals().isEmpty)
            #expect(tokens.count == 1 && tokens.allSatisfy(broker.simulator.isLive(token:)))
        }
    }

    @Test func `a row has neither token nor subject in the clear`() async throws {
        try await TestBroker.run { broker in
            let session = try await broker.signIn(broker.person("ada"))
            let token = try #require(try await broker.storedTokens(of: session).first)
            let subject = try #require(session["federatedId"]?.string)

            _ = try await broker.delete(session)

            let row = try await broker.withdrawal()
            let sealed = String(decoding: row.sealedGrant ?? [], as: UTF8.self)
            #expect(!sealed.contains(token) && !sealed.contains(subject) && row.subjectHash != subject)
            let texts = [row.id, row.provider, row.issuer, row.subjectHash, row.clientID]
            #expect(try !texts.contains { try $0.contains(session.string("localId")) })
            // The seal is bound to its own row.
            var moved = row
            moved.id += "0"
            #expect(throws: SealError.self) {
                try WithdrawnGrant(opening: moved, with: broker.core.outbox.withdrawals.sealer)
            }
        }
    }
}

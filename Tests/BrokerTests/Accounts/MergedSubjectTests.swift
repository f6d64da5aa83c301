import Broker
import BrokerStore
import Foundation
import ProviderKit
import Testing

@Suite("accounts a provider has made one")
struct MergedSubjectTests {
    @Test func `every subject of one user leads to that user, under the name the user had first`() async throws {
        try await TestBroker.runWithMerges { broker in
            let first = try await broker.signIn(.init("7"))
            let localID = try first.string("localId")

            let merged = try await broker.signIn(.init("7", survivor: "9", absorbed: ["7", "8"]))
            let others = [
                try await broker.signIn(.init("8")), try await broker.signIn(.init("9")),
                try await broker.signIn(.init("10", survivor: "9", absorbed: ["8", "7"])),
            ]

            #expect(merged["localId"]?.string == localID && merged["isNewUser"] != true)
            #expect(try others.map { try $0.string("localId") } == Array(repeating: localID, count: 3))
            #expect(try await broker.user(localID)?.identities.map(\.subject) == ["7"])
            #expect(try await broker.merges(all: true).isEmpty)
            #expect(try await broker.signIn(.init("10"))["localId"]?.string == localID)
        }
    }

    @Test func `a new user is known by every subject at once`() async throws {
        try await TestBroker.runWithMerges { broker in
            let created = try await broker.signIn(.init("7", survivor: "9", absorbed: ["8"]))

            #expect(created["isNewUser"] == true)
            for subject in ["7", "8", "9"] {
                let again = try await broker.signIn(.init(subject))
                #expect(again["localId"] == created["localId"] && again["isNewUser"] != true, "\(subject)")
            }
            #expect(try await broker.user(created.string("localId"))?.identities.map(\.subject) == ["7"])
        }
    }

    @Test func `the survivor's holder is signed in, else the subject's, else the first absorbed one's`() async throws {
        try await TestBroker.runWithMerges { broker in
            var holders: [String: String] = [:]
            for subject in ["survivor", "subject", "first", "second"] {
                holders[subject] = try await broker.signIn(.init(subject)).string("localId")
            }
            func leads(_ subject: String, _ survivor: String, _ absorbed: [String]) async throws -> String? {
                try await broker.signIn(.init(subject, survivor: survivor, absorbed: absorbed))["localId"]?.string
            }

            #expect(try await leads("subject", "survivor", ["first", "second"]) == holders["survivor"])
            #expect(try await leads("subject", "unknown-1", ["first", "second"]) == holders["subject"])
            #expect(try await leads("unknown-2", "unknown-3", ["second", "first"]) == holders["second"])
        }
    }

    @Test func `a provider's assertion merges no users, and one merge waits for approval`() async throws {
        try await TestBroker.runWithMerges { broker in
            let survivor = try await broker.signIn(.init("9"))
            let absorbed = try await broker.signIn(.init("7"))
            let before = try await broker.record(absorbed)

            for _ in 1...2 {
                let answer = try await broker.signIn(.init("7", survivor: "9", absorbed: ["7"]))
                #expect(answer["localId"] == survivor["localId"])
            }
            let reversed = try await broker.signIn(.init("9", survivor: "7", absorbed: ["9"]))

            let merges = try await broker.merges()
            #expect(merges.map(\.survivor.user.localID) == [try survivor.string("localId")])
            #expect(merges.map(\.absorbed.user.localID) == [try absorbed.string("localId")])
            #expect(merges.map(\.merge.provider) == [MergingProvider.id])
            #expect(
                reversed["localId"] == absorbed["localId"], "the latest word on who survives counts for the sign-in")
            #expect(try await broker.lookup(absorbed.string("idToken")).status == 200)
            #expect(before["providerUserInfo"]?.array?.count == 1)
            for answer in [survivor, absorbed] {
                let localID = try answer.string("localId")
                #expect(try await broker.events(of: localID).filter { $0 == "merge.pending" }.count == 1)
                #expect(try await broker.decisions(about: localID).contains("M-pending merge-pending"))
                #expect(try await broker.user(localID)?.identities.count == 1)
            }
        }
    }

    @Test func `a disabled user does not come in by another one's subject`() async throws {
        try await TestBroker.runWithMerges(autoMerge: true) { broker in
            let survivor = try await broker.signIn(.init("9"))
            let disabled = try await broker.signIn(.init("7"))
            _ = try await broker.core.accounts.disableUser(
                localID: disabled.string("localId"), origin: Origin(.admin, actor: "root"))

            let refused = try await broker.signIn(.init("7", survivor: "9", absorbed: ["7"]))
            let nothing = try await broker.merges()
            let allowed = try await broker.signIn(.init("9", survivor: "9", absorbed: ["7"]))

            #expect(refused.code == "USER_DISABLED" && nothing.isEmpty)
            #expect(allowed["localId"] == survivor["localId"])
            #expect(try await broker.user(disabled.string("localId"))?.user.isDisabled == true)
            #expect(try await broker.decisions(about: disabled.string("localId")).contains("M-disabled merge-pending"))
        }
    }

    @Test(arguments: ["", "null", "a b", "é", "0", String(repeating: "1", count: 256)])
    func `an invalid subject is refused among the merged ones too`(subject: String) async throws {
        try await TestBroker.runWithMerges { broker in
            let survivor = try await broker.signIn(.init("7", survivor: subject))
            let absorbed = try await broker.signIn(.init("7", survivor: "7", absorbed: ["8", subject]))

            #expect(survivor.code == "INVALID_IDP_RESPONSE" && absorbed.code == "INVALID_IDP_RESPONSE")
            #expect(try await broker.core.store.read { try $0.users(after: nil, limit: 10) }.isEmpty)
        }
    }

    @Test func `a hundred absorbed subjects count, each once`() async throws {
        try await TestBroker.runWithMerges { broker in
            let absorbed = (1...150).flatMap { ["a-\($0)", "a-\($0)"] }
            let created = try await broker.signIn(.init("7", survivor: "7", absorbed: absorbed))
            let key = try #require(try await broker.user(created.string("localId"))?.identities.first?.key)

            let aliases = try await broker.core.store.read { try $0.aliases(of: key) }.map(\.subject)

            #expect(Set(aliases) == Set((1...100).map { "a-\($0)" }))
        }
    }

    @Test func `a subject that one user holds is not linked to another`() async throws {
        try await TestBroker.runWithMerges { broker in
            let holder = try await broker.signIn(.init("8"))
            let session = try await broker.signIn(broker.person("ada"))

            let refused = try await broker.link(.init("7", survivor: "9", absorbed: ["8"]), to: session)
            let linked = try await broker.link(.init("7", survivor: "9", absorbed: ["6"]), to: session)

            #expect(refused.code == "FEDERATED_USER_ID_ALREADY_LINKED", "\(refused.text)")
            #expect(linked["localId"] == session["localId"])
            for subject in ["6", "9"] {
                #expect(try await broker.signIn(.init(subject))["localId"] == session["localId"], "\(subject)")
            }
            #expect(try await broker.signIn(.init("8"))["localId"] == holder["localId"])
        }
    }

    @Test func `a pending token keeps every subject`() async throws {
        try await TestBroker.runWithMerges { broker in
            let session = try await broker.signIn(broker.person("ada"))
            let email = try session.string("email")
            let account = MergingAccount("7", survivor: "9", absorbed: ["8"], email: email)

            let answer = try await broker.signIn(account)
            let linked = try await broker.usePending(
                answer.string("pendingToken"), idToken: session.string("idToken"))

            #expect(answer["needConfirmation"] == true && linked.status == 200, "\(linked.text)")
            #expect(try await broker.signIn(.init("8"))["localId"] == session["localId"])
        }
    }

    @Test func `further subjects go with their identity`() async throws {
        try await TestBroker.runWithMerges { broker in
            let session = try await broker.signIn(broker.person("ada"))
            _ = try await broker.link(.init("7", survivor: "9", absorbed: ["8"]), to: session)

            _ = try await broker.update(session, ["deleteProvider": [.string(MergingProvider.id)]])

            let again = try await broker.signIn(.init("8"))
            #expect(again["isNewUser"] == true && again["localId"] != session["localId"])
        }
    }

    @Test func `reauthentication recognises a user by any subject`() async throws {
        try await TestBroker.runWithMerges { broker in
            let localID = try await broker.signIn(.init("7", survivor: "9", absorbed: ["8"])).string("localId")

            for account in [MergingAccount("8"), .init("5", survivor: "9")] {
                let credential = try await broker.core.accounts.verify(
                    Credential(.accessToken(try account.accessToken())), from: MergingProvider.id)
                let finding = try await broker.core.accounts.reauthenticate(
                    credential, as: localID, origin: Origin(.admin, actor: "root"))
                #expect(finding.matches, "\(account.subject)")
            }
        }
    }
}

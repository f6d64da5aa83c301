import Broker
import BrokerStore
import Foundation
import ProviderKit
import Testing

@Suite("merges the operator wants at once")
struct AutomaticMergeTests {
    @Test func `a sign-in merges every user the provider reports as the same account, and returns the merged user`()
        async throws
    {
        try await TestBroker.runWithMerges(autoMerge: true) { broker in
            let survivor = try await broker.signIn(.init("9"))
            let localID = try survivor.string("localId")
            let gone = [
                try await broker.signIn(.init("7")), try await broker.signIn(.init("8", email: "a@example.com")),
            ]

            let answer = try await broker.signIn(.init("8", survivor: "9", absorbed: ["7", "8"]))

            #expect(answer["localId"]?.string == localID)
            #expect(try await broker.record(answer)["email"] == "a@example.com")
            let claims = try broker.claims(of: answer)
            #expect(claims["email"] == "a@example.com", "\(claims)")
            for answer in gone {
                #expect(try await broker.user(answer.string("localId")) == nil)
                #expect(try await broker.lookup(answer.string("idToken")).code == "USER_NOT_FOUND")
                #expect(try await broker.events(of: answer.string("localId")).first == "user.absorbed")
            }
            #expect(try await broker.decisions(about: localID).filter { $0 == "M-automatic merged" }.count == 2)
            #expect(try await broker.merges(all: true).isEmpty)
        }
    }

    @Test func `a conflict does not prevent the sign-in and waits for an administrator`() async throws {
        try await TestBroker.runWithMerges(autoMerge: true) { broker in
            let survivor = try await broker.signIn(.init("9"))
            let other = try await broker.signIn(.init("7"))
            let linked = [
                try await broker.link(broker.person("ada"), to: survivor),
                try await broker.link(broker.person("ben"), to: other),
            ]

            let answer = try await broker.signIn(.init("7", survivor: "9"))

            #expect(linked.allSatisfy { $0.status == 200 && $0["errorMessage"] == nil })
            #expect(answer["localId"] == survivor["localId"])
            #expect(try await broker.merges().count == 1)
            #expect(try await broker.decisions(about: other.string("localId")).contains("M-conflict merge-pending"))
            #expect(try await broker.user(other.string("localId"))?.identities.count == 2)
        }
    }

    @Test func `a user with other ways to sign in waits for an administrator`() async throws {
        try await TestBroker.runWithMerges(autoMerge: true) { broker in
            let survivor = try await broker.signIn(.init("9"))
            let other = try await broker.signIn(.init("7"))
            _ = try await broker.link(broker.person("ada"), to: other)

            let answer = try await broker.signIn(.init("7", survivor: "9", absorbed: ["7"]))

            let localID = try other.string("localId")
            #expect(answer["localId"] == survivor["localId"])
            #expect(try await broker.decisions(about: localID).contains("M-identities merge-pending"))
            let id = try #require(try await broker.merges().first).merge.id
            let merged = try await broker.core.accounts.approveMerge(id, origin: Origin(.admin, actor: "root"))
            #expect(merged.identities.map(\.provider) == [MergingProvider.id, "github.com"])
        }
    }

    @Test func `users an administrator keeps apart are not merged, and each signs in as itself`() async throws {
        try await TestBroker.runWithMerges(autoMerge: true) { broker in
            let users = [try await broker.signIn(.init("9")), try await broker.signIn(.init("7"))]
            let linked = try await broker.link(broker.person("ada"), to: users[1])
            _ = try await broker.signIn(.init("7", survivor: "9", absorbed: ["7"]))
            let id = try #require(try await broker.merges().first).merge.id
            _ = try await broker.core.accounts.dismissMerge(id, origin: Origin(.admin, actor: "root"))
            _ = try await broker.update(linked, ["deleteProvider": ["github.com"]])

            for (number, subject) in ["9", "7"].enumerated() {
                let answer = try await broker.signIn(.init(subject, survivor: "9", absorbed: ["7"], proven: ["7"]))
                #expect(answer["localId"] == users[number]["localId"], "\(subject)")
            }
            #expect(try await broker.merges().isEmpty)
        }
    }

    @Test func `without the operator's permission the entry merges no users`() async throws {
        try await TestBroker.runWithMerges(autoMerge: false) { broker in
            let users = [try await broker.signIn(.init("9")), try await broker.signIn(.init("7"))]

            _ = try await broker.signIn(.init("7", survivor: "9"))

            for answer in users { #expect(try await broker.user(answer.string("localId")) != nil) }
        }
    }

    /// Lets a device sign in with an anonymous account, which the provider then merges into a known one.
    private static func mergeDevice(
        _ broker: TestBroker, proven: Bool = true, before: (_ device: Answer) async throws -> Void = { _ in }
    ) async throws -> (device: String, survivor: String) {
        let survivor = try await broker.signIn(.init("9")).string("localId")
        let device = try await broker.signIn(.init("7", isAnonymous: true))
        try await before(device)
        let answer = try await broker.signIn(.init("9", survivor: "9", absorbed: ["7"], proven: proven ? ["7"] : []))
        #expect(answer["localId"]?.string == survivor)
        return (try device.string("localId"), survivor)
    }

    @Test func `a device that became an account by a proof is merged without an administrator`() async throws {
        try await TestBroker.runWithMerges { broker in
            let users = try await Self.mergeDevice(broker)

            #expect(try await broker.user(users.device) == nil)
            #expect(try await broker.core.admin.survivor(of: users.device) == users.survivor)
            #expect(try await broker.decisions(about: users.survivor).contains("M-anonymous merged"))
            #expect(try await broker.core.accounts.undoableMerges(limit: 1).count == 1)
        }
    }

    /// What keeps the merge of a device for an administrator.
    enum DeviceObstacle: CaseIterable, Sendable {
        case policy, unproven, promoted, linked, customToken, claims, imported, disabled, dismissed
    }

    @Test(arguments: DeviceObstacle.allCases)
    func `any other merge of a device waits for an administrator`(obstacle: DeviceObstacle) async throws {
        let change: (inout Configuration) -> Void = {
            if obstacle == .policy { $0.policy.anonymousMerges = .administrator }
        }
        try await TestBroker.runWithMerges(change) { broker in
            let users = try await Self.mergeDevice(broker, proven: obstacle != .unproven) { device in
                let localID = try device.string("localId")
                let record = try #require(try await broker.user(localID))
                let identity = try #require(record.identities.first)
                switch obstacle {
                case .policy, .unproven: break
                case .promoted: _ = try await broker.signIn(.init("7", isAnonymous: false))
                case .linked: _ = try await broker.link(broker.person("ada"), to: device)
                case .customToken:
                    try await broker.change(record.user) { $0.isCustomAuth = true }
                case .claims: try await broker.change(record.user) { $0.customAttributes = #"{"role":"admin"}"# }
                case .imported:
                    var imported = identity
                    imported.importedAt = identity.linkedAt
                    try await broker.core.store.write { [imported] in
                        try $0.refreshProfile(of: identity, to: imported)
                    }
                case .disabled:
                    _ = try await broker.core.accounts.disableUser(
                        localID: localID, origin: Origin(.admin, actor: "root"))
                case .dismissed:
                    _ = try await broker.signIn(.init("9", survivor: "9", absorbed: ["7"]))
                    let id = try #require(try await broker.merges().first).merge.id
                    _ = try await broker.core.accounts.dismissMerge(id, origin: Origin(.admin, actor: "root"))
                }
            }

            #expect(try await broker.user(users.device) != nil)
            #expect(try await broker.merges(all: true).count == 1)
        }
    }
}

extension TestBroker {
    /// Changes the row of a user as no flow does.
    fileprivate func change(_ user: User, _ change: (inout User) -> Void) async throws {
        var changed = user
        change(&changed)
        try await core.store.write { [changed] transaction in
            if changed.isCustomAuth { try transaction.recordCustomAuth(userKey: changed.key) }
            try transaction.writeAdministeredFields(of: changed)
        }
    }
}

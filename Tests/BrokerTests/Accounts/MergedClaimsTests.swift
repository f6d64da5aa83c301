import Broker
import BrokerStore
import Foundation
import ProviderKit
import Testing

@Suite("custom claims of merged users")
struct MergedClaimsTests {
    private static let admin = Origin(.admin, actor: "root")

    /// Two users that the provider reports as the same account, with custom claims; the merge is pending.
    private struct Pair {
        let broker: TestBroker
        let survivorID, absorbedID: String
        let id: String

        init(_ broker: TestBroker, survivor: String?, absorbed: String?) async throws {
            self.broker = broker
            survivorID = try await broker.signIn(.init("9")).string("localId")
            absorbedID = try await broker.signIn(.init("7")).string("localId")
            try await MergedClaimsTests.set(survivor, of: survivorID, broker)
            try await MergedClaimsTests.set(absorbed, of: absorbedID, broker)
            _ = try await broker.signIn(.init("7", survivor: "9", absorbed: ["7"]))
            id = try #require(try await broker.merges().first).merge.id
        }

        func approve(_ claims: MergedClaims? = nil) async throws {
            _ = try await broker.core.accounts.approveMerge(id, claims: claims, origin: MergedClaimsTests.admin)
        }

        func undo() async throws -> UndoMergeOutcome {
            try await broker.core.accounts.undoMerge(id, origin: MergedClaimsTests.admin)
        }
    }

    private static func set(_ claims: String?, of localID: String, _ broker: TestBroker) async throws {
        var user = try #require(try await broker.user(localID)?.user)
        user.customAttributes = claims
        try await broker.core.store.write { [user] in try $0.writeAdministeredFields(of: user) }
    }

    private static func claims(of localID: String, _ broker: TestBroker) async throws -> JSONObject {
        let text = try #require(try await broker.user(localID)).user.customAttributes
        return try JSONValue(parsing: text ?? "{}").object ?? JSONObject()
    }

    static let undecided: [(String?, String)] = [
        (nil, #"{"role":"admin"}"#), (#"{"plan":"pro"}"#, #"{"role":"admin"}"#),
        (#"{"role":"reader"}"#, #"{"role":"admin"}"#), (#"{"role":"admin"}"#, #"{"role":"admin","plan":"pro"}"#),
    ]

    @Test(arguments: undecided)
    func `claims that the remaining user lacks or has otherwise need a decision that sees both sets`(
        survivor: String?, absorbed: String
    ) async throws {
        try await TestBroker.runWithMerges { broker in
            let pair = try await Pair(broker, survivor: survivor, absorbed: absorbed)

            await #expect(throws: MergedClaimsUndecided.self) { try await pair.approve() }
            #expect(try await broker.merges().map(\.merge.id) == [pair.id])
            #expect(try await broker.user(pair.absorbedID) != nil, "nothing was written")
            try await pair.approve(.survivor)
            #expect(try await broker.user(pair.survivorID)?.user.customAttributes == survivor)
            let entry = try await broker.core.store.read { try $0.auditEntries(localID: pair.survivorID, limit: 1) }
            #expect(try JSONValue(parsing: entry.first?.detail.text ?? "")["claims"] == "survivor")
        }
    }

    @Test func `an administrator may give the remaining user the claims of the other`() async throws {
        try await TestBroker.runWithMerges { broker in
            let pair = try await Pair(broker, survivor: #"{"plan":"pro"}"#, absorbed: #"{"role":"admin"}"#)

            try await pair.approve(.absorbed)

            #expect(try await Self.claims(of: pair.survivorID, broker) == ["role": "admin"])
        }
    }

    @Test(
        arguments: [
            (nil, nil), (#"{"plan":"pro"}"#, nil), (#"{"plan":"pro"}"#, "{}"),
            (#"{"plan":"pro","n":1}"#, #"{ "n": 1 }"#),
        ] as [(String?, String?)])
    func `equal claims need no decision`(survivor: String?, absorbed: String?) async throws {
        try await TestBroker.runWithMerges { broker in
            let pair = try await Pair(broker, survivor: survivor, absorbed: absorbed)

            try await pair.approve()

            #expect(try await broker.user(pair.survivorID)?.user.customAttributes == survivor)
        }
    }

    @Test func `autoMerge leaves a merge with other claims to an administrator`() async throws {
        try await TestBroker.runWithMerges(autoMerge: true) { broker in
            let survivor = try await broker.signIn(.init("9")).string("localId")
            let absorbed = try await broker.signIn(.init("7")).string("localId")
            try await Self.set(#"{"role":"admin"}"#, of: absorbed, broker)

            _ = try await broker.signIn(.init("7", survivor: "9", absorbed: ["7"], proven: ["7"]))

            #expect(try await broker.merges().count == 1)
            #expect(try await broker.decisions(about: absorbed).contains("M-claims merge-pending"))
            #expect(try await broker.user(survivor)?.user.customAttributes == nil)
        }
    }

    @Test func `an undo restores no claims, and says which there were`() async throws {
        try await TestBroker.runWithMerges { broker in
            let both = #"{"role":"admin"}"#
            let pair = try await Pair(broker, survivor: both, absorbed: both)
            try await pair.approve()
            // What an administrator withdraws from the one user that there is.
            try await Self.set(nil, of: pair.survivorID, broker)
            let listed = try #require(try await broker.core.accounts.undoableMerge(pair.id)).conflicts

            let outcome = try await pair.undo()

            #expect(listed == [.claimsNotRestored(names: ["role"])] && outcome.conflicts == listed)
            #expect(outcome.restored.user.customAttributes == nil)
            #expect(outcome.survivor.user.customAttributes == nil)
            let claims = try broker.claims(of: try await broker.signIn(.init("7")))
            #expect(claims["sub"]?.string == pair.absorbedID && claims["role"] == nil)
        }
    }

    @Test func `an undo takes the claims that the merge gave, and leaves those that came since`() async throws {
        try await TestBroker.runWithMerges { broker in
            let pair = try await Pair(
                broker, survivor: #"{"plan":"pro","n":1}"#, absorbed: #"{"role":"admin","plan":"free","n":1}"#)
            try await pair.approve(.absorbed)
            try await Self.set(#"{"role":"admin","plan":"free","n":1,"beta":true}"#, of: pair.survivorID, broker)

            let outcome = try await pair.undo()

            #expect(
                outcome.conflicts == [
                    .claimsNotRestored(names: ["role", "plan", "n"]), .claimsRemoved(names: ["role", "plan"]),
                ], "\(outcome.conflicts)")
            #expect(try await Self.claims(of: pair.survivorID, broker) == ["n": 1, "beta": true])
            #expect(try await Self.claims(of: pair.absorbedID, broker) == [:])
        }
    }

    @Test func `the operations show both sets, ask for the decision and take it`() async throws {
        try await TestBroker.runWithMerges { broker in
            let pair = try await Pair(broker, survivor: #"{"plan":"pro"}"#, absorbed: #"{"role":"admin"}"#)
            let administrator = try await ConfigurationAdministrator(of: broker, scopes: [.readUsers, .writeUsers])
            let merge: JSONValue = ["id": .string(pair.id)]

            let shown = try await administrator.run("merges.show", merge)
            let refused = try await administrator.run("merges.approve", merge)
            let unknown = try await administrator.run(
                "merges.approve", ["id": .string(pair.id), "claims": "both"])
            let approved = try await administrator.run(
                "merges.approve", ["id": .string(pair.id), "claims": "absorbed"])

            #expect(shown["survivor"]?["customAttributes"] == #"{"plan":"pro"}"#, "\(shown.text)")
            #expect(shown["absorbed"]?["customAttributes"] == #"{"role":"admin"}"#)
            #expect(refused.status == 400 && refused.code == "MERGE_CLAIMS_UNDECIDED", "\(refused.text)")
            for set in [#"{"plan":"pro"}"#, #"{"role":"admin"}"#] {
                #expect(refused.message?.contains(set) == true, "\(refused.text)")
            }
            #expect(unknown.status == 400, "\(unknown.text)")
            #expect(approved["survivor"]?["customAttributes"] == #"{"role":"admin"}"#, "\(approved.text)")
        }
    }
}

import Broker
import ProviderKit
import ProviderSimulators
import Testing

@Suite("what an automatic link leaves of the profile")
struct AutoLinkTests {
    /// Signs Ada in with a name and a picture, then with a provider that proves her address and sends neither.
    private static func link(
        _ policy: Policy, editing changes: JSONObject? = nil, _ check: (Answer, JSONValue) throws -> Void
    ) async throws {
        try await TestBroker.runWithMerges({ $0.policy = policy }) { broker in
            let ada = try broker.person("ada")
            broker.simulator.update(personID: ada.id) { $0.avatarURL = "https://p.example/ada.png" }
            let first = try await broker.signIn(ada)
            let before = try await broker.record(first)
            #expect(before["displayName"] != nil && before["photoUrl"] == "https://p.example/ada.png")
            if let changes { #expect(try await broker.update(first, changes).status == 200) }

            let joined = try await broker.signIn(MergingAccount("m-1", email: "ada@example.com"))

            #expect(joined["localId"] == first["localId"], "\(joined.text)")
            let record = try await broker.record(joined)
            #expect(record["emailVerified"] == true && record["providerUserInfo"]?.array?.count == 2)
            try check(joined, record)
        }
    }

    @Test func `firebase clears what the new provider does not send`() async throws {
        try await Self.link(.firebase) { answer, record in
            #expect(record["displayName"] == nil && record["photoUrl"] == nil && record["screenName"] == nil)
        }
    }

    @Test func `with the strict setting it stays`() async throws {
        var policy = Policy.firebase
        policy.autoLinkProfile = .strict
        try await Self.link(policy) { answer, record in
            #expect(record["displayName"] != nil && record["photoUrl"] == "https://p.example/ada.png")
            #expect(record["screenName"] == "ada")
        }
    }

    @Test func `what the user edited stays, also what the user removed`() async throws {
        try await Self.link(.firebase, editing: ["displayName": "Countess"]) { _, record in
            #expect(record["displayName"] == "Countess" && record["photoUrl"] == nil && record["screenName"] == nil)
        }
        try await Self.link(.firebase, editing: ["photoUrl": "https://p.example/own.png"]) { _, record in
            #expect(record["displayName"] == nil && record["photoUrl"] == "https://p.example/own.png")
        }
    }
}

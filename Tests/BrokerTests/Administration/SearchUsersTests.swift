import Foundation
import GitLab
import ProviderKit
import Testing

@testable import Broker
@testable import BrokerStore

@Suite("users.search")
struct SearchUsersTests {
    private static func search(
        _ operation: SearchUsers, at broker: TestBroker
    ) async throws -> SearchUsers.Answer {
        try await operation.run(for: AdminCall(broker.core.admin, origin: Origin(.admin, actor: "test")))
    }

    private static func found(_ text: String, at broker: TestBroker) async throws -> [String] {
        try await search(SearchUsers(text: text), at: broker).users.map(\.localId)
    }

    @Test func `finds a user by the beginnings of what a sign-in brought`() async throws {
        try await TestBroker.run { broker in
            let ada = try await broker.signIn(broker.person("ada")).string("localId")
            let user = try #require(try await broker.user(ada))
            let identity = try #require(user.identities.first)
            let name = try #require(user.user.displayName)
            let address = try #require(user.user.email)

            for text in [
                name, name.uppercased(), String(name.prefix(2)),
                name.split(separator: " ").reversed().joined(separator: " "),
                address, String(address.prefix(4)), "@example.com", ada, String(ada.prefix(6)).lowercased(),
                identity.subject,
            ] {
                #expect(try await Self.found(text, at: broker) == [ada], "\(text)")
            }
            #expect(try await Self.found("\(name) nobody", at: broker) == [])
        }
    }

    @Test func `finds what links, changes and deletions leave`() async throws {
        try await TestBroker.runWithMerges { broker in
            let survivor = try await broker.signIn(.init("90009")).string("localId")
            let absorbed = try await broker.signIn(.init("70007"))
            _ = try await broker.link(broker.person("ada"), to: absorbed)
            let absorbedID = try absorbed.string("localId")
            #expect(try await Self.found("70007", at: broker) == [absorbedID])
            #expect(try await Self.found("ada", at: broker) == [absorbedID])

            _ = try await broker.signIn(.init("70007", survivor: "90009", absorbed: ["70007"]))
            let merge = try #require(try await broker.merges().first).merge.id
            _ = try await broker.core.accounts.approveMerge(merge, origin: Origin(.admin, actor: "root"))

            for text in ["70007", "90009", "ada", absorbedID] {
                #expect(try await Self.found(text, at: broker) == [survivor], "\(text)")
            }

            _ = try await broker.core.accounts.undoMerge(merge, origin: Origin(.admin, actor: "root"))

            for text in ["70007", "ada", absorbedID] {
                #expect(try await Self.found(text, at: broker) == [absorbedID], "\(text)")
            }
            #expect(try await Self.found("90009", at: broker) == [survivor])

            try await broker.core.accounts.deleteAccount(
                localID: absorbedID, origin: Origin(.admin, actor: "root"))

            for text in ["70007", "ada", absorbedID] {
                #expect(try await Self.found(text, at: broker) == [], "\(text)")
            }
            #expect(try await broker.core.store.read { try $0.usersWithOtherWords(after: 0, limit: 10).users } == [])
        }
    }

    @Test func `finds users who were created, changed and imported by administrators`() async throws {
        try await TestBroker.run { broker in
            let call = AdminCall(broker.core.admin, origin: Origin(.admin, actor: "test"))
            let created = try await Self.decode(
                CreateUserOperation.self, ["localId": "first", "displayName": "Grace Hopper"]
            ).run(for: call)
            #expect(created["localId"] == "first")
            _ = try await Self.decode(UpdateUser.self, ["user": "first", "displayName": "Amazing Grace"]).run(for: call)

            #expect(try await Self.found("amaz", at: broker) == ["first"])
            #expect(try await Self.found("hopper", at: broker) == [])
        }
    }

    private static func decode<Operation: AdminOperation>(
        _ type: Operation.Type, _ body: JSONValue
    ) throws -> Operation {
        try JSONValueDecoder(unknownNames: .refused).decode(type, from: body)
    }

    @Test func `a sign-in that changes nothing writes no words`() async throws {
        try await TestBroker.run { broker in
            let ada = try await broker.signIn(broker.person("ada")).string("localId")
            let words = Statement("spoil_words_of_all", "DELETE FROM user_words")
            try await broker.core.store.write { _ = try $0.run(words) }

            _ = try await broker.signIn(broker.person("ada"))

            #expect(try await Self.found("ada", at: broker) == [])
            #expect(try await Self.search(SearchUsers(text: nil), at: broker).users.map(\.localId) == [ada])
        }
    }

    @Test func `answers pages, filters, and says what else the text may be`() async throws {
        try await TestBroker.run { broker in
            let call = AdminCall(broker.core.admin, origin: Origin(.admin, actor: "test"))
            for (id, name) in [("one", "Eve Adams"), ("two", "Eve Brown"), ("three", "Eve Clark")] {
                _ = try await Self.decode(
                    CreateUserOperation.self, ["localId": .string(id), "displayName": .string(name)]
                ).run(for: call)
            }
            _ = try await DisableUserOperation(user: "two").run(for: call)

            let first = try await Self.search(SearchUsers(text: "eve", limit: 2), at: broker)
            let second = try await Self.search(
                SearchUsers(text: "eve", limit: 2, after: first.next), at: broker)
            #expect(first.users.map(\.localId) == ["one", "two"] && second.users.map(\.localId) == ["three"])
            #expect(second.next == nil)
            #expect(first.users.map(\.disabled) == [false, true] && first.users.map(\.word) == ["eve", "eve"])
            #expect(
                try await Self.search(SearchUsers(text: "eve", state: .disabled), at: broker).users.map(\.localId)
                    == ["two"])
            #expect(
                try await Self.search(SearchUsers(text: "eve", provider: "github.com"), at: broker).users.isEmpty)
            #expect(
                try await Self.search(SearchUsers(text: "eve", createdBefore: .init(milliseconds: 0)), at: broker)
                    .users.isEmpty)
            let number = RequestID.make()
            #expect(try await Self.search(SearchUsers(text: number), at: broker).requestId == number)
            // A person writes it in groups, as an error page shows it.
            let groups =
                " "
                + stride(from: 0, to: number.count, by: 5).map { number.dropFirst($0).prefix(5) }
                .joined(separator: " ")
            #expect(try await Self.search(SearchUsers(text: groups), at: broker).requestId == number)
            #expect(first.requestId == nil)
        }
    }

    @Test(arguments: [
        SearchUsers(text: "eve", limit: 51), SearchUsers(text: "eve", limit: 0), SearchUsers(text: "eve", after: "x"),
        SearchUsers(text: nil, after: "MSBldmU"), SearchUsers(text: "a b c d e f g h i"),
    ])
    func `refuses a limit, a place and a text that it cannot take`(operation: SearchUsers) async throws {
        try await TestBroker.run { broker in
            let error = await #expect(throws: AdminFailure.self) { try await Self.search(operation, at: broker) }
            #expect(error?.code == "INVALID_ARGUMENT")
        }
    }
}

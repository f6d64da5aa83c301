import Foundation
import ProviderKit
import ProviderSimulators
import Testing

@Suite("broker merges", .timeLimit(.minutes(5)))
struct MergesCommandTests {
    @Test func `two accounts that 1Pass merged are two users until an administrator approves`() async throws {
        try await MergedPeople.run { people in
            let broker = people.broker
            _ = try await broker.document(
                "link", "--provider", "github", "--user", people.absorbed, "--yes", input: broker.accessToken("ada"))

            let waiting = try await broker.document("merges", "list")["merges"]?.array ?? []
            let id = try #require(waiting.first?["id"]?.string)
            let unasked = try await broker.command("merges", "approve", id, "--json")
            let before = try await broker.document("users", "list")["users"]?.array?.count
            let approved = try await broker.document("merges", "approve", id, "--yes")

            #expect(waiting.count == 1 && waiting.first?["provider"] == "1pass.dev")
            #expect(waiting.first?["survivor"]?["localId"]?.string == people.survivor)
            #expect(waiting.first?["absorbed"]?["localId"]?.string == people.absorbed)
            #expect(unasked.exitCode == 1 && unasked.errorCode == "NOT_CONFIRMED", "\(unasked)")
            #expect(before == 2)
            #expect(approved["survivor"]?["localId"]?.string == people.survivor)
            #expect(approved["absorbed"]?["localId"]?.string == people.absorbed)
            let survivor = try await broker.document("users", "show", people.survivor)
            let providers = survivor["providerUserInfo"]?.array?.compactMap { $0["providerId"]?.string }
            #expect(providers == ["1pass.dev", "github.com"])
            #expect(try await people.signIn(people.new) == people.survivor)
            let gone = try await broker.command("users", "show", people.absorbed, "--json")
            let again = try await broker.command("merges", "approve", id, "--yes", "--json")
            #expect(gone.errorCode == "USER_NOT_FOUND", "\(gone)")
            #expect(again.exitCode == 1 && again.errorCode == "MERGE_NOT_FOUND", "\(again)")
        }
    }

    @Test func `the text names both users, and explain shows the decision of each`() async throws {
        try await MergedPeople.run { people in
            let list = try await people.broker.command("merges", "list")
            let ids = try await people.ids()

            _ = try await people.broker.document("merges", "approve", try #require(ids.first), "--yes")

            #expect(list.exitCode == 0 && list.output.contains(people.survivor), "\(list)")
            #expect(list.output.contains(people.absorbed), "\(list)")
            for localID in [people.survivor, people.absorbed] {
                let latest = try await people.broker.document("explain", localID)["decisions"]?.array?.first
                #expect(latest?["rule"] == "M-approved" && latest?["result"] == "merged", "\(localID)")
                #expect(latest?["evidence"]?["absorbed"]?.string == people.absorbed)
            }
        }
    }

    @Test func `a dismissed merge stays dismissed when 1Pass says it again`() async throws {
        try await MergedPeople.run { people in
            let id = try #require(try await people.ids().first)

            let dismissed = try await people.broker.document("merges", "dismiss", id, "--yes")
            _ = try await people.signIn(people.new)

            #expect(dismissed["id"]?.string == id && dismissed["dismissedAt"]?.string != nil)
            #expect(try await people.ids().isEmpty)
            #expect(try await people.ids("--all") == [id])
            let twice = try await people.broker.command("merges", "dismiss", id, "--yes", "--json")
            #expect(twice.exitCode == 1 && twice.errorCode == "MERGE_NOT_FOUND", "\(twice)")
        }
    }

    @Test func `a provider both users have is named, with what to do about it`() async throws {
        try await MergedPeople.run { people in
            let broker = people.broker
            for (login, user) in [("ada", people.survivor), ("ben", people.absorbed)] {
                _ = try await broker.document(
                    "link", "--provider", "github", "--user", user, "--yes", input: broker.accessToken(login))
            }
            let id = try #require(try await people.ids().first)

            let refused = try await broker.command("merges", "approve", id, "--yes", "--json")

            #expect(refused.exitCode == 1 && refused.errorCode == "MERGE_CONFLICT", "\(refused)")
            #expect(refused.errors.contains("broker unlink --provider github.com"), "\(refused)")
            #expect(try await people.ids() == [id])
        }
    }
}

/// An installation with 1Pass, where the accounts of two users were merged.
private struct MergedPeople {
    let broker: Installation
    let onePass: OnePassSimulator
    /// The account that stands for both.
    let new: OnePassSimulator.Person
    let survivor, absorbed: String

    static func run(_ body: (MergedPeople) async throws -> Void) async throws {
        try await Installation.run { broker in
            let onePass = try await OnePassSimulator.start()
            do {
                try broker.offer(onePass)
                try await body(try await MergedPeople(broker, onePass))
                await onePass.stop()
            } catch {
                await onePass.stop()
                throw error
            }
        }
    }

    private init(_ broker: Installation, _ onePass: OnePassSimulator) async throws {
        self.broker = broker
        self.onePass = onePass
        let old = onePass.add(.init(preferredName: "old-\(randomText())"))
        new = onePass.add(.init(preferredName: "new-\(randomText())"))
        absorbed = try await broker.signIn(old, at: onePass)
        survivor = try await broker.signIn(new, at: onePass)
        try await onePass.merge(old, into: new)
        #expect(try await broker.signIn(new, at: onePass) == survivor)
    }

    func signIn(_ person: OnePassSimulator.Person) async throws -> String {
        try await broker.signIn(person, at: onePass)
    }

    func ids(_ option: String...) async throws -> [String] {
        let result = try await CommandResult.broker(["merges", "list", "--json"] + option, in: broker.folder)
        return try JSONValue(parsing: result.output)["merges"]?.array?.compactMap { $0["id"]?.string } ?? []
    }
}

extension Installation {
    /// Adds the simulator to the providers on offer.
    fileprivate func offer(_ onePass: OnePassSimulator) throws {
        let plugins = try JSONValue(parsing: try folder.text(of: "plugins.json"))
        let entry: JSONValue = [
            "use": "1pass", "allowInsecureLoopback": true,
            "options": [
                "url": .string(onePass.url), "clientId": .string(onePass.defaultApplication.clientID),
                "clientSecret": .string(onePass.defaultApplication.clientSecret ?? ""),
            ],
        ]
        try folder.write(
            JSONValue.object(["providers": .array((plugins["providers"]?.array ?? []) + [entry])]).serialized(),
            to: "plugins.json")
    }

    /// Whom a person's new access token leads to.
    fileprivate func signIn(_ person: OnePassSimulator.Person, at onePass: OnePassSimulator) async throws -> String {
        let token = onePass.accessToken(for: person, application: onePass.defaultApplication)
        let answer = try await document("link", "--provider", "1pass", input: token)
        return try #require(answer["user"]?["localId"]?.string, "\(answer)")
    }
}

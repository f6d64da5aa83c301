import Foundation
import ProviderKit
import ProviderSimulators
import Testing

@Suite("broker merges", .timeLimit(.minutes(20)))
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
            let gone = try await broker.document("users", "show", people.absorbed)
            let unlinked = try await broker.command(
                "unlink", "--provider", "github", "--user", people.absorbed, "--yes", "--json")
            let again = try await broker.command("merges", "approve", id, "--yes", "--json")
            #expect(gone["localId"]?.string == people.survivor)
            #expect(gone["broker"]?["mergedInto"]?.string == people.survivor, "\(gone)")
            #expect(unlinked.errorCode == "USER_NOT_FOUND", "\(unlinked)")
            #expect(unlinked.errors.contains("merged into \(people.survivor)"), "\(unlinked)")
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

    @Test func `custom claims of the two users are shown, and --claims decides`() async throws {
        try await MergedPeople.run { people in
            let broker = people.broker
            for (user, claims) in [(people.survivor, #"{"plan":"pro"}"#), (people.absorbed, #"{"role":"admin"}"#)] {
                _ = try await broker.document("users", "claims", user, "--set", claims)
            }
            let id = try #require(try await people.ids().first)

            let shown = try await broker.command("merges", "show", id)
            let refused = try await broker.command("merges", "approve", id, "--yes", "--json")
            let wrong = try await broker.command("merges", "approve", id, "--claims", "both", "--yes", "--json")
            let approved = try await broker.document("merges", "approve", id, "--claims", "absorbed", "--yes")
            let undone = try await broker.document("merges", "undo", id, "--yes")

            for claims in [#"{"plan":"pro"}"#, #"{"role":"admin"}"#] {
                #expect(shown.output.contains("claims  " + claims), "\(shown)")
            }
            #expect(refused.exitCode == 1 && refused.errorCode == "MERGE_CLAIMS_UNDECIDED", "\(refused)")
            #expect(wrong.exitCode == 64, "\(wrong)")
            #expect(approved["survivor"]?["customAttributes"] == #"{"role":"admin"}"#)
            let conflicts = undone["conflicts"]?.array?.compactMap { $0["code"]?.string }
            #expect(conflicts == ["claimsNotRestored", "claimsRemoved"], "\(undone)")
            #expect(undone["restored"]?["customAttributes"] == nil)
        }
    }

    @Test func `an approved merge is listed until it is undone`() async throws {
        try await MergedPeople.run { people in
            let broker = people.broker
            _ = try await broker.document(
                "link", "--provider", "github", "--user", people.absorbed, "--yes", input: broker.accessToken("ada"))
            let id = try #require(try await people.ids().first)
            let before = try await broker.command("merges", "undo", id, "--yes", "--json")
            _ = try await broker.document("merges", "approve", id, "--yes")
            _ = try await broker.document("unlink", "--provider", "github", "--user", people.survivor, "--yes")

            let listed = try await broker.document("merges", "list", "--undoable")["merges"]?.array ?? []
            let shown = try await broker.command("merges", "show", id)
            let unasked = try await broker.command("merges", "undo", id, "--json")
            let undone = try await broker.document("merges", "undo", id, "--yes")

            #expect(before.errorCode == "MERGE_NOT_FOUND", "\(before)")
            #expect(listed.map { $0["id"]?.string } == [id] && listed.first?["undoableUntil"]?.string != nil)
            #expect(listed.first?["absorbed"]?["localId"]?.string == people.absorbed)
            #expect(listed.first?["conflicts"]?.array?.compactMap { $0["code"]?.string } == ["identityUnlinked"])
            #expect(shown.output.contains("github.com was unlinked since"), "\(shown)")
            #expect(unasked.exitCode == 1 && unasked.errorCode == "NOT_CONFIRMED", "\(unasked)")
            #expect(undone["restored"]?["localId"]?.string == people.absorbed)
            let restored = try await broker.document("users", "show", people.absorbed)
            let providers = restored["providerUserInfo"]?.array?.compactMap { $0["providerId"]?.string } ?? []
            #expect(providers == ["1pass.dev"] && restored["broker"]?["mergedInto"] == nil)
            #expect(try await people.ids("--undoable").isEmpty)
            #expect(try await people.ids("--all") == [id])
        }
    }

    @Test func `what is left of a merged user can be deleted`() async throws {
        try await MergedPeople.run { people in
            let id = try #require(try await people.ids().first)
            _ = try await people.broker.document("merges", "approve", id, "--yes")
            let explained = try await people.broker.document("explain", people.absorbed)

            let deleted = try await people.broker.document("users", "delete", people.absorbed, "--yes")

            #expect(explained["mergedInto"]?.string == people.survivor)
            #expect(deleted["deleted"]?["localId"]?.string == people.absorbed)
            #expect(try await people.ids("--undoable").isEmpty)
            let gone = try await people.broker.command("users", "show", people.absorbed, "--json")
            #expect(gone.errorCode == "USER_NOT_FOUND", "\(gone)")
            #expect(try await people.signIn(people.new) == people.survivor)
        }
    }
}

import Broker
import BrokerStore
import Foundation
import NIOHTTP1
import ProviderKit
import ProviderSimulators
import Testing

/// A user with an account at Apple and another one at 1Pass, signed in to both in a native app.
struct TwoAccounts: Sendable {
    let broker: TestBroker
    let providers: TestProviders
    let native: NativeApp
    let apple, onePass: TestPerson
    /// The sessions of the two accounts.
    let own, other: Answer
    let ownID, otherID: String

    /// Runs a broker in which they are signed in.
    static func run(
        _ change: (inout Configuration) -> Void = { _ in }, _ test: (TwoAccounts, TestProviders) async throws -> Void
    ) async throws {
        try await TestProviders.run(change) { broker, providers in
            try await test(try await TwoAccounts(broker, providers), providers)
        }
    }

    private init(_ broker: TestBroker, _ providers: TestProviders) async throws {
        (self.broker, self.providers) = (broker, providers)
        native = try await NativeApp(at: broker)
        apple = try providers.person(at: "apple.com", email: "ann@example.com")
        onePass = try providers.person(at: "1pass.dev", email: "ann@work.example")
        own = try await native.signIn(apple)
        // Without the access token, 1Pass names no address.
        other = try await native.exchange(onePass.credential().filter { $0.0 != "access_token" })
        ownID = try own.claims()["sub"]?.string ?? ""
        otherID = try other.claims()["sub"]?.string ?? ""
    }

    /// Moves the clocks of the broker and of the providers.
    func advance(seconds: TimeInterval) {
        broker.clock.advance(seconds: seconds)
        providers.clock.advance(by: seconds)
    }

    func body(_ otherToken: String? = nil, survivor: String? = nil) throws -> JSONValue {
        [
            "otherToken": .string(try otherToken ?? other.string("access_token")),
            "survivor": .string(survivor ?? ownID),
        ]
    }

    func merge(_ otherToken: String? = nil, survivor: String? = nil, by session: Answer? = nil) async throws -> Answer {
        try await native.post(":merge", session ?? own, try body(otherToken, survivor: survivor))
    }

    func undo(_ id: String, with other: Answer, by session: Answer? = nil) async throws -> Answer {
        try await native.post("/merges/\(id):undo", session ?? own, try body(other.string("access_token")))
    }

    /// Gives a user custom claims.
    func set(_ claims: String, of localID: String) async throws {
        var user = try #require(try await broker.user(localID)?.user)
        user.customAttributes = claims
        try await broker.core.store.write { [user] in try $0.writeAdministeredFields(of: user) }
    }

    /// Whether both users are as they were: nothing was merged.
    func areSeparate() async throws -> Bool {
        let users = (try await broker.user(ownID), try await broker.user(otherID))
        return users.0?.user.localID == ownID && users.0?.identities.map(\.provider) == ["apple.com"]
            && users.1?.user.localID == otherID && users.1?.identities.map(\.provider) == ["1pass.dev"]
    }
}

@Suite("A merge of two accounts by their user, by the API")
struct OwnMergeTests {
    private static let admin = Origin(.admin, actor: "root")

    private static func policy(requiring provider: String, at route: String) throws -> Policy {
        try Policy(reading: [
            "preset": "strict",
            "stepUp": [
                ["acr": "urn:example:strong", "providers": [.string(provider)], "routes": [.string(route)]]
            ],
        ])
    }

    @Test func `joins the identities in the account that the user chooses`() async throws {
        try await TwoAccounts.run { two, _ in
            let merged = try await two.merge()

            #expect(merged.status == 200 && merged["kind"] == "broker#Merge", "\(merged.text)")
            #expect(merged["absorbedLocalId"]?.string == two.otherID)
            #expect(merged["survivor"]?["localId"]?.string == two.ownID)
            let record = try await two.native.get("", two.own)
            #expect(record.providerIDs == ["apple.com", "1pass.dev"], "\(record.text)")
            #expect(record["email"] == "ann@example.com")
            #expect(try await two.native.get("", two.other).status == 401, "the absorbed user's session has ended")
            let again = try await two.native.signIn(two.onePass)
            #expect(try again.claims()["sub"]?.string == two.ownID)
            let events = try await two.broker.events(of: two.ownID)
            #expect(events.contains("user.merged"))
            #expect(try await two.broker.decisions(about: two.otherID).contains("M-user merged"))
        }
    }

    @Test func `an edited name and picture stay, of the other account where only those were edited`() async throws {
        try await TwoAccounts.run { two, _ in
            let picture: JSONValue = "https://pictures.example/other.png"
            _ = try await two.native.post(":update", two.own, ["displayName": "Own"])
            _ = try await two.native.post(":update", two.other, ["displayName": "Other", "photoUrl": picture])
            let before = try #require(try await two.broker.user(two.ownID)?.user)

            let merged = try await two.merge()

            #expect(merged["survivor"]?["displayName"] == "Own", "\(merged.text)")
            #expect(merged["survivor"]?["photoUrl"] == picture)
            let undone = try await two.undo(try merged.string("id"), with: try await two.native.signIn(two.onePass))
            #expect(undone.status == 200, "\(undone.text)")
            let after = try #require(try await two.broker.user(two.ownID)?.user)
            #expect(after.displayName == "Own" && after.photoURL == before.photoURL)
            #expect(after.displayNameEditedAt != nil && after.photoURLEditedAt == nil)
            let restored = try #require(try await two.broker.user(two.otherID)?.user)
            #expect(restored.displayName == "Other" && restored.photoURL == picture.string)
        }
    }

    @Test func `may keep the account of the other token, whose session goes on`() async throws {
        try await TwoAccounts.run { two, _ in
            let merged = try await two.merge(survivor: two.otherID)

            #expect(merged["absorbedLocalId"]?.string == two.ownID, "\(merged.text)")
            #expect(try await two.native.get("", two.own).status == 401)
            #expect(try await two.native.get("", two.other).providerIDs == ["apple.com", "1pass.dev"])
        }
    }

    @Test func `shows beforehand what joins, and writes nothing`() async throws {
        try await TwoAccounts.run { two, _ in
            try await two.set(#"{"role":"editor"}"#, of: two.otherID)

            let preview = try await two.native.post(":previewMerge", two.own, try two.body())

            #expect(preview["kind"] == "broker#MergePreview", "\(preview.text)")
            let users = preview["users"]?.array ?? []
            #expect(users.map { $0["localId"]?.string } == [two.ownID, two.otherID])
            #expect(users.map { $0["email"]?.string } == ["ann@example.com", nil])
            #expect(users.map { $0["providers"] } == [["apple.com"], ["1pass.dev"]])
            #expect(users.map { $0["sessions"] } == [1, 1] && users[1]["customClaims"] == ["role"])
            let choices = preview["choices"]?.array ?? []
            #expect(choices.map { $0["survivor"]?.string } == [two.ownID, two.otherID])
            #expect(choices[0]["differingClaims"] == ["role"])
            #expect(choices[0]["refusal"]?["code"] == "MERGE_NEEDS_ADMINISTRATOR")
            #expect(choices[1]["refusal"] == nil && choices[1]["email"] == "ann@example.com", "it moves")
            #expect(try await two.areSeparate())
            #expect(try await two.broker.merges(all: true).isEmpty)
        }
    }

    @Test(arguments: ["an ID token", "Identity Toolkit's ID token"])
    func `takes an ID token for the other account as well`(kind: String) async throws {
        try await TwoAccounts.run { two, _ in
            let token =
                kind == "an ID token"
                ? try two.other.string("id_token") : try await two.broker.signIn(two.onePass).string("idToken")

            let merged = try await two.merge(token)

            #expect(merged["absorbedLocalId"]?.string == two.otherID, "\(merged.text)")
            #expect(try await two.native.get("", two.own).providerIDs == ["apple.com", "1pass.dev"])
        }
    }

    @Test func `app sessions that began with the login go on, as after other merges by proof`() async throws {
        try await TwoAccounts.run { two, _ in
            let session = try await two.broker.signIn(two.onePass)

            _ = try await two.merge(try session.string("idToken"))

            let refreshed = try await two.broker.refresh(session.string("refreshToken"))
            #expect(refreshed["user_id"]?.string == two.ownID, "\(refreshed.text)")
            let sensitive = try await two.broker.delete(session)
            #expect(sensitive.code == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN", "\(sensitive.text)")
        }
    }

    @Test func `claims of the user who goes that the other one lacks wait for an administrator`() async throws {
        try await TwoAccounts.run { two, _ in
            try await two.set(#"{"role":"admin"}"#, of: two.otherID)

            let refused = try await two.merge()
            let repeated = try await two.merge()

            #expect(refused.status == 400 && refused.code == "MERGE_NEEDS_ADMINISTRATOR", "\(refused.text)")
            #expect(repeated.code == "MERGE_NEEDS_ADMINISTRATOR")
            #expect(try await two.areSeparate())
            let waiting = try await two.broker.merges()
            #expect(waiting.map(\.survivor.user.localID) == [two.ownID], "once, however often it is asked")
            #expect(waiting.map { $0.absorbed.user.customAttributes } == [#"{"role":"admin"}"#])
            let id = try #require(waiting.first).merge.id
            await #expect(throws: MergedClaimsUndecided.self) {
                try await two.broker.core.accounts.approveMerge(id, origin: Self.admin)
            }
            let user = try await two.broker.core.accounts.approveMerge(id, claims: .survivor, origin: Self.admin)
            #expect(user.user.localID == two.ownID && user.identities.map(\.provider) == ["apple.com", "1pass.dev"])
        }
    }

    @Test func `the other way round the same users merge at once`() async throws {
        try await TwoAccounts.run { two, _ in
            try await two.set(#"{"role":"admin"}"#, of: two.otherID)

            let merged = try await two.merge(survivor: two.otherID)

            #expect(merged["survivor"]?["localId"]?.string == two.otherID, "\(merged.text)")
            let user = try #require(try await two.broker.user(two.otherID))
            #expect(user.user.customAttributes == #"{"role":"admin"}"#)
        }
    }

    @Test func `a disabled account waits for an administrator`() async throws {
        try await TwoAccounts.run { two, _ in
            _ = try await two.broker.core.accounts.disableUser(localID: two.otherID, origin: Self.admin)

            let refused = try await two.merge()

            #expect(refused.code == "MERGE_NEEDS_ADMINISTRATOR", "\(refused.text)")
            #expect(try await two.broker.merges().count == 1)
            #expect(try await two.areSeparate())
        }
    }

    @Test func `users that an administrator has kept apart stay apart`() async throws {
        try await TwoAccounts.run { two, _ in
            try await two.set(#"{"role":"admin"}"#, of: two.otherID)
            _ = try await two.merge()
            let id = try #require(try await two.broker.merges().first).merge.id
            _ = try await two.broker.core.accounts.dismissMerge(id, origin: Self.admin)

            for survivor in [two.ownID, two.otherID] {
                #expect(try await two.merge(survivor: survivor).code == "MERGE_NEEDS_ADMINISTRATOR")
            }

            #expect(try await two.areSeparate())
            #expect(try await two.broker.merges().isEmpty, "the administrator is not asked again")
        }
    }

    @Test func `two identities of one provider are refused with what to do`() async throws {
        try await TwoAccounts.run { two, providers in
            let second = try await two.native.signIn(try providers.person(at: "apple.com", email: "ben@example.com"))

            let refused = try await two.merge(try second.string("access_token"))
            let preview = try await two.native.post(
                ":previewMerge", two.own, try two.body(second.string("access_token")))

            #expect(refused.code == "MERGE_CONFLICT", "\(refused.text)")
            #expect(refused.text.contains("unlink it from one of them first"), "\(refused.text)")
            #expect(preview["choices"]?.array?.allSatisfy { $0["refusal"]?["code"] == "MERGE_CONFLICT" } == true)
            #expect(try await two.areSeparate())
            #expect(try await two.broker.merges(all: true).isEmpty)
        }
    }

    @Test(arguments: ["own", "other"])
    func `needs a login of the last five minutes on both sides`(old: String) async throws {
        try await TwoAccounts.run({ $0.policy = .firebase }) { two, _ in
            two.advance(seconds: 301)
            let own = old == "own" ? two.own : try await two.native.signIn(two.apple)
            let other = old == "other" ? two.other : try await two.native.signIn(two.onePass)

            for path in [":previewMerge", ":merge"] {
                let refused = try await two.native.post(path, own, try two.body(other.string("access_token")))
                let code = old == "own" ? "CREDENTIAL_TOO_OLD_LOGIN_AGAIN" : "OTHER_LOGIN_INVALID"
                #expect(refused.code == code, "\(refused.text)")
            }
            #expect(try await two.areSeparate())
        }
    }

    @Test func `needs the login that step-up rules require on both sides`() async throws {
        let policy = try Self.policy(requiring: "apple.com", at: "accounts:signInWithIdp")
        try await TwoAccounts.run({ $0.policy = policy }) { two, _ in
            let refused = try await two.merge()
            let reversed = try await two.merge(try two.own.string("access_token"), by: two.other)

            #expect(refused.code == "OTHER_LOGIN_INVALID", "\(refused.text)")
            #expect(refused.text.contains("requires a login with apple.com"), "\(refused.text)")
            #expect(reversed.code == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN", "\(reversed.text)")
            #expect(try await two.areSeparate())
        }
    }

    @Test func `the account that goes needs the login that deletes`() async throws {
        let policy = try Self.policy(requiring: "apple.com", at: "accounts:delete")
        try await TwoAccounts.run({ $0.policy = policy }) { two, _ in
            let refused = try await two.merge()
            #expect(refused.code == "OTHER_LOGIN_INVALID", "\(refused.text)")
            #expect(try await two.areSeparate())
            let reversed = try await two.merge(survivor: two.otherID)
            #expect(reversed.status == 200, "\(reversed.text)")
        }
    }

    @Test(arguments: ["garbage", "empty", "expired", "ended", "of another client", "without the scope", "deleted"])
    func `refuses every other token with one answer`(kind: String) async throws {
        try await TwoAccounts.run { two, _ in
            var token = try two.other.string("access_token")
            var own = two.own
            switch kind {
            case "garbage": token = "eyJhbGciOiJub25lIn0.e30."
            case "empty": token = ""
            case "expired":
                two.advance(seconds: 3700)
                own = try await two.native.signIn(two.apple)
            case "ended": #expect(try await two.native.post("/sessions:signOut", two.other).status == 200)
            case "of another client":
                token = try await NativeApp(at: two.broker).signIn(two.onePass).string("access_token")
            case "without the scope":
                token = try await two.native.signIn(two.onePass, scope: "openid profile").string("id_token")
            default: #expect(try await two.native.post(":delete", two.other).status == 200)
            }

            let refused = try await two.merge(token, by: own)

            #expect(refused.status == 400, "\(refused.text)")
            if kind == "empty" {
                #expect(refused["error"]?["status"] == "INVALID_ARGUMENT", "\(refused.text)")
            } else {
                #expect(refused.code == "OTHER_LOGIN_INVALID", "\(refused.text)")
            }
            #expect(try await two.broker.user(two.ownID)?.identities.map(\.provider) == ["apple.com"])
            #expect(try await two.broker.merges(all: true).isEmpty)
        }
    }

    @Test func `refuses the same account twice, a stranger as survivor, and a repetition`() async throws {
        try await TwoAccounts.run { two, _ in
            let same = try await two.merge(try await two.native.signIn(two.apple).string("access_token"))
            let stranger = try await two.merge(survivor: "unknown")
            let missing = try await two.native.post(
                ":merge", two.own, ["otherToken": .string(try two.other.string("access_token"))])
            #expect(same.code == "MERGE_OF_ONE_USER", "\(same.text)")
            #expect(stranger.code == "USER_NOT_FOUND", "\(stranger.text)")
            #expect(missing.status == 400 && missing["error"]?["status"] == "INVALID_ARGUMENT", "\(missing.text)")
            #expect(try await two.areSeparate())

            let first = try await two.merge()
            let second = try await two.merge()
            #expect(first.status == 200 && second.code == "OTHER_LOGIN_INVALID", "\(second.text)")
        }
    }

    @Test func `both users hear of a merge and of its undo, as done by their user`() async throws {
        try await TwoAccounts.run { two, _ in
            let types = ["user.merged", "user.absorbed", "user.unmerged", "user.restored"]
            _ = try await two.broker.addWebhook(at: "https://backend.example/", events: types)

            let id = try await two.merge().string("id")
            let other = try await two.native.signIn(two.onePass)
            #expect(try await two.undo(id, with: other).status == 200)

            let events = try await two.broker.deliveries()
            #expect(events.map(\.type) == types)
            #expect(events.map(\.localID) == [two.ownID, two.otherID, two.ownID, two.otherID])
            #expect(events.allSatisfy { $0.data.contains(#""actor":"user""#) }, "\(events)")
            #expect(events.allSatisfy { $0.data.contains(#""provider":"1pass.dev""#) }, "\(events)")
        }
    }
}

@Suite("The undo of a merge by its user, by the API")
struct UndoOwnMergeTests {
    private static let admin = Origin(.admin, actor: "root")

    @Test(arguments: ["the account that stayed", "the account that went"])
    func `restores the other account with logins to both, and ends all sessions`(caller: String) async throws {
        try await TwoAccounts.run { two, _ in
            let id = try await two.merge().string("id")
            let listed = try await two.native.get("/merges", two.own)
            #expect(listed["merges"]?.array?.map { $0["id"]?.string } == [id], "\(listed.text)")
            #expect(listed["merges"]?.array?.first?["provingProviders"] == ["1pass.dev"], "\(listed.text)")
            let other = try await two.native.signIn(two.onePass)

            let undone =
                caller == "the account that stayed"
                ? try await two.undo(id, with: other) : try await two.undo(id, with: two.own, by: other)

            #expect(undone.status == 200 && undone["kind"] == "broker#MergeUndo", "\(undone.text)")
            #expect(undone["restoredLocalId"]?.string == two.otherID)
            #expect(try await two.areSeparate())
            for session in [two.own, other] { #expect(try await two.native.get("", session).status == 401) }
            #expect(try await two.native.signIn(two.onePass).claims()["sub"]?.string == two.otherID)
        }
    }

    @Test func `restores no claim, and leaves the two free to merge again`() async throws {
        try await TwoAccounts.run { two, _ in
            try await two.set(#"{"plan":"pro"}"#, of: two.ownID)
            try await two.set(#"{"plan":"pro"}"#, of: two.otherID)
            let id = try await two.merge().string("id")
            let undone = try await two.undo(id, with: try await two.native.signIn(two.onePass))
            #expect(undone["conflicts"]?.array?.map { $0["code"]?.string } == ["claimsNotRestored"], "\(undone.text)")
            #expect(try await two.broker.user(two.otherID)?.user.customAttributes == nil)
            #expect(try await two.broker.user(two.ownID)?.user.customAttributes == #"{"plan":"pro"}"#)

            let (own, other) = (try await two.native.signIn(two.apple), try await two.native.signIn(two.onePass))
            let again = try await two.merge(try other.string("access_token"), by: own)
            #expect(again.status == 200, "\(again.text)")
        }
    }

    @Test(arguments: ["one side twice", "a stranger", "an old login", "an old own login", "garbage"])
    func `asks for the same proof as the merge`(kind: String) async throws {
        try await TwoAccounts.run { two, providers in
            let id = try await two.merge().string("id")
            var own = two.own
            let other: Answer
            switch kind {
            case "one side twice": other = try await two.native.signIn(two.apple)
            case "a stranger":
                other = try await two.native.signIn(try providers.person(at: "1pass.dev", email: "eve@example.com"))
            case "an old login":
                other = try await two.native.signIn(two.onePass)
                two.advance(seconds: 301)
                own = try await two.native.signIn(two.apple)
            case "an old own login":
                two.advance(seconds: 301)
                other = try await two.native.signIn(two.onePass)
            default: other = two.other
            }

            let refused = try await two.undo(id, with: other, by: own)

            let code = kind == "an old own login" ? "CREDENTIAL_TOO_OLD_LOGIN_AGAIN" : "OTHER_LOGIN_INVALID"
            #expect(refused.code == code, "\(refused.text)")
            #expect(try await two.broker.user(two.otherID) == nil)
            #expect(try await two.broker.user(two.ownID)?.identities.count == 2)
        }
    }

    @Test func `finds no merge of another user, of an administrator, or older than 30 days`() async throws {
        try await TwoAccounts.run { two, providers in
            try await two.set(#"{"role":"admin"}"#, of: two.otherID)
            let stranger = try await two.native.signIn(try providers.person(at: "1pass.dev", email: "eve@example.com"))
            _ = try await two.merge()
            let waiting = try #require(try await two.broker.merges().first).merge.id
            #expect(try await two.undo(waiting, with: two.other).code == "MERGE_NOT_FOUND", "it waits")
            let id = try await two.merge(survivor: two.otherID).string("id")
            let own = try await two.native.signIn(two.apple)

            #expect(try await two.undo(id, with: own, by: stranger).code == "MERGE_NOT_FOUND")
            #expect(try await two.native.get("/merges", stranger)["merges"]?.array?.isEmpty == true)
            #expect(try await two.undo("nothing", with: own, by: two.other).code == "MERGE_NOT_FOUND")
            two.advance(seconds: 31 * 86_400)
            let late = (try await two.native.signIn(two.apple), try await two.native.signIn(two.onePass))
            #expect(try await two.undo(id, with: late.0, by: late.1).code == "MERGE_NOT_FOUND")
        }
    }

    @Test func `leaves an undo to administrators where no provider can verify a side`() async throws {
        try await TwoAccounts.run { two, _ in
            let id = try await two.merge().string("id")
            let unlinked = try await two.native.post("/providers/1pass.dev:unlink", two.own)
            #expect(unlinked.status == 200, "\(unlinked.text)")

            let refused = try await two.undo(id, with: two.own)
            let undone = try await two.broker.core.accounts.undoMerge(id, origin: Self.admin)

            #expect(refused.code == "MERGE_NEEDS_ADMINISTRATOR", "\(refused.text)")
            #expect(undone.restored.user.localID == two.otherID)
        }
    }
}

import ProviderKit
import ProviderSimulators
import Testing

/// Something that counts at once, done at one broker or by an administrator, and what another broker makes of it in the
/// next request.
struct Deed: Sendable, CustomTestStringConvertible {
    /// A user who has signed in at both brokers.
    struct User: Sendable {
        let person: GitHubSimulator.Person
        /// From the broker where the deed is done.
        let session: IdentityToolkitApp.Session
        /// From the other one.
        let second: IdentityToolkitApp.Session
    }

    let testDescription: String
    /// Done at the first broker, or by a command.
    let act: @Sendable (TwoBrokers, User) async throws -> Void
    /// Asked of the other broker.
    let check: @Sendable (TwoBrokers, User) async throws -> Void

    private init(
        _ name: String, _ act: @escaping @Sendable (TwoBrokers, User) async throws -> Void,
        then check: @escaping @Sendable (TwoBrokers, User) async throws -> Void
    ) {
        testDescription = name
        self.act = act
        self.check = check
    }

    static let all = byUsers + byAdministrators

    private static let byUsers = [
        Deed("a session signs out") { brokers, user in
            try #require(try await brokers.one.signOut(user.session.idToken).status == 200)
        } then: { brokers, user in
            try await expect(user.session, "TOKEN_EXPIRED", at: brokers.other)
            #expect(try await brokers.other.lookup(user.second.idToken).status == 200)
        },
        Deed("a user signs out everywhere") { brokers, user in
            try #require(try await brokers.one.signOutAll(user.session.idToken).status == 200)
        } then: { brokers, user in
            try await expect(user.session, "TOKEN_EXPIRED", at: brokers.other)
            try await expect(user.second, "TOKEN_EXPIRED", at: brokers.other)
        },
        Deed("a user deletes the account") { brokers, user in
            try #require(try await brokers.one.delete(user.session.idToken).status == 200)
        } then: { brokers, user in
            try await expect(user.second, "USER_NOT_FOUND", refresh: "INVALID_REFRESH_TOKEN", at: brokers.other)
            var again = try await brokers.signIn(user.person, at: brokers.other)
            if again.status != 200 {
                // The withdrawal of the deleted user's grant ended the token that was issued meanwhile.
                again = try await brokers.signIn(user.person, at: brokers.other)
            }
            #expect(again.body["isNewUser"] == true, "\(again)")
        },
        Deed("a user links another provider") { brokers, user in
            let linked = try await brokers.link(
                user.person, provider: TwoBrokers.secondProvider, to: user.session, at: brokers.one)
            try #require(linked.status == 200, "\(linked)")
        } then: { brokers, user in
            #expect(try await brokers.providers(of: user.second, at: brokers.other).count == 2)
            let other = try await brokers.signIn(
                user.person, provider: TwoBrokers.secondProvider, at: brokers.other)
            #expect(other.body["localId"]?.string == user.session.localID, "\(other)")
        },
        Deed("a user unlinks a provider") { brokers, user in
            let linked = try await brokers.link(
                user.person, provider: TwoBrokers.secondProvider, to: user.session, at: brokers.other)
            try #require(linked.status == 200, "\(linked)")
            try #require(try await brokers.one.unlink("github.com", from: user.session.idToken).status == 200)
        } then: { brokers, user in
            #expect(
                try await brokers.providers(of: user.second, at: brokers.other) == [TwoBrokers.secondProvider])
            let again = try await brokers.signIn(user.person, at: brokers.other)
            #expect(again.body["needConfirmation"] == true && again.body["idToken"] == nil, "\(again)")
        },
        Deed("a user changes the profile") { brokers, user in
            let changed = try await brokers.one.post(
                "/v1/accounts:update", ["idToken": .string(user.session.idToken), "displayName": "Somebody Else"])
            try #require(changed.status == 200, "\(changed)")
        } then: { brokers, user in
            let found = try await brokers.other.lookup(user.second.idToken)
            #expect(found.body["users"]?.array?.first?["displayName"] == "Somebody Else", "\(found)")
        },
        Deed("a refresh token of two generations ago comes back") { brokers, user in
            let first = try await brokers.one.refresh(user.session.refreshToken)
            let token = try #require(first.body["refresh_token"]?.string, "\(first)")
            try #require(try await brokers.one.refresh(token).status == 200)
        } then: { brokers, user in
            let reused = try await brokers.other.refresh(user.session.refreshToken)
            #expect(reused.errorCode == "TOKEN_EXPIRED", "\(reused)")
            try await expect(user.session, "TOKEN_EXPIRED", at: brokers.one)
        },
    ]

    private static let byAdministrators = [
        Deed("an administrator disables a user") { brokers, user in
            _ = try await brokers.installation.document("users", "disable", user.session.localID)
        } then: { brokers, user in
            try await expect(user.second, "USER_DISABLED", at: brokers.other)
            #expect(try await brokers.signIn(user.person, at: brokers.other).errorCode == "USER_DISABLED")
        },
        Deed("an administrator enables a user again") { brokers, user in
            _ = try await brokers.installation.document("users", "disable", user.session.localID)
            try await expect(user.second, "USER_DISABLED", at: brokers.other)
            _ = try await brokers.installation.document("users", "enable", user.session.localID)
        } then: { brokers, user in
            let found = try await brokers.other.lookup(user.second.idToken)
            #expect(found.status == 200, "\(found)")
        },
        Deed("an administrator revokes a session") { brokers, user in
            let listed = try await brokers.installation.document("sessions", "list", user.session.localID)
            let id = try #require(listed["sessions"]?.array?.last?["id"]?.string)
            _ = try await brokers.installation.document("sessions", "revoke", id)
        } then: { brokers, user in
            try await expect(user.session, "TOKEN_EXPIRED", at: brokers.other)
            #expect(try await brokers.other.lookup(user.second.idToken).status == 200)
        },
        Deed("an administrator revokes all sessions of a user") { brokers, user in
            _ = try await brokers.installation.document(
                "sessions", "revoke", "--user", user.session.localID, "--all", "--yes")
        } then: { brokers, user in
            for session in [user.session, user.second] {
                try await expect(session, "TOKEN_EXPIRED", at: brokers.other)
            }
        },
        Deed("an administrator unlinks an identity") { brokers, user in
            _ = try await brokers.installation.document(
                "unlink", "--provider", "github.com", "--user", user.session.localID, "--force", "--yes")
        } then: { brokers, user in
            let left = try await brokers.providers(of: user.second, at: brokers.other)
            #expect(left == [])
        },
        Deed("an administrator deletes a user") { brokers, user in
            _ = try await brokers.installation.document("users", "delete", user.session.localID, "--yes")
        } then: { brokers, user in
            try await expect(user.second, "USER_NOT_FOUND", refresh: "INVALID_REFRESH_TOKEN", at: brokers.other)
        },
    ]

    /// The broker's response to the tokens of a revoked session.
    private static func expect(
        _ session: IdentityToolkitApp.Session, _ code: String, refresh refreshCode: String? = nil,
        at client: IdentityToolkitApp
    ) async throws {
        let found = try await client.lookup(session.idToken)
        let refreshed = try await client.refresh(session.refreshToken)
        #expect(found.errorCode == code, "\(found)")
        #expect(refreshed.errorCode == refreshCode ?? code, "\(refreshed)")
    }
}

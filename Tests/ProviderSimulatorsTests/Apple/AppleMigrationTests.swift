import Foundation
import ProviderKit
import ProviderSimulators
import Testing

@Suite("Apple simulator: an app goes to another team")
struct AppleMigrationTests {
    static let team = "RECIPIENT1"

    /// A token of the team whose key is given.
    static func token(_ apple: AppleSimulator, _ key: AppleSimulator.Key) async throws -> WebClient.Answer {
        try await apple.post(
            "/auth/token", as: apple.nativeApplication,
            secret: try apple.secret(for: apple.nativeApplication, key: key),
            ["grant_type": "client_credentials", "scope": "user.migration"])
    }

    static func migrate(
        _ apple: AppleSimulator, _ key: AppleSimulator.Key, bearer: String,
        _ fields: KeyValuePairs<String, String>
    ) async throws -> WebClient.Answer {
        try await apple.post(
            "/auth/usermigrationinfo", as: apple.nativeApplication,
            secret: try apple.secret(for: apple.nativeApplication, key: key), fields, bearer: bearer)
    }

    /// Asks the old team's side for Ada's transfer subject.
    static func transferSubject(_ apple: AppleSimulator, bearer: String, of subject: String) async throws -> String {
        try await migrate(apple, apple.key, bearer: bearer, ["sub": subject, "target": team])
            .string("transfer_sub")
    }

    @Test func `a user is migrated to a new subject and a new relay address`() async throws {
        try await AppleSimulator.running { apple in
            let ben = try apple.person("Ben")
            let recipient = apple.register(AppleSimulator.Key(teamID: Self.team))
            let before = apple.nativeCredential(for: ben, application: apple.nativeApplication)
            let old = try #require(try await apple.claims(of: before.idToken)["sub"]?.string)
            let bearer = try await Self.token(apple, apple.key).string("access_token")
            let transfer = try await Self.transferSubject(apple, bearer: bearer, of: old)
            let again = try await Self.transferSubject(apple, bearer: bearer, of: old)
            let early = try await Self.migrate(apple, recipient, bearer: bearer, ["transfer_sub": transfer])

            apple.transfer(apple.nativeApplication, to: Self.team)
            let newBearer = try await Self.token(apple, recipient).string("access_token")
            let answer = try await Self.migrate(apple, recipient, bearer: newBearer, ["transfer_sub": transfer])
            let next = apple.nativeCredential(for: ben, application: apple.nativeApplication)
            let claims = try await apple.claims(of: next.idToken)

            #expect(transfer == again)
            #expect(try early.status == 400 && early.string("error") == "invalid_client")
            #expect(try answer.string("sub") != old && answer.string("sub") == claims["sub"]?.string)
            #expect(try answer.string("email") == claims["email"]?.string && answer.string("email") != before.email)
            #expect(try answer.json["is_private_email"] as? Bool == true)
            #expect(claims["transfer_sub"]?.string == transfer)
            #expect(next.givenName == nil)
        }
    }

    @Test func `the window closes after sixty days`() async throws {
        try await AppleSimulator.running { apple in
            let recipient = apple.register(AppleSimulator.Key(teamID: Self.team))
            let credential = apple.nativeCredential(for: try apple.ada, application: apple.nativeApplication)
            let old = try #require(try await apple.claims(of: credential.idToken)["sub"]?.string)
            apple.transfer(apple.nativeApplication, to: Self.team)
            apple.clock.advance(by: .seconds(59 * 86_400))
            let bearer = try await Self.token(apple, apple.key).string("access_token")
            let transfer = try await Self.transferSubject(apple, bearer: bearer, of: old)
            apple.clock.advance(by: .seconds(86_400))

            let newBearer = try await Self.token(apple, recipient).string("access_token")
            let late = try await Self.migrate(apple, recipient, bearer: newBearer, ["transfer_sub": transfer])
            let former = try await Self.token(apple, apple.key)
            let token = apple.idToken(for: try apple.ada, application: apple.nativeApplication)

            #expect(try late.string("error") == "invalid_request")
            #expect(try former.string("error") == "invalid_client")
            #expect(try await apple.claims(of: token)["transfer_sub"] == nil)
        }
    }

    @Test func `a user who stopped using the app cannot be migrated`() async throws {
        try await AppleSimulator.running { apple in
            let credential = apple.nativeCredential(for: try apple.ada, application: apple.nativeApplication)
            let old = try #require(try await apple.claims(of: credential.idToken)["sub"]?.string)
            apple.revokeGrant(of: try apple.ada, application: apple.nativeApplication)
            let bearer = try await Self.token(apple, apple.key).string("access_token")

            let answer = try await Self.migrate(apple, apple.key, bearer: bearer, ["sub": old, "target": Self.team])

            #expect(try answer.string("error") == "invalid_request")
        }
    }

    @Test func `a migration needs a living token of the team that asks`() async throws {
        try await AppleSimulator.running { apple in
            let recipient = apple.register(AppleSimulator.Key(teamID: Self.team))
            let credential = apple.nativeCredential(for: try apple.ada, application: apple.nativeApplication)
            let old = try #require(try await apple.claims(of: credential.idToken)["sub"]?.string)
            let bearer = try await Self.token(apple, apple.key).string("access_token")
            let transfer = try await Self.transferSubject(apple, bearer: bearer, of: old)
            apple.transfer(apple.nativeApplication, to: Self.team)

            let foreign = try await Self.migrate(apple, recipient, bearer: bearer, ["transfer_sub": transfer])
            apple.behaviour.acceptsForeignMigrationToken = true
            let lenient = try await Self.migrate(apple, recipient, bearer: bearer, ["transfer_sub": transfer])
            apple.clock.advance(by: .seconds(3600))
            let expired = try await Self.migrate(apple, recipient, bearer: bearer, ["transfer_sub": transfer])
            let wrongScope = try await apple.post(
                "/auth/token", as: apple.nativeApplication,
                secret: try apple.secret(for: apple.nativeApplication, key: recipient),
                ["grant_type": "client_credentials", "scope": "openid"])

            #expect(foreign.status == 401 && lenient.status == 200 && expired.status == 401)
            #expect(try wrongScope.string("error") == "invalid_scope")
        }
    }
}

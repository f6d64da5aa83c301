import Broker
import BrokerStore
import Foundation
import ProviderKit
import Testing

@Suite("Custom tokens by token exchange")
struct CustomTokenExchangeTests {
    private typealias Fixture = ServiceAccountFixture

    private static let type = "urn:ietf:params:oauth:token-type:jwt"

    private static func run(
        _ test: (NativeApp, (String, JSONObject) throws -> String) async throws -> Void
    ) async throws {
        try await TestBroker.runWithServiceAccount { broker, fixture in
            try await test(try await NativeApp(at: broker)) { uid, changes in
                try fixture.token(Fixture.claims(uid, at: broker.clock.now, changes))
            }
        }
    }

    private static func exchange(
        _ token: String, at native: NativeApp, actor: Answer? = nil, prompt: String? = nil
    ) async throws -> Answer {
        try await native.exchange(
            [], actor: actor, prompt: prompt, ["subject_token": token, "subject_token_type": type])
    }

    @Test func `signs in the user that signInWithCustomToken signs in, with a session that is refreshed`() async throws
    {
        try await Self.run { native, token in
            let first = try await Self.exchange(token("employee-7", ["amr": ["pwd", "mfa"]]), at: native)
            let other = try await native.broker.signIn(customToken: token("employee-7", [:]))

            #expect(first.status == 200 && first["is_new_user"] == true, "\(first.text)")
            #expect(first["provider"] == "custom" && first["user"]?["localId"] == "employee-7")
            #expect(try first.claims()["sub"] == "employee-7" && first.claims()["amr"] == ["pwd", "mfa"])
            #expect(other["isNewUser"] == false, "\(other.text)")
            #expect(try await native.app.refresh(first.string("refresh_token")).status == 200)
            #expect(try await native.broker.events(of: "employee-7").contains("session.started"))
        }
    }

    @Test func `logs its user in again, no other one, and links nothing`() async throws {
        try await Self.run { native, token in
            let old = try await Self.exchange(token("employee-7", [:]), at: native)
            native.broker.clock.advance(seconds: 301)
            let stale = try await native.post(":delete", old)

            let again = try await Self.exchange(token("employee-7", [:]), at: native, actor: old, prompt: "login")
            let foreign = try await Self.exchange(token("employee-8", [:]), at: native, actor: old, prompt: "login")
            let link = try await Self.exchange(token("employee-7", [:]), at: native, actor: old)

            #expect(stale.code == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN", "\(stale.text)")
            #expect(again.status == 200, "\(again.text)")
            #expect(foreign.refusal == "USER_MISMATCH", "\(foreign.text)")
            #expect(link.oauthError == "invalid_request", "\(link.text)")
            #expect(try await native.broker.user("employee-8") == nil)
            #expect(try await native.post(":delete", again).status == 200)
        }
    }

    @Test func `a disabled user is refused`() async throws {
        try await Self.run { native, token in
            _ = try await Self.exchange(token("employee-7", [:]), at: native)
            _ = try await native.broker.core.accounts.disableUser(localID: "employee-7", origin: Origin(.admin))

            let refused = try await Self.exchange(token("employee-7", [:]), at: native)

            #expect(refused.oauthError == "invalid_grant" && refused.refusal == "USER_DISABLED", "\(refused.text)")
        }
    }
}

import BrokerClient
import Foundation
import StrictJSON
import Testing

@Suite("A credential after a refusal", .timeLimit(.minutes(20)))
struct CredentialReuseTests {
    private static func credential() -> ProviderCredential {
        .appleIDToken("apple-token", nonce: SignInNonce(), authorizationCode: "apple-code")
    }

    private static func refuse(_ broker: StandInBroker, _ text: String, pendingToken: String? = nil) {
        broker.answer { call in
            guard call.path == "/oauth/token", call.form["subject_token"] != nil else { return nil }
            var members: JSONObject = ["error": "invalid_grant", "error_description": .string(text)]
            members["pending_token"] = pendingToken.map(JSONValue.string)
            return .json(members, status: 400)
        }
    }

    private static func exchanges(_ broker: StandInBroker) -> [[String: String]] {
        broker.calls(of: "/oauth/token").map(\.form).filter { $0["subject_token"] != nil }
    }

    @Test func `whose user had to log in again is sent again whole`() async throws {
        try await StandInBroker.run { broker in
            let app = try await TestApp.signedIn(broker)
            let credential = Self.credential()
            Self.refuse(broker, "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
            let refused = await failure { () async throws(BrokerAuthError) in try await app.auth.link(credential) }
            broker.answer { _ in nil }

            let again = ProviderCredential.idToken("other", of: .apple, nonce: SignInNonce())
            _ = try await app.auth.reauthenticate(with: again)
            _ = try await app.auth.link(credential)

            #expect(refused == .recentLoginRequired)
            let last = try #require(Self.exchanges(broker).last)
            #expect(last["subject_token"] == "apple-token" && last["authorization_code"] == "apple-code")
            #expect(last["prompt"] == "link")
        }
    }

    @Test func `that is linked already signs in by the broker's token, without another sheet`() async throws {
        try await StandInBroker.run { broker in
            let app = try TestApp(broker)
            _ = try await app.auth.signInAnonymously()
            Self.refuse(broker, "FEDERATED_USER_ID_ALREADY_LINKED", pendingToken: "pending-1")
            let refused = await failure { () async throws(BrokerAuthError) in
                try await app.auth.link(Self.credential())
            }
            broker.answer { call in call.path == "/oauth/token" ? .json(try broker.tokens(of: "user-2")) : nil }

            // As after the system's sheet, whose credential the app has not seen.
            let credential = try #require(app.auth.unusedCredential)
            let result = try await app.auth.signIn(with: credential)

            #expect(refused == .accountExists(providers: [.apple]))
            #expect(result.session.userID == "user-2")
            let last = try #require(Self.exchanges(broker).last)
            #expect(last["subject_token_type"] == "urn:broker:oauth:token-type:pending_token")
            #expect(last["subject_token"] == "pending-1" && last["actor_token"] == nil)
            #expect(last["authorization_code"] == nil && last["nonce"] == nil)
            #expect(app.auth.unusedCredential == nil)
            let third = await failure { () async throws(BrokerAuthError) in try await app.auth.signIn(with: credential)
            }
            #expect(third == .credentialAlreadyUsed)
        }
    }

    @Test func `that waits for another login links with all it has brought`() async throws {
        try await StandInBroker.run { broker in
            let app = try TestApp(broker)
            let credential = Self.credential()
            Self.refuse(broker, "NEED_CONFIRMATION", pendingToken: "pending-1")
            _ = await failure { () async throws(BrokerAuthError) in try await app.auth.signIn(with: credential) }
            broker.answer { _ in nil }
            _ = try await app.auth.signIn(with: .idToken("other", of: .gitLab, nonce: SignInNonce()))
            broker.answer { call in call.path == "/oauth/token" ? .init(status: 503, body: "") : nil }
            _ = await failure { () async throws(BrokerAuthError) in try await app.auth.link(credential) }
            broker.answer { _ in nil }

            _ = try await app.auth.link(credential)

            let forms = Self.exchanges(broker).suffix(2)
            #expect(forms.map { $0["subject_token"] } == ["pending-1", "pending-1"])
            #expect(forms.last?["prompt"] == "link" && forms.last?["actor_token"] != nil)
        }
    }

    @Test(arguments: ["USER_MISMATCH", "PROVIDER_ALREADY_LINKED", "EMAIL_EXISTS", "USER_DISABLED"])
    func `that was verified and refused is sent again without its code`(code: String) async throws {
        try await StandInBroker.run { broker in
            let app = try await TestApp.signedIn(broker)
            let credential = Self.credential()
            Self.refuse(broker, code)
            _ = await failure { () async throws(BrokerAuthError) in try await app.auth.link(credential) }
            broker.answer { _ in nil }

            _ = try await app.auth.signIn(with: credential)

            let last = try #require(Self.exchanges(broker).last)
            #expect(last["subject_token"] == "apple-token" && last["authorization_code"] == nil)
        }
    }

    @Test(arguments: ["INVALID_IDP_RESPONSE", "MISSING_OR_INVALID_NONCE", "INVALID_PENDING_TOKEN"])
    func `that was not verified is used up`(code: String) async throws {
        try await StandInBroker.run { broker in
            let app = try TestApp(broker)
            let credential = Self.credential()
            Self.refuse(broker, code)
            _ = await failure { () async throws(BrokerAuthError) in try await app.auth.signIn(with: credential) }
            broker.answer { _ in nil }

            let again = await failure { () async throws(BrokerAuthError) in try await app.auth.signIn(with: credential)
            }

            #expect(again == .credentialAlreadyUsed && app.auth.unusedCredential == nil)
        }
    }

    @Test func `is sent again with a new access token when the first was revoked`() async throws {
        try await StandInBroker.run { broker in
            let app = try await TestApp.signedIn(broker)
            broker.answer { call in
                call.form["actor_token"] == "access-1" ? .refusal("invalid_grant", "TOKEN_EXPIRED : actor_token") : nil
            }

            _ = try await app.auth.link(Self.credential())

            #expect(broker.refreshes.count == 1)
            #expect(Self.exchanges(broker).last?["actor_token"] == "access-2")
            #expect(Self.exchanges(broker).last?["authorization_code"] == "apple-code")
        }
    }
}

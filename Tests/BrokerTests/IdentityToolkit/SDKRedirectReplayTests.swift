import Broker
import BrokerStore
import Foundation
import NIOHTTP1
import OAuth
import ProviderKit
import ProviderSimulators
import Testing

@Suite("what an unmodified client SDK does for popups and redirects")
struct SDKRedirectReplayTests {
    @Test(arguments: TestProviders.ids)
    func `signInWithPopup`(provider: String) async throws {
        try await HandlerVisit.run { broker, providers in
            let sdk = ClientSDK(broker: broker)
            let email = "ann-\(RandomText.alphanumeric(8).lowercased())@example.com"
            let person = try providers.person(at: provider, email: email)
            let event = try await HandlerVisit(broker).event("signInViaPopup", provider, as: email)

            let user = try await sdk.user(sdk.call("signInWithIdp", Self.body(event)))
            let later = try await HandlerVisit(broker).event("signInViaPopup", provider, as: email)
            let again = try await sdk.user(sdk.call("signInWithIdp", Self.body(later)))

            #expect(user.isNew && !again.isNew && user.localID == again.localID)
            #expect(user.providers == [provider])
            #expect(user.credential["providerId"]?.string == provider)
            #expect(user.claims["firebase"]?["sign_in_provider"]?.string == provider)
            // What `OAuthProvider.credentialFromResult` needs one of.
            #expect(user.credential["oauthAccessToken"] != nil || user.credential["oauthIdToken"] != nil)
            _ = try JSONValue(parsing: user.credential.string("rawUserInfo").utf8)
            #expect(user.record["providerUserInfo"]?.array?.first?["rawId"] == user.credential["federatedId"])
            if provider != "apple.com" { #expect(user.credential["federatedId"]?.string == person.subject) }
        }
    }

    @Test(arguments: TestProviders.ids)
    func `linkWithRedirect, also with another user's identity`(provider: String) async throws {
        try await HandlerVisit.run { broker, providers in
            let sdk = ClientSDK(broker: broker)
            let email = "ann-\(RandomText.alphanumeric(8).lowercased())@example.com"
            _ = try providers.person(at: provider, email: email)
            let anonymous = try await sdk.user(sdk.call("signUp", #"{"returnSecureToken":true}"#))
            let stranger = try await sdk.user(sdk.call("signUp", #"{"returnSecureToken":true}"#))
            func link(_ user: ClientSDK.User) async throws -> Answer {
                let event = try await HandlerVisit(broker).event("linkViaRedirect", provider, as: email)
                return try await sdk.call(
                    "signInWithIdp", Self.body(event, idToken: try user.credential.string("idToken")))
            }

            let linked = try await sdk.user(link(anonymous))
            let conflict = try await link(stranger)

            #expect(linked.localID == anonymous.localID && linked.providers == [provider])
            // With the flag a conflict is an answer the SDK makes an error with a credential of.
            #expect(conflict.status == 200 && conflict["errorMessage"] == "FEDERATED_USER_ID_ALREADY_LINKED")
            #expect(conflict["idToken"] == nil && conflict["localId"] == nil)
            #expect(conflict["pendingToken"]?.string?.isEmpty == false && conflict["email"]?.string == email)
        }
    }

    @Test(arguments: TestProviders.ids)
    func `reauthenticateWithPopup as an unknown user creates no user`(provider: String) async throws {
        try await HandlerVisit.run { broker, providers in
            let sdk = ClientSDK(broker: broker)
            let email = "ann-\(RandomText.alphanumeric(8).lowercased())@example.com"
            _ = try providers.person(at: provider, email: email)
            let event = try await HandlerVisit(broker).event("reauthViaPopup", provider, as: email)

            let answer = try await sdk.call("signInWithIdp", Self.body(event))

            // What the SDK makes `auth/user-mismatch` of.
            #expect(answer.code == "EMAIL_NOT_FOUND", "\(answer.text)")
            #expect(try await broker.core.store.read { try $0.users(after: "", limit: 10) }.isEmpty)
        }
    }

    @Test(arguments: TestProviders.ids)
    func `reauthenticateWithPopup asks the provider anew and moves the time of the sign-in`(
        provider: String
    ) async throws {
        try await HandlerVisit.run { broker, providers in
            let sdk = ClientSDK(broker: broker)
            let email = "ann-\(RandomText.alphanumeric(8).lowercased())@example.com"
            _ = try providers.person(at: provider, email: email)
            let first = try await HandlerVisit(broker).event("signInViaPopup", provider, as: email)
            let user = try await sdk.user(sdk.call("signInWithIdp", Self.body(first)))
            broker.clock.advance(seconds: 900)
            providers.clock.advance(by: 900)

            let event = try await HandlerVisit(broker).event("reauthViaPopup", provider, as: email)
            let again = try await sdk.user(sdk.call("signInWithIdp", Self.body(event)))

            #expect(again.claims["sub"]?.string == user.localID)
            let earlier = try #require(user.claims["auth_time"]?.integer)
            #expect(again.claims["auth_time"]?.integer == earlier + 900)
        }
    }

    @Test func `a user who declines in the popup is reported with the SDK's own error code`() async throws {
        try await HandlerVisit.run { broker, _ in
            let event = try await HandlerVisit(broker).event("signInViaPopup", "github.com", as: nil)

            let answer = try await ClientSDK(broker: broker).call("signInWithIdp", Self.body(event))

            // auth/user-cancelled
            #expect(answer.status == 400 && answer.errorPieces.first == "USER_CANCELLED")
        }
    }

    @Test func `the page learns of a provider that is not offered, with the SDK's code`() async throws {
        try await HandlerVisit.run { broker, _ in
            let page = try await HandlerVisit(broker).open("signInViaPopup", "oidc.unknown")

            #expect(page.data["step"] == "fail")
            #expect(page.data["error"]?["code"] == "auth/operation-not-allowed")
            #expect(page.data["request"]?["eventId"]?.string == page.eventID)
        }
    }

    /// The SDK's request, byte for byte, from the event its frame received.
    private static func body(_ event: HandlerVisit.Event, idToken: String? = nil) -> String {
        var body = JSONObject([
            ("requestUri", .string(event.urlResponse)), ("sessionId", .string(event.sessionID)),
        ])
        body["postBody"] = event.postBody.map(JSONValue.string)
        body["returnSecureToken"] = true
        body["returnIdpCredential"] = true
        body["idToken"] = idToken.map(JSONValue.string)
        return JSONValue.object(body).serialized()
    }
}

import Broker
import BrokerStore
import Foundation
import JOSE
import OAuth
import ProviderKit
import ProviderSimulators
import Testing

@Suite("Sign-in requests and responses of an unmodified client SDK")
struct SDKReplayTests {
    @Test func `signInAnonymously`() async throws {
        try await TestBroker.run { broker in
            let sdk = ClientSDK(broker: broker)

            let user = try await sdk.user(sdk.call("signUp", #"{"returnSecureToken":true}"#))

            #expect(user.isNew && user.credential["providerId"] == nil)
            #expect(user.record["providerUserInfo"] == nil && user.record["email"] == nil)
            #expect(user.record["passwordHash"] == nil)
            #expect(user.claims["firebase"]?["sign_in_provider"] == "anonymous")
            #expect(user.claims["provider_id"] == "anonymous")
        }
    }

    @Test func `signInWithCredential, the first time and later`() async throws {
        try await TestBroker.run { broker in
            let sdk = ClientSDK(broker: broker)

            let user = try await sdk.user(sdk.signInWithIdp("ada"))
            let later = try await sdk.user(sdk.signInWithIdp("ada"))

            #expect(user.isNew && !later.isNew && user.localID == later.localID)
            for credential in [user.credential, later.credential] {
                #expect(credential["kind"] == "identitytoolkit#VerifyAssertionResponse")
                #expect(credential["providerId"] == "github.com")
                // The additional user info: parsed unguarded, and its login is the username.
                let profile = try JSONValue(parsing: credential.string("rawUserInfo").utf8)
                #expect(profile["login"] == "ada")
                #expect(try !credential.string("oauthAccessToken").isEmpty)
            }
            #expect(later.credential["isNewUser"] == nil)
            #expect(user.providers == ["github.com"])
            #expect(user.record["providerUserInfo"]?.array?.first?["rawId"] == user.credential["federatedId"])
            #expect(user.claims["firebase"]?["sign_in_provider"] == "github.com")
        }
    }

    @Test func `signInWithCredential with a pending token`() async throws {
        try await TestBroker.run { broker in
            let sdk = ClientSDK(broker: broker)
            let first = try await broker.signInWithCode(
                broker.person("ada"), verifier: RandomText.alphanumeric(64))
            let pending = try first.string("pendingToken")

            let user = try await sdk.user(
                sdk.call(
                    "signInWithIdp",
                    #"{"requestUri":"http://localhost","returnSecureToken":true,"pendingToken":"\#(pending)"}"#))

            #expect(user.localID == first["localId"]?.string && !user.isNew)
            #expect(user.credential["providerId"] == "github.com")
            #expect(try JSONValue(parsing: user.credential.string("rawUserInfo").utf8)["login"] == "ada")
            #expect(user.claims["firebase"]?["sign_in_provider"] == "github.com")
        }
    }

    @Test func `needConfirmation reports a collision of addresses, and its pending token links`() async throws {
        try await TestBroker.runWithTwoProviders { broker in
            let sdk = ClientSDK(broker: broker)
            let holder = try await sdk.user(sdk.signInWithIdp("ada"))

            let collision = try await sdk.signInWithIdp("ada", provider: "github.work")
            let pending = try collision.string("pendingToken")
            let idToken = try holder.credential.string("idToken")
            let linked = try await sdk.user(
                sdk.call(
                    "signInWithIdp",
                    #"{"requestUri":"http://localhost","returnSecureToken":true,"pendingToken":"\#(pending)","#
                        + #""idToken":"\#(idToken)"}"#))

            #expect(collision.status == 200 && collision["needConfirmation"] == true)
            #expect(collision["errorMessage"] == nil && collision["idToken"] == nil)
            #expect(collision["email"] == "ada@example.com")
            #expect(linked.localID == holder.localID && !linked.isNew)
            #expect(Set(linked.providers) == ["github.com", "github.work"])
        }
    }

    @Test func `signInWithCustomToken`() async throws {
        try await TestBroker.runWithServiceAccount { broker, fixture in
            let sdk = ClientSDK(broker: broker)
            let token = try fixture.token(ServiceAccountFixture.claims("employee-7", at: broker.clock.now))

            let body = #"{"token":"\#(token)","returnSecureToken":true}"#
            let user = try await sdk.user(sdk.call("signInWithCustomToken", body))
            let later = try await sdk.user(sdk.call("signInWithCustomToken", body))

            #expect(user.localID == "employee-7" && user.isNew && !later.isNew)
            #expect(user.credential["providerId"] == nil)
            #expect(user.claims["firebase"]?["sign_in_provider"] == "custom")
        }
    }

    @Test func `linkWithCredential, also with another user's identity`() async throws {
        try await TestBroker.run { broker in
            let sdk = ClientSDK(broker: broker)
            let anonymous = try await sdk.user(sdk.call("signUp", #"{"returnSecureToken":true}"#))
            let idToken = try anonymous.credential.string("idToken")

            // First the SDK looks whether it has this provider already.
            #expect(try await sdk.record(idToken)["providerUserInfo"] == nil)
            let linked = try await sdk.user(sdk.signInWithIdp("ada", fields: #","idToken":"\#(idToken)""#))
            let stranger = try await sdk.user(sdk.call("signUp", #"{"returnSecureToken":true}"#))
            let conflict = try await sdk.signInWithIdp(
                "ada", fields: #","idToken":"\#(try stranger.credential.string("idToken"))""#)

            #expect(linked.localID == anonymous.localID && !linked.isNew)
            #expect(linked.providers == ["github.com"])
            #expect(conflict.status == 400 && conflict.errorPieces.first == "FEDERATED_USER_ID_ALREADY_LINKED")
        }
    }

    @Test func `reauthenticateWithCredential, as the same user and as an unknown one`() async throws {
        try await TestBroker.run { broker in
            let sdk = ClientSDK(broker: broker)
            let user = try await sdk.user(sdk.signInWithIdp("ada"))
            broker.clock.advance(seconds: 900)

            let again = try await sdk.user(sdk.signInWithIdp("ada", fields: #","autoCreate":false"#))
            let unknown = try await sdk.signInWithIdp("ben", fields: #","autoCreate":false"#)

            // The SDK compares the token's subject with the user at hand.
            #expect(again.claims["sub"]?.string == user.localID && !again.isNew)
            let earlier = try #require(user.claims["auth_time"]?.integer)
            #expect(again.claims["auth_time"]?.integer == earlier + 900)
            // Any other code would sign the user out.
            #expect(unknown.status == 400 && unknown.errorPieces.first == "EMAIL_NOT_FOUND")
            #expect(try await sdk.record(user.credential.string("idToken"))["localId"]?.string == user.localID)
        }
    }
}

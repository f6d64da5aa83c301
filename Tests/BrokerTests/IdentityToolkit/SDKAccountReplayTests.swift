import Broker
import BrokerStore
import Foundation
import JOSE
import OAuth
import ProviderKit
import ProviderSimulators
import Testing

@Suite("what an unmodified client SDK sends and reads of an account")
struct SDKAccountReplayTests {
    @Test func `updateProfile gives back what it set, leaves out what it cleared, and reload shows it`() async throws {
        try await TestBroker.run { broker in
            let sdk = ClientSDK(broker: broker)
            let idToken = try await sdk.user(sdk.signInWithIdp("ada")).credential.string("idToken")

            let set = try await sdk.call(
                "update",
                #"{"idToken":"\#(idToken)","displayName":"Ada L.","photoUrl":"https://p.example/1","#
                    + #""returnSecureToken":true}"#)
            let shown = try await sdk.record(idToken)
            let cleared = try await sdk.call(
                "update",
                #"{"idToken":"\#(idToken)","displayName":null,"photoUrl":null,"returnSecureToken":true}"#)
            let reloaded = try await sdk.record(idToken)

            #expect(set.status == 200 && set["displayName"] == "Ada L." && set["photoUrl"] == "https://p.example/1")
            #expect(shown["displayName"] == "Ada L." && shown["photoUrl"] == "https://p.example/1")
            #expect(cleared.status == 200 && cleared["displayName"] == nil && cleared["photoUrl"] == nil)
            #expect(!cleared.text.contains("null"))
            #expect(reloaded["displayName"] == nil && reloaded["photoUrl"] == nil)
        }
    }

    @Test func `unlink reads from providerUserInfo what is left`() async throws {
        try await TestBroker.runWithTwoProviders { broker in
            let sdk = ClientSDK(broker: broker)
            let idToken = try await broker.signInWithTwoIdentities().string("idToken")

            let before = try await sdk.record(idToken)
            let answer = try await sdk.call("update", #"{"idToken":"\#(idToken)","deleteProvider":["github.com"]}"#)
            let after = try await sdk.record(idToken)

            #expect(before["providerUserInfo"]?.array?.count == 2)
            #expect(answer.status == 200)
            for value in [answer.body, after] {
                #expect(value["providerUserInfo"]?.array?.map { $0["providerId"] } == ["github.work"])
            }
        }
    }

    @Test func `delete answers with its kind, and then the user is gone`() async throws {
        try await TestBroker.run { broker in
            let sdk = ClientSDK(broker: broker)
            let user = try await sdk.user(sdk.signInWithIdp("ada"))
            let body = #"{"idToken":"\#(try user.credential.string("idToken"))"}"#

            let answer = try await sdk.call("delete", body)
            let lookup = try await sdk.call("lookup", body)
            let refresh = try await sdk.refresh(user.credential.string("refreshToken"))
            let reborn = try await sdk.user(sdk.signInWithIdp("ada"))

            #expect(answer.status == 200 && answer["kind"] == "identitytoolkit#DeleteAccountResponse")
            #expect(lookup.errorPieces.first == "USER_NOT_FOUND")
            #expect(refresh.status == 400 && !refresh.errorPieces.isEmpty)
            #expect(reborn.isNew && reborn.localID != user.localID)
        }
    }

    @Test func `getIdToken(true) gets another token after a second, with the same login`() async throws {
        try await TestBroker.run { broker in
            let sdk = ClientSDK(broker: broker)
            let user = try await sdk.user(sdk.signInWithIdp("ada"))
            broker.clock.advance(seconds: 1)

            let answer = try await sdk.refresh(user.credential.string("refreshToken"))

            #expect(answer.status == 200 && !answer.text.contains("null"))
            #expect(answer["expires_in"]?.string.flatMap(Int.init) == 3600)
            #expect(try !answer.string("refresh_token").isEmpty)
            let token = try answer.string("access_token")
            #expect(token != user.credential["idToken"]?.string)
            let claims = try ClientSDK.result(of: token)
            #expect(claims["auth_time"] == user.claims["auth_time"] && claims["sub"] == user.claims["sub"])
            #expect(claims["iat"]?.integer == user.claims["iat"]?.integer.map { $0 + 1 })
            #expect(claims["firebase"]?["sign_in_provider"] == "github.com")
            #expect(try await sdk.record(token)["localId"]?.string == user.localID)
        }
    }

    @Test(arguments: [
        ("lookup", #"{"idToken":"a.b.c"}"#, "INVALID_ID_TOKEN"),
        ("update", #"{"idToken":"a.b.c","displayName":"x","returnSecureToken":true}"#, "INVALID_ID_TOKEN"),
        ("update", "{}", "INVALID_REQ_TYPE"),
        ("delete", #"{"idToken":"a.b.c"}"#, "INVALID_ID_TOKEN"),
        ("signInWithIdp", #"{"requestUri":"http://localhost","pendingToken":"a : b"}"#, "INVALID_PENDING_TOKEN"),
        (
            "signInWithIdp",
            #"{"requestUri":"http://localhost","postBody":"&access_token=a+:+b&providerId=github.com"}"#,
            "INVALID_IDP_RESPONSE"
        ),
        (
            "signInWithIdp", #"{"requestUri":"http://localhost","postBody":"&access_token=a&providerId=a+:+b"}"#,
            "OPERATION_NOT_ALLOWED"
        ),
        ("signInWithCustomToken", #"{"token":"a.b.c","returnSecureToken":true}"#, "INVALID_CUSTOM_TOKEN"),
    ])
    func `an error is one code, and at most one text behind space, colon, space`(
        method: String, body: String, code: String
    ) async throws {
        try await TestBroker.runWithServiceAccount { broker, _ in
            let answer = try await ClientSDK(broker: broker).call(method, body)

            #expect(answer.status == 400 && answer["error"]?["code"]?.integer == 400)
            let pieces = answer.errorPieces
            #expect(pieces.first == code && pieces.count <= 2)
            #expect(pieces.allSatisfy { !$0.isEmpty })
        }
    }

    @Test func `a refused refresh has the same error envelope`() async throws {
        try await TestBroker.run { broker in
            let answer = try await ClientSDK(broker: broker).refresh(RandomText.alphanumeric(40))

            #expect(answer.status == 400 && answer["error"]?["code"]?.integer == 400)
            #expect(answer.errorPieces.first == "INVALID_REFRESH_TOKEN")
        }
    }
}

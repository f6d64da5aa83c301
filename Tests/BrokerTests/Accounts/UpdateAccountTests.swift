import Broker
import BrokerStore
import Foundation
import JOSE
import ProviderKit
import ProviderSimulators
import Testing

@Suite("changing one's own account")
struct UpdateAccountTests {
    @Test func `a profile is set without new tokens and survives later sign-ins`() async throws {
        try await TestBroker.run { broker in
            let session = try await broker.signIn(broker.person("ada"))

            let answer = try await broker.update(
                session,
                ["displayName": "Countess", "photoUrl": "https://p.example/1", "returnSecureToken": true])
            let later = try await broker.signIn(broker.person("ada"))

            #expect(answer["kind"] == "identitytoolkit#SetAccountInfoResponse")
            #expect(answer["localId"] == session["localId"])
            #expect(answer["displayName"] == "Countess" && answer["photoUrl"] == "https://p.example/1")
            #expect(answer["email"] == "ada@example.com" && answer["emailVerified"] == true)
            #expect(answer["idToken"] == nil && answer["refreshToken"] == nil && answer["newEmail"] == nil)
            #expect(try await broker.record(later)["displayName"] == "Countess")
            #expect(try await broker.lookup(session.string("idToken")).status == 200)
            #expect(try await broker.events(of: session.string("localId")).contains("user.updated"))
        }
    }

    @Test(
        arguments: [
            ["displayName": nil, "photoUrl": nil], ["displayName": "", "photoUrl": ""],
            ["deleteAttribute": ["DISPLAY_NAME", "PHOTO_URL"]], ["deleteAttribute": [2, 4]],
            ["deleteAttribute": [2, 4], "displayName": "kept?", "photoUrl": "https://p.example/2"],
            ["delete_attribute": ["DISPLAY_NAME", "PHOTO_URL", "USER_ATTRIBUTE_NAME_UNSPECIFIED", "PASSWORD"]],
        ] as [JSONObject])
    func `null, the empty string and deleteAttribute clear, and deletion wins`(fields: JSONObject) async throws {
        try await TestBroker.run { broker in
            let session = try await broker.signIn(broker.person("ada"))
            _ = try await broker.update(session, ["displayName": "Countess", "photoUrl": "https://p.example/1"])

            let answer = try await broker.update(session, fields)

            #expect(answer.status == 200)
            #expect(answer["displayName"] == nil && answer["photoUrl"] == nil)
            let record = try await broker.record(session)
            #expect(record["displayName"] == nil && record["photoUrl"] == nil)
        }
    }

    @Test(
        arguments: [
            (["displayName": .string(String(repeating: "x", count: 257))], "Invalid"),
            (["displayName": .string("e" + String(repeating: "\u{301}", count: 256))], "Invalid"),
            (["displayName": ["a"]], "Invalid"), (["deleteAttribute": ["NOSE"]], "Invalid"),
            (["deleteAttribute": [7]], "Invalid"), (["deleteAttribute": [-1]], "Invalid"),
            (["deleteProvider": "github.com"], "Invalid"), (["deleteProvider": [1]], "Invalid"),
            (["deleteAttribute": ["PROVIDER"]], "deleteAttribute"), (["provider": ["x"]], "provider"),
            (["photoUrl": "javascript:alert(1)"], "INVALID_PHOTO_URL"),
            (["disableUser": true], "OPERATION_NOT_ALLOWED"), (["disableUser": false], "OPERATION_NOT_ALLOWED"),
            (["password": "secret"], "OPERATION_NOT_ALLOWED"),
            (["customAttributes": #"{"admin":true}"#], "INSUFFICIENT_PERMISSION"),
            (["customAttributes": ""], "INSUFFICIENT_PERMISSION"),
            (["linkProviderUserInfo": ["providerId": "github.com", "rawId": "1"]], "INSUFFICIENT_PERMISSION"),
            (["targetProjectId": "test-project"], "INSUFFICIENT_PERMISSION"),
        ] as [(JSONObject, String)])
    func `what a client may not do is refused and writes nothing`(fields: JSONObject, code: String) async throws {
        try await TestBroker.run { broker in
            let session = try await broker.signIn(broker.person("ada"))
            let before = try await broker.record(session)
            var fields = fields
            if fields["displayName"] == nil { fields["displayName"] = "Mallory" }
            fields["validSince"] = "1"

            let answer = try await broker.update(session, fields)

            #expect(answer.code == code)
            #expect(try await broker.record(session) == before)
        }
    }

    @Test func `disabling oneself is refused with the bare code, as Firebase refuses it`() async throws {
        try await TestBroker.run { broker in
            let session = try await broker.signUp()

            #expect(try await broker.update(session, ["disableUser": true]).message == "OPERATION_NOT_ALLOWED")
        }
    }

    @Test func `a picture stored before the rule reaches neither records nor tokens`() async throws {
        try await TestBroker.run { broker in
            let session = try await broker.signIn(broker.person("ada"))
            let localID = try session.string("localId")
            try await broker.core.store.write { transaction in
                guard var user = try transaction.user(localID: localID) else { return }
                (user.displayName, user.photoURL) = ("Ada", "javascript:alert(1)")
                try transaction.setProfile(of: user)
            }

            let refreshed = try await broker.refresh(session.string("refreshToken"))

            let claims = try CompactJWS(parsing: refreshed.string("id_token")).unverifiedClaims()
            #expect(claims["name"] == "Ada" && claims["picture"] == nil)
            #expect(try await broker.record(session)["photoUrl"] == nil)
        }
    }

    @Test func `fields of the record that are not the user's change nothing`() async throws {
        try await TestBroker.run { broker in
            let session = try await broker.signUp()
            let before = try await broker.record(session)

            let answer = try await broker.update(
                session,
                ["emailVerified": true, "createdAt": "1", "lastLoginAt": 1, "localId": "other", "email": nil])

            #expect(answer.status == 200)
            #expect(try await broker.record(session) == before)
        }
    }

    @Test func `an update without an ID token is no request`() async throws {
        try await TestBroker.run { broker in
            let answer = try await broker.post("/v1/accounts:update", ["displayName": "x", "localId": "y"])

            #expect(answer.message == "INVALID_REQ_TYPE : Unsupported request parameters.")
            let path = "/www.googleapis.com/identitytoolkit/v3/relyingparty/setAccountInfo"
            #expect(try await broker.post(path, [:]).code == "INVALID_REQ_TYPE")
            #expect(try await broker.post("/v1/accounts:update", ["idToken": "x.y.z"]).code == "INVALID_ID_TOKEN")
        }
    }

    @Test func `validSince ends every other session at once and gives this one new tokens`() async throws {
        try await TestBroker.run { broker in
            let session = try await broker.signIn(broker.person("ada"))
            let other = try await broker.signIn(broker.person("ada"))
            broker.clock.advance(seconds: 400)

            let answer = try await broker.update(session, ["validSince": 1])

            for dead in [session, other] {
                #expect(try await broker.lookup(dead.string("idToken")).code == "TOKEN_EXPIRED")
                #expect(try await broker.refresh(dead.string("refreshToken")).code == "TOKEN_EXPIRED")
            }
            let now = Int64(broker.clock.now.timeIntervalSince1970)
            #expect(try await broker.record(answer)["validSince"]?.string == String(now))
            #expect(answer["expiresIn"] == "3600")
            let refreshed = try await broker.refresh(answer.string("refreshToken"))
            let claims = try CompactJWS(parsing: refreshed.string("id_token")).unverifiedClaims()
            #expect(claims["auth_time"]?.integer == now - 400)
            #expect(claims["firebase"]?["sign_in_provider"] == "github.com")
            #expect(try await broker.lookup(refreshed.string("id_token")).status == 200)
        }
    }

    @Test func `a session that renews itself keeps its age`() async throws {
        try await TestBroker.run { broker in
            var session = try await broker.signIn(broker.person("ada"))
            for _ in 0..<4 {
                broker.clock.advance(seconds: 25 * 86_400)
                let refreshed = try await broker.refresh(session.string("refreshToken"))
                guard refreshed.status == 200 else { break }
                let token = try refreshed.string("id_token")
                session = try await broker.post("/v1/accounts:update", ["idToken": .string(token), "validSince": "1"])
            }

            #expect(try await broker.refresh(session.string("refreshToken")).code == "TOKEN_EXPIRED")
        }
    }
}

import Broker
import BrokerStore
import Foundation
import JOSE
import NIOHTTP1
import ProviderKit
import Testing

/// The backends' half of Identity Toolkit (contract §1.2, §2).
@Suite("users of backends")
struct UserAdministrationTests {
    private static let project = "/v1/projects/test-project/accounts"

    @Test func `both path forms and the legacy names reach the backends' method`() async throws {
        try await TestBroker.run { broker in
            let backend = try await AccountBackend(of: broker)
            let created = try await backend.post(Self.project, ["localId": "u1", "email": "A@Example.com"])

            #expect(created.status == 200 && created["localId"] == "u1" && created["email"] == "a@example.com")
            #expect(created["idToken"] == nil)
            for path in [
                "/v1/accounts:lookup", "\(Self.project):lookup",
                "/identitytoolkit.googleapis.com\(Self.project):lookup",
                "/identitytoolkit/v3/relyingparty/getAccountInfo",
            ] {
                let answer = try await backend.post(path, ["localId": ["u1"]])
                let user = answer["users"]?.array?.first
                #expect(user?["localId"] == "u1" && user?["lastLoginAt"] == nil, "\(path): \(answer.text)")
            }
            let none = try await backend.post("\(Self.project):lookup", ["localId": ["nobody"]])
            #expect(none.body == ["kind": "identitytoolkit#GetAccountInfoResponse"])
        }
    }

    @Test func `a backend needs its scope, its project and no tenant`() async throws {
        try await TestBroker.run { broker in
            let reader = try await AccountBackend(of: broker, scopes: [.readUsers])

            let unscoped = try await reader.post(Self.project, [:])
            let foreign = try await reader.post("/v1/projects/other/accounts:lookup", [:])
            let target = try await reader.post("/v1/accounts:lookup", ["targetProjectId": "other"])
            let own = try await reader.post("/v1/accounts:lookup", ["targetProjectId": "test-project"])
            let tenant = try await reader.post("/v1/accounts:lookup", ["tenantId": "t"])
            let keyOnly = try await broker.post("\(Self.project):update", ["localId": "u1"])

            #expect(unscoped.status == 403 && own.status == 200)
            #expect([foreign, target, keyOnly].map(\.code) == Array(repeating: "INSUFFICIENT_PERMISSION", count: 3))
            #expect(tenant.code == "INVALID_TENANT_ID")
        }
    }

    @Test(arguments: [
        (#"{"localId":"u1","idToken":"x"}"#, "UNEXPECTED_PARAMETER"), (#"{"localId":"taken"}"#, "DUPLICATE_LOCAL_ID"),
        (#"{"email":"nowhere"}"#, "INVALID_EMAIL"), (#"{"email":"TAKEN@example.com"}"#, "EMAIL_EXISTS"),
        (#"{"password":"secret"}"#, "OPERATION_NOT_ALLOWED"), (#"{"localId":"a\u0007b"}"#, "INVALID_LOCAL_ID"),
    ])
    func `a refused creation writes nothing`(body: String, code: String) async throws {
        try await TestBroker.run { broker in
            let backend = try await AccountBackend(of: broker)
            _ = try await backend.post(Self.project, ["localId": "taken", "email": "taken@example.com"])

            let answer = try await backend.post(Self.project, try JSONValue(parsing: body))

            #expect(answer.status == 400 && answer.code == code, "\(answer.text)")
            let users = try await broker.core.store.read { try $0.users(after: nil, limit: 10) }
            #expect(users.map(\.localID) == ["taken"])
        }
    }

    @Test(arguments: [
        (#"{}"#, "MISSING_LOCAL_ID"), (#"{"localId":"nobody"}"#, "USER_NOT_FOUND"),
        (#"{"localId":"u1","customAttributes":"[]"}"#, "INVALID_CLAIMS"),
        (#"{"localId":"u1","customAttributes":"{\"sub\":1}"}"#, "FORBIDDEN_CLAIM"),
        (#"{"localId":"u1","email":"u2@example.com"}"#, "EMAIL_EXISTS"),
        (#"{"localId":"u1","displayName":"x","linkProviderUserInfo":{"rawId":"1"}}"#, "MISSING_PROVIDER_ID"),
        (#"{"localId":"u1","linkProviderUserInfo":{"providerId":"github.com"}}"#, "MISSING_RAW_ID"),
        (#"{"localId":"u1","linkProviderUserInfo":{"providerId":"none","rawId":"1"}}"#, "OPERATION_NOT_ALLOWED"),
    ])
    func `a refused update changes nothing`(body: String, code: String) async throws {
        try await TestBroker.run { broker in
            let backend = try await AccountBackend(of: broker)
            for id in ["u1", "u2"] {
                _ = try await backend.post(
                    Self.project, ["localId": .string(id), "email": .string("\(id)@example.com")])
            }
            let before = try await backend.user("u1")

            let answer = try await backend.post("\(Self.project):update", try JSONValue(parsing: body))

            #expect(answer.status == 400 && answer.code == code, "\(answer.text)")
            #expect(try await backend.user("u1") == before)
        }
    }

    @Test func `claims of a thousand characters go into tokens, and longer ones are refused`() async throws {
        try await TestBroker.run { broker in
            let backend = try await AccountBackend(of: broker)
            let session = try await broker.signIn(try broker.person("ada"))
            let localID = try session.string("localId")
            let text = #"{"role":"\#(String(repeating: "x", count: 989))"}"#

            let accepted = try await backend.update(localID, ["customAttributes": .string(text)])
            let refused = try await backend.update(localID, ["customAttributes": .string(text + " ")])
            let claims = try broker.claims(of: try await broker.signIn(try broker.person("ada")))

            #expect(text.count == 1000 && accepted.status == 200 && refused.code == "CLAIMS_TOO_LARGE")
            #expect(claims["role"]?.string?.count == 989)
            #expect(try await backend.user(localID)?["customAttributes"]?.string == text)
        }
    }

    @Test func `a change of address or validSince ends every session, and other changes none`() async throws {
        try await TestBroker.run { broker in
            let backend = try await AccountBackend(of: broker)
            for (fields, isEnded) in [
                (["displayName": "Ada", "emailVerified": true], false), (["email": "new@example.com"], true),
                (["validSince": 1], true),
            ] as [(JSONObject, Bool)] {
                let session = try await broker.signIn(try broker.person("ada"))
                let token = try session.string("idToken")

                let answer = try await backend.update(try session.string("localId"), fields)

                #expect(answer.status == 200 && answer["idToken"] == nil, "\(answer.text)")
                #expect(try await broker.lookup(token).status == (isEnded ? 400 : 200), "\(fields)")
                #expect((try await broker.refresh(session.string("refreshToken"))).status == (isEnded ? 400 : 200))
            }
            let user = try await backend.only()
            #expect(user["validSince"] == "1" && user["email"] == "new@example.com" && user["emailVerified"] == false)
            #expect(user["initialEmail"] != nil)
            let found = try await backend.post(
                "\(Self.project):lookup", ["initialEmail": [user["initialEmail"] ?? .null]])
            #expect(found["users"]?.array?.count == 1)
        }
    }

    @Test func `a link never takes an identity of another user`() async throws {
        try await TestBroker.run { broker in
            let backend = try await AccountBackend(of: broker)
            let ada = try await broker.signIn(try broker.person("ada"))
            _ = try await backend.post(Self.project, ["localId": "u1"])
            let link: JSONValue = ["providerId": "github.com", "rawId": ada["federatedId"] ?? .null]

            let stolen = try await backend.update("u1", ["linkProviderUserInfo": link])
            let again = try await backend.update(try ada.string("localId"), ["linkProviderUserInfo": link])
            let second = try await backend.update(
                try ada.string("localId"), ["linkProviderUserInfo": ["providerId": "github.com", "rawId": "12345"]])
            let free = try await backend.update(
                "u1", ["linkProviderUserInfo": ["providerId": "github.com", "rawId": "12345", "displayName": "One"]])
            let found = try await backend.post(
                "\(Self.project):lookup", ["federatedUserId": [["providerId": "github.com", "rawId": "12345"]]])

            #expect(stolen.code == "FEDERATED_USER_ID_ALREADY_LINKED" && again.status == 200)
            #expect(second.code == "PROVIDER_ALREADY_LINKED")
            #expect(free["providerUserInfo"]?.array?.first?["displayName"] == "One", "\(free.text)")
            #expect(found["users"]?.array?.map { $0["localId"] } == ["u1"])
            #expect(try await broker.signIn(try broker.person("ada"))["localId"] == ada["localId"])
        }
    }

    @Test func `a backend disables and deletes users, and the audit names its credential`() async throws {
        try await TestBroker.run { broker in
            let backend = try await AccountBackend(of: broker)
            let session = try await broker.signIn(try broker.person("ada"))
            let localID = try session.string("localId")

            _ = try await backend.update(localID, ["disableUser": true])
            #expect(try await broker.lookup(session.string("idToken")).code == "USER_DISABLED")
            _ = try await backend.update(localID, ["disableUser": false])
            #expect(try await broker.lookup(session.string("idToken")).status == 200)
            let deleted = try await backend.post("\(Self.project):delete", ["localId": .string(localID)])
            let gone = try await backend.post("\(Self.project):delete", ["localId": .string(localID)])

            #expect(deleted["kind"] == "identitytoolkit#DeleteAccountResponse" && gone.code == "USER_NOT_FOUND")
            let entries = try await broker.core.store.read { try $0.auditEntries(localID: localID, limit: 10) }
            let changes = entries.filter { $0.actorKind == .admin }
            #expect(
                Set(changes.map(\.event)) == ["user.disabled", "user.enabled", "user.deleted", "withdrawal.queued"])
            #expect(changes.allSatisfy { $0.actor?.hasPrefix("credential:") == true })
        }
    }

    @Test func `a session cookie has the claims of its ID token, and no endpoint takes it for one`() async throws {
        try await TestBroker.run { broker in
            let backend = try await AccountBackend(of: broker)
            let session = try await broker.signIn(try broker.person("ada"))
            let claims = try broker.claims(of: session)
            let path = "/v1/projects/test-project:createSessionCookie"

            let answer = try await backend.post(
                path, ["idToken": try #require(session["idToken"]), "validDuration": 300])
            let cookie = try answer.string("sessionCookie")
            let cookieClaims = try CompactJWS(parsing: cookie).verified(
                with: broker.core.sessions.signingKeys.verification, algorithms: Set(SignatureAlgorithm.allCases))

            #expect(cookieClaims["iss"] == "http://127.0.0.1:9099/test-project/session")
            for name in ["sub", "auth_time", "firebase", "broker", "aud"] {
                #expect(cookieClaims[name] == claims[name], "\(name)")
            }
            let issued = try #require(cookieClaims["iat"]?.integer)
            #expect(cookieClaims["exp"]?.integer == issued + 300)
            #expect(try await broker.lookup(cookie).code == "INVALID_ID_TOKEN")
            #expect(try await backend.post(path, [:]).code == "MISSING_ID_TOKEN")
            for duration in ["299", "1209601"] {
                let refused = try await backend.post(path, ["idToken": "x", "validDuration": .string(duration)])
                #expect(refused.code == "INVALID_DURATION")
            }
            let keys = try await broker.get("/v1/sessionCookiePublicKeys")
            #expect(try await keys.text == broker.get("/test-project/.well-known/jwks.json").text)
        }
    }
}

/// A backend with a credential of its own.
private struct AccountBackend {
    let broker: TestBroker
    let token: String

    init(of broker: TestBroker, scopes: Set<AdminScope> = [.readUsers, .writeUsers]) async throws {
        self.broker = broker
        token = try await broker.core.sessions.adminCredentials.create(
            named: "Backend", scopes: scopes, lifetime: nil, origin: Origin(.admin, actor: "test")
        ).token.text
    }

    func post(_ path: String, _ body: JSONValue) async throws -> Answer {
        try await broker.send(
            .POST, path, headers: ["Content-Type": "application/json", "Authorization": "Bearer \(token)"],
            body: Array(body.serialized().utf8))
    }

    func update(_ localID: String, _ fields: JSONObject) async throws -> Answer {
        var body = fields
        body["localId"] = .string(localID)
        return try await post("/v1/projects/test-project/accounts:update", .object(body))
    }

    func user(_ localID: String) async throws -> JSONValue? {
        try await post("/v1/accounts:lookup", ["localId": [.string(localID)]])["users"]?.array?.first
    }

    /// The record of the only user.
    func only() async throws -> JSONValue {
        let users = try await broker.core.store.read { try $0.users(after: nil, limit: 2) }
        try #require(users.count == 1)
        return try #require(try await user(users[0].localID))
    }
}

import Broker
import BrokerStore
import ProviderKit
import ProviderSimulators
import Testing

@Suite("fields an end user slips into a request")
struct MassAssignmentTests {
    @Test(arguments: [
        "/v1/accounts:update", "/identitytoolkit/v3/relyingparty/setAccountInfo",
        "/v1/projects/test-project/accounts:update",
    ])
    func `a user cannot attach another user's identity, in any spelling and on any path`(path: String) async throws {
        try await TestBroker.run { broker in
            let victim = try await broker.signIn(broker.person("ada"))
            let mallory = try await broker.signUp()
            let identity: JSONValue = ["providerId": "github.com", "rawId": try #require(victim["federatedId"])]
            let before = [try await broker.record(victim), try await broker.record(mallory)]

            for name in ["linkProviderUserInfo", "link_provider_user_info"] {
                let answer = try await broker.post(
                    path, .object(JSONObject([("idToken", mallory["idToken"] ?? .null), (name, identity)])))
                #expect(answer.code == "INSUFFICIENT_PERMISSION", "\(name)")
            }

            #expect([try await broker.record(victim), try await broker.record(mallory)] == before)
            #expect(try await broker.signIn(broker.person("ada"))["localId"] == victim["localId"])
        }
    }

    @Test func `one's own token with another's localId changes and deletes at most oneself`() async throws {
        try await TestBroker.run { broker in
            let victim = try await broker.signIn(broker.person("ada"))
            let mallory = try await broker.signIn(broker.person("ben"))
            let before = try await broker.record(victim)
            for spelling in ["localId", "local_id"] {
                let target = JSONObject([
                    ("idToken", try #require(mallory["idToken"])), (spelling, try #require(victim["localId"])),
                ])
                var update = target
                update["displayName"] = "Mallory"
                update["deleteProvider"] = ["github.com"]
                update["validSince"] = nil

                _ = try await broker.post("/v1/accounts:update", .object(update))
                _ = try await broker.post("/v1/accounts:delete", .object(target))

                #expect(try await broker.record(victim) == before, "\(spelling)")
                #expect(try await broker.refresh(victim.string("refreshToken")).status == 200)
            }
        }
    }

    @Test(arguments: [Policy.strict, .firebase])
    func `an address a user gives is not verified by saying so`(policy: Policy) async throws {
        try await TestBroker.run({ $0.policy = policy }) { broker in
            let mallory = try await broker.signUp()

            let answer = try await broker.update(
                mallory, ["email": "owner@example.com", "emailVerified": true, "email_verified": true])

            let session = answer["idToken"] == nil ? mallory : answer
            #expect(try await broker.record(session)["emailVerified"] != true)
            #expect(try broker.claims(of: session)["email_verified"] != true)
        }
    }

    private static let administration: JSONObject = [
        "customAttributes": #"{"admin":true}"#, "custom_attributes": #"{"admin":true}"#, "emailVerified": true,
        "disabled": false, "validSince": "1", "createdAt": "1", "lastLoginAt": "1", "customAuth": true,
        "phoneNumber": "+15550100", "mfaInfo": [["phoneInfo": "+15550100"]], "claims": ["admin": true],
        "providerUserInfo": [["providerId": "github.com", "rawId": "1"]],
        "linkProviderUserInfo": ["providerId": "github.com", "rawId": "1"],
    ]

    @Test(arguments: administration.map { $0.name })
    func `signing up and in writes nothing of what only an admin sets`(name: String) async throws {
        try await TestBroker.run { broker in
            let value = try #require(Self.administration[name])
            let plain = [try await broker.signUp(), try await broker.signIn(broker.person("ada"))]
            let token = broker.simulator.accessToken(
                for: try broker.person("ada"), application: broker.simulator.defaultApplication)

            let slipped = [
                try await broker.post(
                    "/v1/accounts:signUp", .object(JSONObject([("returnSecureToken", true), (name, value)]))),
                try await broker.signIn(
                    postBody: [("access_token", token), ("providerId", "github.com")],
                    extra: JSONObject([(name, value)])),
            ]

            for (answer, plain) in zip(slipped, plain) where answer.status == 200 {
                var record = try #require(try await broker.record(answer).object)
                var expected = try #require(try await broker.record(plain).object)
                // Of the user and the session alone.
                for name in ["localId", "broker"] { (record[name], expected[name]) = (nil, nil) }
                #expect(JSONValue.object(record) == .object(expected))
                let claims = try broker.claims(of: answer)
                #expect(claims["admin"] == nil && claims["phone_number"] == nil)
            }
        }
    }
}

import Broker
import BrokerStore
import Foundation
import NIOHTTP1
import ProviderKit
import ProviderSimulators
import Testing

@Suite("accounts:revokeToken")
struct RevokeTokenTests {
    // Firebase's SDK for iOS sends the type's number as text.
    @Test(
        arguments: ["/v2/accounts:revokeToken", "/identitytoolkit.googleapis.com/v2/accounts:revokeToken"],
        ["CODE", "3"])
    func `an app's code withdraws the grant, and the session stays for the deletion`(
        path: String, type: String
    ) async throws {
        try await TestProviders.run({ $0.policy.deletionWithoutGrant = .refuse }) { broker, providers in
            let person = providers.apple.people()[0]
            let session = try await broker.signIn(postBody: providers.nativeCredential(of: person, sendsCode: false))

            let answer = try await broker.post(
                path,
                [
                    "providerId": "apple.com", "tokenType": .string(type),
                    "idToken": .string(try session.string("idToken")),
                    "token": .string(providers.nativeCode(of: person)),
                ])

            #expect(answer.status == 200 && answer.body == [:], "\(answer.text)")
            let withdrawals = try await broker.withdrawals()
            #expect(withdrawals.map(\.cause) == [.revoke])
            #expect(withdrawals.map(\.clientID) == [providers.apple.nativeApplication.clientID])
            #expect(try await broker.storedGrants(ofUser: session.string("localId")).isEmpty)
            // The grant that was revoked before is not missed at the deletion.
            #expect(try await broker.delete(session).status == 200)
            #expect(try await broker.withdrawals().count == 1)
        }
    }

    @Test func `a web site's code belongs to the Services ID`() async throws {
        try await TestProviders.run { broker, providers in
            let (person, site) = (providers.apple.people()[0], providers.apple.defaultApplication)
            let session = try await broker.signIn(postBody: providers.nativeCredential(of: person, sendsCode: false))

            let answer = try await Self.revoke(
                session, "CODE", providers.apple.authorizationCode(for: person, application: site), broker,
                ["redirectUri": .string(site.returnURLs[0])])

            #expect(answer.status == 200, "\(answer.text)")
            #expect(try await broker.withdrawals().map(\.clientID) == [site.clientID])
        }
    }

    @Test func `a code that is used, expired or another user's revokes nothing`() async throws {
        try await TestProviders.run { broker, providers in
            let (ada, ben) = (providers.apple.people()[0], providers.apple.people()[1])
            let session = try await broker.signIn(postBody: providers.nativeCredential(of: ada))
            let used = providers.nativeCode(of: ada)
            _ = try await Self.revoke(session, "CODE", used, broker)
            let expired = providers.nativeCode(of: ada)
            let queued = try await broker.withdrawals().count

            let again = try await Self.revoke(session, "CODE", used, broker)
            let others = try await Self.revoke(session, "CODE", providers.nativeCode(of: ben), broker)
            providers.advance(301, with: broker)
            let late = try await Self.revoke(session, "CODE", expired, broker)

            #expect(again.code == "APPLE_CODE_EXPIRED" && late.code == "APPLE_CODE_EXPIRED")
            #expect(others.code == "INVALID_IDP_RESPONSE")
            #expect(try await broker.withdrawals().count == queued)
        }
    }

    @Test func `a token of the stored grant is revoked as the client that obtained it`() async throws {
        try await TestProviders.run({ $0.policy = .firebase }) { broker, providers in
            let person = providers.apple.people()[0]
            let session = try await broker.signIn(postBody: providers.nativeCredential(of: person))
            let token = try #require(try session.string("oauthAccessToken"))

            let answer = try await Self.revoke(session, "ACCESS_TOKEN", token, broker)

            #expect(answer.status == 200 && answer.body == [:], "\(answer.text)")
            let withdrawals = try await broker.withdrawals()
            #expect(withdrawals.map(\.clientID) == [providers.apple.nativeApplication.clientID])
            #expect(withdrawals.map(\.tokenHint) == [.refreshToken])
        }
    }

    @Test func `a token that is not stored is revoked beside the stored grant`() async throws {
        try await TestProviders.run { broker, providers in
            let (apple, person) = (providers.apple, providers.apple.people()[0])
            let session = try await broker.signIn(postBody: providers.nativeCredential(of: person))
            let token = apple.refreshToken(for: person, application: apple.defaultApplication)

            let answer = try await Self.revoke(
                session, "REFRESH_TOKEN", token, broker, ["clientId": .string(apple.defaultApplication.clientID)])

            #expect(answer.status == 200, "\(answer.text)")
            #expect(
                Set(try await broker.withdrawals().map(\.clientID))
                    == [apple.defaultApplication.clientID, apple.nativeApplication.clientID])
            let foreign = try await Self.revoke(session, "REFRESH_TOKEN", token, broker, ["clientId": "com.other"])
            #expect(foreign.status == 400)
            #expect(try await broker.withdrawals().count == 2)
        }
    }

    @Test func `the next sign-in is a first one again, with the name it brings`() async throws {
        try await TestProviders.run { broker, providers in
            let (apple, person) = (providers.apple, providers.apple.people()[0])
            let first = try await broker.signIn(postBody: providers.nativeCredential(of: person))
            _ = try await Self.revoke(first, "CODE", providers.nativeCode(of: person), broker)
            apple.revokeGrant(of: person, application: apple.nativeApplication)
            var credential = providers.nativeCredential(of: person)
            #expect(credential.contains { $0.0 == "user" })
            credential.removeAll { $0.0 == "user" }
            credential.append(("user", #"{"name":{"firstName":"Adele"}}"#))

            let second = try await broker.signIn(postBody: credential)

            #expect(second["localId"] == first["localId"])
            let key = IdentityKey(
                provider: "apple.com", issuer: "\(apple.url)/\(apple.teamID)",
                subject: apple.subject(of: person, for: apple.nativeApplication))
            let profile = try #require(try await broker.core.store.read { try $0.firstTimeProfile(key) })
            #expect(profile.givenName == "Adele" && profile.familyName == nil)
            let found = try await broker.record(second)["providerUserInfo"]?.array?.first
            #expect(found?["displayName"] == "Adele")
        }
    }

    @Test func `a request without what it needs is refused with the field's name`() async throws {
        try await TestProviders.run { broker, providers in
            let person = providers.apple.people()[0]
            let session = try await broker.signIn(postBody: providers.nativeCredential(of: person))
            let whole: JSONObject = [
                "providerId": "apple.com", "tokenType": "CODE", "token": "c",
                "idToken": .string(try session.string("idToken")),
            ]
            for (name, said) in [
                ("providerId", "/providerId"), ("tokenType", "/tokenType"), ("token", "/token"),
                ("idToken", "MISSING_ID_TOKEN"),
            ] {
                var body = whole
                body[name] = nil
                let answer = try await broker.post("/v2/accounts:revokeToken", .object(body))
                #expect(answer.status == 400 && answer.message?.contains(said) == true, "\(name): \(answer.text)")
            }
            let other = try await Self.revoke(session, "CODE", "c", broker, ["providerId": "github.com"])
            #expect(other.code == "OPERATION_NOT_ALLOWED")
            let noKey = try await broker.send(
                .POST, "/v2/accounts:revokeToken", headers: ["Content-Type": "application/json"],
                body: Array(JSONValue.object(whole).serialized().utf8))
            #expect(noKey.status == 403)
            #expect(try await broker.withdrawals().isEmpty)
        }
    }

    private static func revoke(
        _ session: Answer, _ type: String, _ token: String, _ broker: TestBroker, _ more: JSONObject = [:]
    ) async throws -> Answer {
        var body: JSONObject = [
            "providerId": "apple.com", "tokenType": .string(type), "token": .string(token),
            "idToken": .string(try session.string("idToken")),
        ]
        for (name, value) in more { body[name] = value }
        return try await broker.post("/v2/accounts:revokeToken", .object(body))
    }
}

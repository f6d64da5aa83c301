import Broker
import BrokerStore
import Foundation
import ProviderKit
import ProviderSimulators
import Testing

@Suite("deleting one's account")
struct DeleteAccountTests {
    @Test func `nothing of a deleted user works, and the identity becomes a new one`() async throws {
        try await TestBroker.run { broker in
            let session = try await broker.signIn(broker.person("ada"))

            let answer = try await broker.delete(session)

            #expect(answer["kind"] == "identitytoolkit#DeleteAccountResponse")
            #expect(answer.body.object?.map(\.name) == ["kind", "broker"])
            #expect(try await broker.lookup(session.string("idToken")).code == "USER_NOT_FOUND")
            #expect(try await broker.refresh(session.string("refreshToken")).code == "INVALID_REFRESH_TOKEN")
            #expect(try await broker.update(session, ["displayName": "x"]).code == "USER_NOT_FOUND")
            #expect(try await broker.delete(session).code == "USER_NOT_FOUND")
            let again = try await broker.signIn(broker.person("ada"))
            #expect(again["isNewUser"] == true && again["localId"] != session["localId"])
            #expect(try await broker.events(of: session.string("localId")).first == "user.deleted")
        }
    }

    @Test(arguments: [Policy.strict, .firebase])
    func `it takes a recent login`(policy: Policy) async throws {
        try await TestBroker.run({ $0.policy = policy }) { broker in
            let session = try await broker.signIn(broker.person("ada"))
            broker.clock.advance(seconds: 301)

            let old = try await broker.delete(session)
            let refreshed = try await broker.refresh(session.string("refreshToken")).string("id_token")
            let stillOld = try await broker.post("/v1/accounts:delete", ["idToken": .string(refreshed)])
            let recent = try await broker.delete(broker.signIn(broker.person("ada")))

            #expect(old.code == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
            #expect(stillOld.code == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
            #expect(recent.status == 200)
        }
    }

    @Test func `a user without a provider to log in with deletes the account at any time`() async throws {
        try await TestBroker.run { broker in
            let session = try await broker.signUp()
            broker.clock.advance(seconds: 301)

            #expect(try await broker.delete(session).status == 200)
        }
    }

    @Test func `a local id alone deletes no user`() async throws {
        try await TestBroker.run { broker in
            let session = try await broker.signUp()
            let body: JSONValue = ["localId": try #require(session["localId"])]

            #expect(try await broker.post("/v1/accounts:delete", body).code == "MISSING_ID_TOKEN")
            let path = "/identitytoolkit/v3/relyingparty/deleteAccount"
            #expect(try await broker.post(path, body).code == "MISSING_ID_TOKEN")
            #expect(try await broker.lookup(session.string("idToken")).status == 200)
        }
    }

    @Test func `an admin deletes by local id`() async throws {
        try await TestBroker.run { broker in
            let session = try await broker.signIn(broker.person("ada"))
            let localID = try session.string("localId")
            broker.clock.advance(seconds: 301)

            try await broker.core.accounts.deleteAccount(localID: localID, origin: Origin(.admin, actor: "root"))

            #expect(try await broker.lookup(session.string("idToken")).code == "USER_NOT_FOUND")
            await #expect(throws: BrokerError.userNotFound) {
                try await broker.core.accounts.deleteAccount(localID: localID, origin: Origin(.admin))
            }
        }
    }
}

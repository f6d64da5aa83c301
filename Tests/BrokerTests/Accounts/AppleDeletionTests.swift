import BrokerStore
import Foundation
import ProviderKit
import ProviderSimulators
import Testing

@testable import Broker

@Suite("deleting a user of Apple")
struct AppleDeletionTests {
    @Test func `a fresh code of a device gives the grant that is revoked as the app's client`() async throws {
        try await TestProviders.run { broker, providers in
            let person = providers.apple.people()[0]
            let session = try await broker.signIn(
                postBody: providers.nativeCredential(of: person, sendsCode: false))
            #expect(try await broker.storedGrants(ofUser: session.string("localId")).isEmpty)

            let answer = try await Self.delete(
                session, ["authorizationCode": .string(providers.nativeCode(of: person))], broker)

            #expect(answer.status == 200, "\(answer.text)")
            #expect(try await broker.lookup(session.string("idToken")).code == "USER_NOT_FOUND")
            let withdrawal = try #require(try await broker.withdrawals().first)
            #expect(withdrawal.cause == .delete && withdrawal.state == .queued && withdrawal.provider == "apple.com")
            #expect(withdrawal.clientID == providers.apple.nativeApplication.clientID)
            #expect(withdrawal.tokenHint == .refreshToken)
            #expect(try await broker.withdrawals().count == 1)
            let sealed = try WithdrawnGrant(opening: withdrawal, with: broker.core.outbox.withdrawals.sealer)
            #expect(sealed.grant.refreshToken != nil && sealed.grant.idToken == nil, "tokens that are revoked, alone")
        }
    }

    @Test func `a web site's code gives a grant of the Services ID`() async throws {
        try await TestProviders.run { broker, providers in
            let (person, site) = (providers.apple.people()[0], providers.apple.defaultApplication)
            let session = try await broker.signIn(postBody: providers.nativeCredential(of: person, sendsCode: false))
            let code = providers.apple.authorizationCode(for: person, application: site)

            let answer = try await Self.delete(
                session,
                [
                    "authorizationCode": .string(code), "providerId": "Apple.com",
                    "redirectUri": .string(site.returnURLs[0]),
                ], broker)

            #expect(answer.status == 200, "\(answer.text)")
            #expect(try await broker.withdrawals().map(\.clientID) == [site.clientID])
        }
    }

    @Test(arguments: ["used", "expired", "another client's"])
    func `a code that is worth nothing deletes nothing`(kind: String) async throws {
        try await TestProviders.run { broker, providers in
            let (apple, person) = (providers.apple, providers.apple.people()[0])
            var session = try await broker.signIn(postBody: providers.nativeCredential(of: person))
            var code = providers.nativeCode(of: person)
            switch kind {
            case "used":
                let spent = providers.nativeCredential(of: person)
                _ = try await broker.signIn(postBody: spent)
                code = try #require(spent.first { $0.0 == "code" }?.1)
            case "expired":
                providers.advance(301, with: broker)
                session = try await broker.signIn(postBody: providers.nativeCredential(of: person))
            default:
                let foreign = apple.register(AppleSimulator.Application(kind: .native))
                code = apple.nativeCredential(for: person, application: foreign).authorizationCode
            }

            let answer = try await Self.delete(session, ["authorizationCode": .string(code)], broker)

            #expect(answer.status == 400 && answer.code == "APPLE_CODE_EXPIRED", "\(answer.text)")
            #expect(try await broker.lookup(session.string("idToken")).status == 200)
            #expect(try await broker.withdrawals().isEmpty)
            #expect(try await broker.storedGrants(ofUser: session.string("localId")).count == 1)
        }
    }

    @Test func `a code of another user of Apple deletes and revokes nothing`() async throws {
        try await TestProviders.run { broker, providers in
            let (ada, ben) = (providers.apple.people()[0], providers.apple.people()[1])
            let session = try await broker.signIn(postBody: providers.nativeCredential(of: ada))
            let other = try await broker.signIn(postBody: providers.nativeCredential(of: ben))

            let answer = try await Self.delete(
                session, ["authorizationCode": .string(providers.nativeCode(of: ben))], broker)

            #expect(answer.code == "INVALID_IDP_RESPONSE" && answer.message?.contains("another user") == true)
            for one in [session, other] { #expect(try await broker.lookup(one.string("idToken")).status == 200) }
            #expect(try await broker.withdrawals().isEmpty)
            #expect(providers.apple.hits(.revoke) == 0)
        }
    }

    @Test func `a code for a provider that is not linked, or that takes none, is refused unused`() async throws {
        try await TestProviders.run { broker, providers in
            let person = providers.apple.people()[0]
            let code = JSONValue.string(providers.nativeCode(of: person))
            let stranger = try await broker.signIn(providers.person(at: "github.com", email: "x@example.com"))
            let asked = providers.apple.hits(.token)

            let unlinked = try await Self.delete(
                stranger, ["authorizationCode": code, "providerId": "apple.com"], broker)
            let unclear = try await Self.delete(stranger, ["authorizationCode": code], broker)
            let unable = try await Self.delete(
                stranger, ["authorizationCode": code, "providerId": "github.com"], broker)
            let unknown = try await Self.delete(stranger, ["authorizationCode": code, "providerId": "x.com"], broker)

            #expect([unlinked, unclear, unable].allSatisfy { $0.code == "INVALID_IDP_RESPONSE" })
            #expect(unknown.code == "OPERATION_NOT_ALLOWED")
            #expect(providers.apple.hits(.token) == asked)
            #expect(try await broker.lookup(stranger.string("idToken")).status == 200)
        }
    }

    @Test func `an old login refuses the deletion before the code is used`() async throws {
        try await TestProviders.run { broker, providers in
            let person = providers.apple.people()[0]
            let old = try await broker.signIn(postBody: providers.nativeCredential(of: person))
            providers.advance(301, with: broker)
            let code = JSONValue.string(providers.nativeCode(of: person))
            let asked = providers.apple.hits(.token)

            let refused = try await Self.delete(old, ["authorizationCode": code], broker)
            let askedThen = providers.apple.hits(.token)
            let recent = try await broker.signIn(postBody: providers.nativeCredential(of: person, sendsCode: false))
            let deleted = try await Self.delete(recent, ["authorizationCode": code], broker)

            #expect(refused.code == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN" && askedThen == asked)
            #expect(deleted.status == 200, "\(deleted.text)")
        }
    }

    @Test(arguments: ["silent", "key revoked"])
    func `an Apple that gives no grant deletes nothing, and without a code the deletion does not wait`(
        trouble: String
    ) async throws {
        try await TestProviders.run { broker, providers in
            let person = providers.apple.people()[0]
            let session = try await broker.signIn(postBody: providers.nativeCredential(of: person))
            let code = JSONValue.string(providers.nativeCode(of: person))
            if trouble == "silent" {
                providers.apple.fail(.token, with: .status(503))
            } else {
                providers.apple.revoke(keyID: providers.apple.key.keyID)
            }

            let refused = try await Self.delete(session, ["authorizationCode": code], broker)
            let remains = try await broker.lookup(session.string("idToken")).status
            let deleted = try await broker.delete(session)

            #expect(refused.code == "INVALID_IDP_RESPONSE" && remains == 200)
            #expect(deleted.status == 200)
            #expect(try await broker.withdrawals().map(\.state) == [.queued])
        }
    }

    @Test func `where a grant has to be revocable, a deletion without one asks for a code`() async throws {
        try await TestProviders.run({ $0.policy.deletionWithoutGrant = .refuse }) { broker, providers in
            let (ada, ben) = (providers.apple.people()[0], providers.apple.people()[1])
            let session = try await broker.signIn(postBody: providers.nativeCredential(of: ada, sendsCode: false))
            let stored = try await broker.signIn(postBody: providers.nativeCredential(of: ben))
            let other = try await broker.signIn(providers.person(at: "gitlab.com", email: "x@example.com"))

            let refused = try await broker.delete(session)
            let remains = try await broker.lookup(session.string("idToken")).status
            let deleted = try await Self.delete(
                session, ["authorizationCode": .string(providers.nativeCode(of: ada))], broker)

            #expect(refused.code == "APPLE_CODE_REQUIRED" && remains == 200, "\(refused.text)")
            #expect(deleted.status == 200, "\(deleted.text)")
            #expect(try await broker.delete(stored).status == 200)
            #expect(try await broker.delete(other).status == 200)
        }
    }

    @Test func `an administrator's deletion needs no code`() async throws {
        try await TestProviders.run({ $0.policy.deletionWithoutGrant = .refuse }) { broker, providers in
            let session = try await broker.signIn(
                postBody: providers.nativeCredential(of: providers.apple.people()[0], sendsCode: false))

            let receipts = try await broker.core.accounts.deleteAccount(
                localID: session.string("localId"), origin: Origin(.admin, actor: "test"))

            #expect(receipts == [WithdrawalReceipt(provider: "apple.com", state: .nothingStored)])
        }
    }

    private static func delete(_ session: Answer, _ fields: JSONObject, _ broker: TestBroker) async throws -> Answer {
        var body: JSONObject = ["idToken": .string(try session.string("idToken"))]
        for (name, value) in fields { body[name] = value }
        return try await broker.post("/v1/accounts:delete", .object(body))
    }
}

import BrokerStore
import Foundation
import ProviderKit
import ProviderSimulators
import Testing

@testable import Broker

@Suite("a user as administrators see it")
struct ShowUserTests {
    @Test func `has the state of the stored grant, and no token of it`() async throws {
        try await TestBroker.run { broker in
            let localID = try await broker.signIn(broker.person("ada")).string("localId")
            let clientID = broker.simulator.defaultApplication.clientID
            func shown() async throws -> JSONValue {
                let call = AdminCall(broker.core.admin, origin: Origin(.admin, actor: "test"))
                let record = try await ShowUser(user: localID).run(for: call)
                #expect(!record.serialized().contains("s3cret"))
                return try #require(record["broker"]?["grants"]?["github.com"])
            }
            func keep(refreshToken: String? = nil, expiresAt: Date?) async throws {
                let grant = UpstreamGrant(
                    clientID: clientID, accessToken: "s3cret-access", refreshToken: refreshToken,
                    expiresAt: expiresAt)
                try await broker.core.store.write(at: broker.core.now) {
                    [vault = broker.core.stored.vault] transaction in
                    guard let user = try transaction.user(localID: localID),
                        let identity = try transaction.identities(of: user.key).first
                    else { throw TestFailure("no identity") }
                    _ = try vault.keep(
                        grant, of: identity, key: transaction.nextKey(), at: transaction.now, in: transaction)
                }
            }
            let obtainedAt = JSONValue.string(broker.core.now.text)
            let end = broker.clock.now.addingTimeInterval(60)

            try await keep(expiresAt: end)
            let lasting = try await shown()
            #expect(
                lasting == ["state": "valid", "obtainedAt": obtainedAt, "expiresAt": .string(Timestamp(end).text)])
            broker.clock.advance(seconds: 60)
            #expect(try await shown()["state"] == "expired")

            // A grant with a refresh token lasts longer than its access token.
            let renewedAt = JSONValue.string(broker.core.now.text)
            try await keep(refreshToken: "s3cret-refresh", expiresAt: end)
            #expect(try await shown() == ["state": "valid", "obtainedAt": renewedAt])

            let refusedAt = broker.core.now
            _ = try await broker.core.store.write { transaction in
                guard let user = try transaction.user(localID: localID),
                    let grant = try transaction.grants(of: user.key).first
                else { throw TestFailure("no grant") }
                return try transaction.refuse(grant, GrantRefusal(at: refusedAt, reason: .revoked))
            }
            let refused = try await shown()
            #expect(
                refused == ["state": "refused", "obtainedAt": renewedAt, "refusedAt": .string(refusedAt.text)])

            try await keep(refreshToken: "s3cret-again", expiresAt: nil)
            #expect(try await shown()["state"] == "valid", "the refusal was of the grant before")
        }
    }
}

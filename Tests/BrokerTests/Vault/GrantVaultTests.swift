import BrokerStore
import Foundation
import ProviderKit
import Testing

@testable import Broker

@Suite("stored grants")
struct GrantVaultTests {
    @Test func `have what RFC 6749 §3.3 calls a scope, and nothing else that a provider names`() async throws {
        try await TestBroker.run { broker in
            let (vault, now) = (broker.core.stored.vault, Timestamp(broker.clock.now))
            let user = try await broker.signedInUser()
            let granted = [
                "read:user", #"a"b"#, #"a\b"#, "", "two words", "a\tb", "\u{E9}", "!#[]~",
                String(repeating: "a", count: 256),
                String(repeating: "a", count: 257),
            ]

            let stored = try await broker.core.store.write(at: now) { transaction -> String? in
                guard let identity = try transaction.identities(of: user.key).first else { return nil }
                try vault.keep(
                    UpstreamGrant(clientID: "app", accessToken: "token", scopes: granted), of: identity,
                    key: transaction.nextKey(), at: now, in: transaction)
                return try transaction.grant(identityKey: identity.key, clientID: "app")?.scopes
            }

            #expect(stored == "read:user !#[]~ " + String(repeating: "a", count: 256))
        }
    }

    @Test func `lose no scope that an earlier broker kept and this one drops`() async throws {
        try await TestBroker.run { broker in
            let (vault, now) = (broker.core.stored.vault, Timestamp(broker.clock.now))
            let user = try await broker.signedInUser()
            let granted = UpstreamGrant(clientID: "app", accessToken: "token", scopes: ["read:user", "gist"])

            let lost = try await broker.core.store.write(at: now) { transaction -> [String] in
                let identity = try #require(try transaction.identities(of: user.key).first)
                try vault.keep(granted, of: identity, key: transaction.nextKey(), at: now, in: transaction)
                var earlier = try #require(try transaction.grant(identityKey: identity.key, clientID: "app"))
                earlier.scopes = #"read:user gist a"b"#
                earlier.version += 1
                try transaction.upsertGrant(earlier)
                let reduced = UpstreamGrant(clientID: "app", accessToken: "token", scopes: ["read:user"])
                return try vault.keep(reduced, of: identity, key: transaction.nextKey(), at: now, in: transaction)
            }

            #expect(lost == ["gist"])
        }
    }
}

import Broker
import BrokerStore
import Foundation
import JOSE
import ProviderKit
import Testing

@Suite("rotation of signing keys")
struct SigningKeyRotationTests {
    /// Seconds a key is published before it signs.
    private static let hourAndMargin: TimeInterval = 3660
    /// Seconds a key is published after it has retired: session cookies live for two weeks.
    private static let cookiesAndMargin: TimeInterval = 14 * 86_400 + 60

    @Test func `a new key is published first, and the old one goes with its last token`() async throws {
        try await TestBroker.run { broker in
            let old = try #require(try await broker.signingKeyID())
            _ = try await broker.core.sessions.rotateSigningKeys([.es256], .published, origin: Origin(.admin))
            let written = try await broker.core.store.read { try $0.allSigningKeys() }
            let published = try await broker.publishedKeyIDs()
            let new = try #require(published.last)

            #expect(published == [old, new] && new != old)
            broker.clock.advance(seconds: Self.hourAndMargin - 1)
            #expect(try await broker.signingKeyID() == old)
            let last = try await broker.signUp().string("idToken")
            broker.clock.advance(seconds: 1)
            #expect(try await broker.signingKeyID() == new)
            broker.clock.advance(seconds: Self.hourAndMargin - 61)
            #expect(try await broker.lookup(last).status == 200)
            broker.clock.advance(seconds: Self.cookiesAndMargin - Self.hourAndMargin + 60)
            #expect(try await broker.publishedKeyIDs() == [old, new])
            broker.clock.advance(seconds: 1)
            #expect(try await broker.publishedKeyIDs() == [new])
            let left = try await broker.core.store.read { try $0.allSigningKeys() }
            #expect(left == written, "time alone writes nothing")
        }
    }

    @Test func `a broker meets a key another has made a moment ago and signs with it too`() async throws {
        try await TestBroker.run { broker in
            try await broker.withSecondCore { other in
                let older = try await broker.signUp().string("idToken")
                _ = try await broker.core.sessions.rotateSigningKeys([.es256], .now, origin: Origin(.admin))
                let newer = try await broker.signUp().string("idToken")
                let keyID = try #require(CompactJWS(parsing: newer).header.keyID)
                #expect(other.sessions.signingKeys.verification[keyID] == nil)

                _ = try await other.accounts.lookUp(newer)
                _ = try await other.accounts.lookUp(older)
                let tokens = try await other.accounts.signUpAnonymously(origin: Origin(.client)).tokens

                #expect(try CompactJWS(parsing: tokens.idToken).header.keyID == keyID)
            }
        }
    }

    @Test func `a broker that reads its keys again publishes what another has made`() async throws {
        try await TestBroker.run { broker in
            try await broker.withSecondCore { other in
                _ = try await other.sessions.rotateSigningKeys([.es256], .published, origin: Origin(.admin))
                try await broker.core.sessions.signingKeys.reload()

                let published = try await broker.publishedKeyIDs()
                #expect(published.count == 2)
                #expect(published.allSatisfy { other.sessions.signingKeys.verification[$0] != nil })
            }
        }
    }

    @Test func `made-up keys make a broker look into its store once a second at the most`() async throws {
        try await TestBroker.run { broker in
            try await broker.withSecondCore { other in
                let key = try PrivateSigningKey.generate(.es256)
                let forged = try TokenSigner(keyID: "made-up", key: key).token(claims: [:])
                await #expect(throws: BrokerError.invalidIDToken) { try await other.accounts.lookUp(forged) }
                _ = try await broker.core.sessions.rotateSigningKeys([.es256], .now, origin: Origin(.admin))
                let token = try await broker.signUp().string("idToken")

                await #expect(throws: BrokerError.invalidIDToken) { try await other.accounts.lookUp(token) }
                broker.clock.advance(seconds: 1)
                #expect(try await other.accounts.lookUp(token).record.identities.isEmpty)
            }
        }
    }

    @Test func `a key that has to sign at once takes the waiting one, and older tokens still count`() async throws {
        try await TestBroker.run { broker in
            let older = try await broker.signUp().string("idToken")
            _ = try await broker.core.sessions.rotateSigningKeys([.es256], .published, origin: Origin(.admin))
            let waiting = try #require(try await broker.publishedKeyIDs().last)

            _ = try await broker.core.sessions.rotateSigningKeys([.es256], .now, origin: Origin(.admin))

            #expect(try await broker.signingKeyID() == waiting)
            #expect(try await broker.publishedKeyIDs().count == 2)
            #expect(try await broker.lookup(older).status == 200)
        }
    }

    @Test func `the tokens of revoked keys die at once, and sessions live on`() async throws {
        try await TestBroker.run { broker in
            let first = try await broker.signUp()
            _ = try await broker.core.sessions.rotateSigningKeys([.es256], .now, origin: Origin(.admin))
            let second = try await broker.signUp()
            _ = try await broker.core.sessions.rotateSigningKeys([.es256], .published, origin: Origin(.admin))

            _ = try await broker.core.sessions.rotateSigningKeys([.es256], .revoking, origin: Origin(.admin))

            #expect(try await broker.publishedKeyIDs() == [try #require(try await broker.signingKeyID())])
            for session in [first, second] {
                #expect(try await broker.lookup(session.string("idToken")).code == "INVALID_ID_TOKEN")
                let refreshed = try await broker.refresh(session.string("refreshToken"))
                #expect(try await broker.lookup(refreshed.string("id_token")).status == 200)
            }
            #expect(try await broker.publishedKeyIDs(.rs256).count == 1, "the other algorithm is left alone")
        }
    }

    @Test func `more rotations than a key document may have keys do not prevent a start`() async throws {
        try await TestBroker.run { broker in
            for _ in 0...100 {
                _ = try await broker.core.sessions.rotateSigningKeys([.es256], .now, origin: Origin(.admin))
                broker.clock.advance(seconds: 3 * 3600)
            }
            try await broker.core.sessions.signingKeys.reload()
            try await broker.withSecondCore { other in
                let record = try await other.accounts.lookUp(broker.signUp().string("idToken")).record
                #expect(record.identities.isEmpty)
            }
        }
    }

    @Test func `of two processes that rotate at once, one does and the other has to wait`() async throws {
        try await TestBroker.run { broker in
            try await broker.withSecondCore { other in
                async let mine = broker.core.sessions.rotateSigningKeys([.es256], .published, origin: Origin(.admin))
                async let theirs = other.sessions.rotateSigningKeys([.es256], .published, origin: Origin(.admin))
                let outcomes = [try await mine, try await theirs]

                let rotated = outcomes.filter { if case .rotated = $0 { true } else { false } }
                #expect(rotated.count == 1)
                try await broker.core.sessions.signingKeys.reload()
                #expect(try await broker.publishedKeyIDs().count == 2)
            }
        }
    }

    @Test func `both algorithms rotate together, each with a key and a certificate of its own`() async throws {
        try await TestBroker.run { broker in
            _ = try await broker.core.sessions.rotateSigningKeys([.es256, .rs256], .published, origin: Origin(.admin))
            let certificates = try await broker.get("/identitytoolkit/v3/relyingparty/publicKeys")

            #expect(try await broker.publishedKeyIDs().count == 2)
            #expect(try await broker.publishedKeyIDs(.rs256).count == 2)
            let rsa = try await broker.publishedKeyIDs(.rs256)
            #expect(
                certificates.body.object.map { Set($0.names) } == Set(rsa),
                "the Admin SDKs for Go and Java fail on any other key than RSA")
        }
    }

    @Test func `a clock set back before every key's time does not leave the broker without one`() async throws {
        try await TestBroker.run { broker in
            _ = try await broker.core.sessions.rotateSigningKeys([.es256], .published, origin: Origin(.admin))
            broker.clock.advance(seconds: -10 * 365 * 86_400)

            #expect(try await broker.signUp().status == 200)
            try await broker.withSecondCore { started in
                _ = try await started.accounts.signUpAnonymously(origin: Origin(.client))
            }
        }
    }
}

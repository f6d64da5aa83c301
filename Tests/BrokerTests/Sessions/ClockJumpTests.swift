import Broker
import BrokerStore
import Foundation
import JOSE
import ProviderKit
import Testing

@Suite("a broker whose clock jumps")
struct ClockJumpTests {
    static let hour: TimeInterval = 3700
    static let decade: TimeInterval = 10 * 365.25 * 86_400
    /// To the year 1, into the days before 1970, and beyond what tokens and keys count with.
    static let beyond: [TimeInterval] = [-63_000_000_000, -2_000_000_000, 8e9, 9e12, 1e300, -1e300]

    /// How a clock jumps, and what becomes of credentials meanwhile and afterwards.
    struct Jump: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let seconds: TimeInterval
        /// What an ID token from before comes to during the jump; `nil` when it works.
        let lookup: String?
        /// The same of a refresh token.
        let refresh: String?
        /// What a refresh token from during the jump comes to when the clock is right again.
        let refreshAfterwards: String?
    }

    static let jumps = [
        Jump(
            testDescription: "an hour ahead", seconds: hour, lookup: "TOKEN_EXPIRED", refresh: nil,
            refreshAfterwards: nil),
        Jump(
            testDescription: "an hour back", seconds: -hour, lookup: "INVALID_ID_TOKEN", refresh: nil,
            refreshAfterwards: nil),
        Jump(
            testDescription: "ten years ahead", seconds: decade, lookup: "TOKEN_EXPIRED", refresh: "TOKEN_EXPIRED",
            refreshAfterwards: nil),
        Jump(
            testDescription: "ten years back", seconds: -decade, lookup: "INVALID_ID_TOKEN", refresh: nil,
            refreshAfterwards: "TOKEN_EXPIRED"),
    ]

    @Test(arguments: jumps)
    func `what was issued before counts again when the clock is right again`(jump: Jump) async throws {
        try await TestBroker.run { broker in
            let session = try await broker.signIn(broker.person("ada"))
            let idToken = try session.string("idToken")

            broker.clock.advance(seconds: jump.seconds)
            let lookup = try await broker.lookup(idToken)
            let stranger = try await broker.signIn(broker.person("ben"))
            broker.clock.advance(seconds: -jump.seconds)
            let found = try await broker.lookup(idToken)
            let refreshed = try await broker.refresh(session.string("refreshToken"))

            #expect(lookup.code == jump.lookup, "\(lookup.text)")
            #expect(stranger.status == 200, "\(stranger.text)")
            #expect(found.status == 200, "\(found.text)")
            #expect(refreshed.status == 200, "\(refreshed.text)")
            #expect(try await broker.lookup(refreshed.string("id_token")).status == 200)
        }
    }

    @Test(arguments: jumps)
    func `a session that is refreshed during a jump goes on afterwards, or as if nothing had been asked`(
        jump: Jump
    ) async throws {
        try await TestBroker.run { broker in
            var token = try await broker.signIn(broker.person("ada")).string("refreshToken")

            broker.clock.advance(seconds: jump.seconds)
            let during = try await broker.refresh(token)
            if during.status == 200 { token = try during.string("refresh_token") }
            broker.clock.advance(seconds: -jump.seconds)
            let afterwards = try await broker.refresh(token)

            #expect(during.code == jump.refresh, "\(during.text)")
            #expect(afterwards.code == jump.refreshAfterwards, "\(afterwards.text)")
        }
    }

    @Test(arguments: jumps)
    func `a user who signed in during a jump is the same user afterwards`(jump: Jump) async throws {
        try await TestBroker.run { broker in
            broker.clock.advance(seconds: jump.seconds)
            let session = try await broker.signIn(broker.person("ada"))
            #expect(try await broker.lookup(session.string("idToken")).status == 200)
            broker.clock.advance(seconds: -jump.seconds)

            let refreshed = try await broker.refresh(session.string("refreshToken"))
            let again = try await broker.signIn(broker.person("ada"))

            #expect(refreshed.code == jump.refreshAfterwards, "\(refreshed.text)")
            #expect(try again.string("localId") == session.string("localId"))
            #expect(again["isNewUser"] != true)
            #expect(try await broker.lookup(again.string("idToken")).status == 200)
        }
    }

    @Test(arguments: [hour, decade])
    func `a login of the future is not a recent one`(jump: TimeInterval) async throws {
        try await TestBroker.run { broker in
            broker.clock.advance(seconds: jump)
            let session = try await broker.signIn(broker.person("ada"))
            broker.clock.advance(seconds: -jump)
            let refreshed = try await broker.refresh(session.string("refreshToken"))
            let idToken = try refreshed.string("id_token")

            let deleted = try await broker.post("/v1/accounts:delete", ["idToken": .string(idToken)])
            let again = try await broker.signIn(broker.person("ada"))

            #expect(deleted.code == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN", "\(deleted.text)")
            #expect(try await broker.delete(again).status == 200)
        }
    }

    @Test(arguments: [hour, decade])
    func `the parent of a refresh token that was used in the future has no grace`(jump: TimeInterval) async throws {
        try await TestBroker.run { broker in
            let session = try await broker.signUp()
            var parent = try session.string("refreshToken")
            if jump > 86_400 {
                // A session from before would be too old then.
                broker.clock.advance(seconds: jump)
                parent = try await broker.signUp().string("refreshToken")
                broker.clock.advance(seconds: -jump)
            }
            broker.clock.advance(seconds: jump)
            let child = try await broker.refresh(parent).string("refresh_token")
            broker.clock.advance(seconds: -jump)

            let thief = try await broker.refresh(parent)
            let owner = try await broker.refresh(child)

            #expect(thief.code == "TOKEN_EXPIRED", "\(thief.text)")
            #expect(owner.code == "TOKEN_EXPIRED", "\(owner.text)")
        }
    }

    @Test(arguments: jumps)
    func `a user who signs out everywhere in a jump stays signed out, and can sign in again`(jump: Jump) async throws {
        try await TestBroker.run { broker in
            let before = try await broker.signIn(broker.person("ada"))
            broker.clock.advance(seconds: jump.seconds)
            let during = try await broker.signIn(broker.person("ada"))
            let signedOut = try await broker.post(
                "/v1/broker/sessions:signOutAll", ["idToken": .string(try during.string("idToken"))])
            broker.clock.advance(seconds: -jump.seconds)
            let after = try await broker.signIn(broker.person("ada"))

            #expect(signedOut.status == 200)
            #expect(try await broker.lookup(before.string("idToken")).code == "TOKEN_EXPIRED")
            for dead in [before, during] {
                #expect(try await broker.refresh(dead.string("refreshToken")).code == "TOKEN_EXPIRED")
            }
            #expect(try await broker.lookup(after.string("idToken")).status == 200)
        }
    }

    @Test(arguments: beyond)
    func `no moment is too far away to answer`(jump: TimeInterval) async throws {
        try await TestBroker.run { broker in
            let session = try await broker.signIn(broker.person("ada"))
            let right = broker.clock.now

            broker.clock.set(Date(timeIntervalSince1970: jump))
            let answers = [
                try await broker.signIn(broker.person("ben")), try await broker.signUp(),
                try await broker.refresh(session.string("refreshToken")),
                try await broker.lookup(session.string("idToken")),
                try await broker.get("/test-project/.well-known/jwks.json"), try await broker.get("/readyz"),
            ]
            broker.clock.set(right)

            for answer in answers { #expect(answer.status < 500, "\(answer.text)") }
            #expect(try await broker.lookup(session.string("idToken")).status == 200)
            #expect(try await broker.signIn(broker.person("ben")).status == 200)
        }
    }

    @Test(arguments: jumps)
    func `keys of rows grow all the same`(jump: Jump) async throws {
        try await TestBroker.run { broker in
            var ids: [String] = []
            for seconds in [0, jump.seconds, -jump.seconds, jump.seconds, -jump.seconds] {
                broker.clock.advance(seconds: seconds)
                for _ in 0..<3 { ids.append(try await broker.signUp().string("localId")) }
            }

            let users = try await broker.core.store.read { try $0.users(after: nil, limit: 100) }

            #expect(users.sorted { $0.key < $1.key }.map(\.localID) == ids)
        }
    }
}

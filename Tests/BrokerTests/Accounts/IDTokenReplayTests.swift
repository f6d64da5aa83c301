import Broker
import Foundation
import ProviderKit
import Testing

@Suite("An ID token is single-use")
struct IDTokenReplayTests {
    private static let person = "apple.com"

    @Test func `the same user may repeat it for a minute, and then it is consumed`() async throws {
        try await TestProviders.run { broker, providers in
            let credential = try providers.idTokenCredential(at: Self.person, forging: nil)
            let first = try await broker.signIn(postBody: credential)
            broker.clock.advance(seconds: 59)
            let repeated = try await broker.signIn(postBody: credential, extra: ["autoCreate": false])
            broker.clock.advance(seconds: 1)
            let late = try await broker.signIn(postBody: credential)

            #expect(first.status == 200 && repeated["localId"] == first["localId"])
            #expect(late.message == "INVALID_IDP_RESPONSE : ID token was already used")
        }
    }

    @Test func `the minute runs from the first use, not from the last`() async throws {
        try await TestProviders.run { broker, providers in
            let credential = try providers.idTokenCredential(at: Self.person, forging: nil)
            for expected in [200, 200, 200, 400] {
                #expect(try await broker.signIn(postBody: credential).status == expected)
                broker.clock.advance(seconds: 25)
            }
        }
    }

    @Test func `it does not bring back a user who has just been deleted`() async throws {
        try await TestProviders.run { broker, providers in
            let credential = try providers.idTokenCredential(at: Self.person, forging: nil)
            let first = try await broker.signIn(postBody: credential)
            _ = try await broker.post("/v1/accounts:delete", ["idToken": .string(first.string("idToken"))])

            let again = try await broker.signIn(postBody: credential)

            #expect(again.message == "INVALID_IDP_RESPONSE : ID token was already used")
        }
    }

    @Test func `another spelling of the signature is the same token`() async throws {
        try await TestProviders.run { broker, providers in
            let credential = try providers.idTokenCredential(at: Self.person, forging: nil)
            _ = try await broker.signIn(postBody: credential)
            broker.clock.advance(seconds: 120)

            // Not strict base64url: whatever passes as this token must not pass as a new one.
            var spelled = credential
            spelled[0].1 += "="
            #expect(try await broker.signIn(postBody: spelled).status == 400)
        }
    }

    @Test func `a refusal uses nothing up`() async throws {
        try await TestProviders.run { broker, providers in
            let owner = try await broker.signIn(providers.person(at: "github.com", email: "ada@example.com"))
            let credential = try providers.idTokenCredential(at: Self.person, forging: nil)
            let taken = try await broker.signIn(postBody: credential)
            broker.clock.advance(seconds: 120)

            let linked = try await broker.usePending(
                taken.string("pendingToken"), idToken: owner.string("idToken"))

            #expect(taken["needConfirmation"] == true)
            #expect(linked["localId"] == owner["localId"], "\(linked.text)")
            // The token itself was not used by then; this is its first success.
            #expect(try await broker.signIn(postBody: credential)["localId"] == owner["localId"])
        }
    }

    @Test func `twenty copies at once are one user`() async throws {
        try await TestProviders.run { broker, providers in
            let credential = try providers.idTokenCredential(at: Self.person, forging: nil)

            let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
                for _ in 0..<20 { group.addTask { try await broker.signIn(postBody: credential) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }

            #expect(answers.allSatisfy { $0.status == 200 })
            #expect(Set(answers.compactMap { $0["localId"]?.string }).count == 1)
            #expect(answers.count { $0["isNewUser"] == true } == 1)
        }
    }

    @Test func `what one process has seen another knows`() async throws {
        try await TestProviders.run { broker, providers in
            try await broker.withSecondBroker(plugins: TestProviders.plugins) { other in
                let credential = try providers.idTokenCredential(at: Self.person, forging: nil)
                _ = try await broker.signIn(postBody: credential)
                broker.clock.advance(seconds: 61)

                let late = try await other.signIn(postBody: credential)

                #expect(late.message == "INVALID_IDP_RESPONSE : ID token was already used")
            }
        }
    }
}

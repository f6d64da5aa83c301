import Broker
import BrokerStore
import Foundation
import ProviderKit
import ProviderSimulators
import Testing

@Suite("Pending tokens of token exchanges")
struct PendingTokenExchangeTests {
    private static let type = "urn:broker:oauth:token-type:pending_token"

    private static func use(
        _ token: JSONValue?, at native: NativeApp, actor: Answer? = nil, prompt: String? = nil
    ) async throws -> Answer {
        try await native.exchange(
            [], actor: actor, prompt: prompt, ["subject_token": token?.string, "subject_token_type": type])
    }

    /// A refused sign-in of a person whose address a user of GitHub has, with a code that is used up.
    private static func refused(_ native: NativeApp, _ providers: TestProviders) async throws -> Answer {
        let holder = try providers.person(
            at: "github.com", email: try #require(providers.gitLab.people()[0].email))
        guard try await native.exchange(holder.credential()).status == 200 else { throw TestFailure("no holder") }
        return try await native.exchange(providers.codeCredential(at: "gitlab.com"))
    }

    @Test func `a refused sign-in gives one, which links with the grant of the code, once`() async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)
            let holder = try providers.person(
                at: "github.com", email: try #require(providers.gitLab.people()[0].email))
            let session = try await native.exchange(holder.credential())
            let refused = try await native.exchange(providers.codeCredential(at: "gitlab.com"))

            let linked = try await Self.use(refused["pending_token"], at: native, actor: session)
            let again = try await Self.use(refused["pending_token"], at: native, actor: session)

            #expect(refused.refusal == "NEED_CONFIRMATION" && refused["providers"] == ["github.com"])
            #expect(linked.status == 200 && linked["provider"] == "gitlab.com", "\(linked.text)")
            #expect(try await native.get("", session).providerIDs == ["github.com", "gitlab.com"])
            let localID = try #require(try session.claims()["sub"]?.string)
            #expect(try await broker.storedGrants(ofUser: localID).contains { $0.provider == "gitlab.com" })
            #expect(again.oauthError == "invalid_grant" && again.refusal == "INVALID_PENDING_TOKEN", "\(again.text)")
        }
    }

    @Test func `a refused link gives one, which signs the identity's user in`() async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)
            let ben = try await native.exchange(providers.codeCredential(at: "gitlab.com"))
            let ann = try await native.exchange(
                providers.person(at: "github.com", email: "ann@example.com").credential())

            let refused = try await native.exchange(providers.codeCredential(at: "gitlab.com"), actor: ann)
            let mismatch = try await Self.use(refused["pending_token"], at: native, actor: ann, prompt: "login")
            let signedIn = try await Self.use(refused["pending_token"], at: native)

            #expect(refused.refusal == "FEDERATED_USER_ID_ALREADY_LINKED", "\(refused.text)")
            #expect(mismatch.refusal == "USER_MISMATCH", "\(mismatch.text)")
            #expect(signedIn.status == 200, "a refusal used it up: \(signedIn.text)")
            #expect(signedIn["is_new_user"] == false)
            #expect(try signedIn.claims()["sub"] == ben.claims()["sub"])
        }
    }

    @Test func `is the client's that got it, and no other wire's`() async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)
            let token = try await Self.refused(native, providers)["pending_token"]
            let other = try await NativeApp(at: broker)
            let text = try #require(token?.string)

            let answers = [
                try await Self.use(token, at: other),
                try await Self.use(.string("\(native.app.client.id)\(text)"), at: other),
            ]
            let elsewhere = [
                try await broker.usePending(text), try await broker.usePending(native.app.client.id + text),
            ]

            for answer in answers { #expect(answer.refusal == "INVALID_PENDING_TOKEN", "\(answer.text)") }
            for answer in elsewhere { #expect(answer.code == "INVALID_PENDING_TOKEN", "\(answer.text)") }
            #expect(try await Self.use(token, at: native).refusal == "NEED_CONFIRMATION", "still good for its client")
        }
    }

    @Test func `no other token stands for one`() async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)
            let refused = try await Self.refused(native, providers)
            let other = try await broker.signIn(postBody: providers.codeCredential(at: "gitlab.com"))
            let signedIn = try await broker.signIn(postBody: providers.codeCredential(at: "1pass.dev"))
            let tokens: [JSONValue?] = [
                other["pendingToken"], signedIn["pendingToken"], "pt1_", "x",
                .string(try #require(refused["pending_token"]?.string) + "A"),
            ]

            for token in tokens {
                #expect(token != nil)
                let answer = try await Self.use(token, at: native)
                #expect(answer.oauthError == "invalid_grant" && answer.refusal == "INVALID_PENDING_TOKEN")
            }
        }
    }

    @Test func `expires after an hour, and is as old a login as its proof`() async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)
            let first = try await Self.refused(native, providers)["pending_token"]
            let second = try await native.exchange(providers.codeCredential(at: "gitlab.com"))["pending_token"]
            let proven = Int64(broker.clock.now.timeIntervalSince1970)
            _ = try await broker.core.store.write { transaction in
                for user in try transaction.users(after: nil, limit: 10) {
                    try transaction.releaseEmail(of: user.key)
                }
            }
            broker.clock.advance(seconds: 3599)
            let signedIn = try await Self.use(first, at: native)
            broker.clock.advance(seconds: 1)
            let late = try await Self.use(second, at: native)

            #expect(signedIn.status == 200 && signedIn["is_new_user"] == true, "\(signedIn.text)")
            #expect(try #require(try signedIn.claims()["auth_time"]?.integer) <= proven)
            #expect(late.refusal == "INVALID_PENDING_TOKEN", "\(late.text)")
        }
    }
}

import Broker
import Foundation
import ProviderKit
import Testing

/// The table of `Docs/AccountPolicy.md` on the wire, for every two providers: what one of them has proven meets what
/// the other says.
@Suite("two providers and one address")
struct ProviderPairTests {
    struct Pair: Sendable, CustomTestStringConvertible {
        let holder: String
        let newcomer: String

        var testDescription: String { "\(holder), then \(newcomer)" }

        static let all = TestProviders.ids.flatMap { holder in
            TestProviders.ids.filter { $0 != holder }.map { Pair(holder: holder, newcomer: $0) }
        }
    }

    @Test(arguments: Pair.all)
    func `strict never joins two users by an address`(pair: Pair) async throws {
        try await TestProviders.run { broker, providers in
            let met = try await Self.meet(pair, broker, providers)

            #expect(met.bothProven["needConfirmation"] == true && met.bothProven["idToken"] == nil)
            #expect(met.bothProven["localId"] == met.verified["localId"])
            #expect(met.bothProven["verifiedProvider"] == [.string(pair.holder)])
            #expect(met.newcomerUnproven["needConfirmation"] == true && met.newcomerUnproven["localId"] == nil)
            #expect(met.holderUnproven.status == 200 && met.holderUnproven["isNewUser"] == true)
            #expect(met.holderUnproven["localId"] != met.unverified["localId"])
            let stripped = try await broker.lookup(met.unverified.string("idToken"))
            #expect(stripped["users"]?.array?.first?["email"] == nil)
            #expect(stripped["users"]?.array?.first?["providerUserInfo"]?.array?.count == 1)
        }
    }

    @Test(arguments: Pair.all)
    func `firebase joins what both have proven, and strips a squatter`(pair: Pair) async throws {
        try await TestProviders.run({ $0.policy = .firebase }) { broker, providers in
            let met = try await Self.meet(pair, broker, providers)

            #expect(met.bothProven["localId"] == met.verified["localId"] && met.bothProven["isNewUser"] == nil)
            #expect(try await broker.providers(of: met.bothProven) == [pair.holder, pair.newcomer])
            #expect(met.newcomerUnproven["needConfirmation"] == true)
            #expect(met.newcomerUnproven["localId"] != nil)
            #expect(met.holderUnproven["localId"] == met.unverified["localId"])
            #expect(try await broker.providers(of: met.holderUnproven) == [pair.newcomer])
            #expect(try await broker.lookup(met.unverified.string("idToken")).code == "TOKEN_EXPIRED")
        }
    }

    @Test(arguments: Pair.all, [Policy.strict, .firebase])
    func `a user links the second one and reauthenticates with either`(pair: Pair, policy: Policy) async throws {
        try await TestProviders.run({ $0.policy = policy }) { broker, providers in
            let first = try providers.person(at: pair.holder, email: "ann@example.com")
            let second = try providers.person(at: pair.newcomer, email: "ann@example.com")
            let stranger = try providers.person(at: pair.newcomer, email: "ben@example.com")
            let session = try await broker.signIn(first)

            let linked = try await broker.signIn(second, linkingTo: session)
            let again = try await broker.signIn(second, linkingTo: linked)
            let another = try await broker.signIn(stranger, linkingTo: linked)

            #expect(linked["localId"] == session["localId"])
            #expect(try await broker.providers(of: linked) == [pair.holder, pair.newcomer])
            #expect(again.code == "FEDERATED_USER_ID_ALREADY_LINKED")
            #expect(another.code == "PROVIDER_ALREADY_LINKED")
            for person in [first, second] {
                #expect(try await broker.signIn(person, createsUser: false)["localId"] == session["localId"])
            }
            #expect(try await broker.signIn(stranger, createsUser: false).code == "EMAIL_NOT_FOUND")
        }
    }

    @Test(arguments: Pair.all)
    func `an address another user has proven is not linked`(pair: Pair) async throws {
        try await TestProviders.run { broker, providers in
            let holder = try providers.person(at: pair.holder, email: "ann@example.com")
            let other = try providers.person(at: pair.holder, email: "ben@example.com")
            let second = try providers.person(at: pair.newcomer, email: "ann@example.com")
            _ = try await broker.signIn(holder)
            let session = try await broker.signIn(other)

            #expect(try await broker.signIn(second, linkingTo: session).code == "EMAIL_EXISTS")
            #expect(try await broker.providers(of: session) == [pair.holder])
        }
    }

    @Test func `one user has all four`() async throws {
        try await TestProviders.run { broker, providers in
            var session = try await broker.signIn(providers.person(at: "apple.com", email: "ann@example.com"))
            let localID = session["localId"]
            for provider in ["github.com", "gitlab.com", "1pass.dev"] {
                session = try await broker.signIn(
                    providers.person(at: provider, email: "ann@\(provider).example"), linkingTo: session)
                #expect(session["localId"] == localID)
            }

            #expect(
                try await broker.providers(of: session) == ["apple.com", "github.com", "gitlab.com", "1pass.dev"])
        }
    }

    /// The outcomes of four users with two other users' addresses.
    private struct Met {
        /// Who holds a proven address, and who holds an unproven one.
        let verified, unverified: Answer
        let bothProven, newcomerUnproven, holderUnproven: Answer
    }

    private static func meet(_ pair: Pair, _ broker: TestBroker, _ providers: TestProviders) async throws -> Met {
        let verified = try await broker.signIn(providers.person(at: pair.holder, email: "ann@example.com"))
        let unverified = try await broker.signIn(
            providers.person(at: pair.holder, email: "ben@example.com", isVerified: false))
        let newcomerUnproven = try await broker.signIn(
            providers.person(at: pair.newcomer, email: "ann@example.com", isVerified: false))
        let bothProven = try await broker.signIn(providers.person(at: pair.newcomer, email: "ann@example.com"))
        let holderUnproven = try await broker.signIn(providers.person(at: pair.newcomer, email: "ben@example.com"))
        return Met(
            verified: verified, unverified: unverified, bothProven: bothProven, newcomerUnproven: newcomerUnproven,
            holderUnproven: holderUnproven)
    }
}

extension TestBroker {
    /// The providers of an answer's user, in the order in which they were linked.
    fileprivate func providers(of answer: Answer) async throws -> [String] {
        let found = try await lookup(answer.string("idToken"))
        return found["users"]?.array?.first?["providerUserInfo"]?.array?.compactMap { $0["providerId"]?.string } ?? []
    }
}

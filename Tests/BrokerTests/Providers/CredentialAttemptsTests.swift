import Foundation
import NIOHTTP1
import ProviderKit
import ProviderSimulators
import Testing

@testable import Broker

@Suite("unproven credentials and the broker's quota at a provider")
struct CredentialAttemptsTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test func `a refused access token is not asked about again for five minutes`() async throws {
        try await TestBroker.run { broker in
            for _ in 0..<4 {
                let answer = try await Self.signIn("gho_revoked", broker)
                #expect(answer.code == "INVALID_IDP_RESPONSE")
            }
            #expect(broker.simulator.hits(.checkToken) == 1)

            broker.clock.advance(seconds: 300)
            _ = try await Self.signIn("gho_revoked", broker)

            #expect(broker.simulator.hits(.checkToken) == 2)
            #expect(try await broker.signIn(broker.person("ada")).status == 200)
        }
    }

    @Test func `a token the provider could not judge is asked about again`() async throws {
        try await TestBroker.run { broker in
            let token = broker.simulator.accessToken(
                for: try broker.person("ada"), application: broker.simulator.defaultApplication)
            broker.simulator.fail(.checkToken, with: .status(503), times: 1)
            broker.simulator.fail(.user, with: .status(401), times: 1)

            let answers = [
                try await Self.signIn(token, broker), try await Self.signIn(token, broker),
                try await Self.signIn(token, broker),
            ]

            #expect(answers.map(\.status) == [400, 400, 200])
        }
    }

    @Test func `unproven tokens of one address are refused once its budget is spent, and no others are`() async throws {
        try await TestBroker.run({ $0.trustedProxies = [AddressRange("127.0.0.1")].compactMap(\.self) }) { broker in
            let burst = Int(AttemptBudget.burst)
            for index in 0..<burst {
                let answer = try await Self.signIn("gho_\(index)", broker, from: "2001:db8:0:1::\(index)")
                #expect(answer.code == "INVALID_IDP_RESPONSE")
            }

            let spent = try await Self.signIn("gho_more", broker, from: "2001:db8:0:1::ffff")
            let other = try await Self.signIn("gho_more", broker, from: "2001:db8:0:2::1")
            let asked = broker.simulator.hits(.checkToken)
            broker.clock.advance(seconds: AttemptBudget.interval)
            let later = try await Self.signIn("gho_later", broker, from: "2001:db8:0:1::1")

            #expect(spent.status == 400 && spent.code == "TOO_MANY_ATTEMPTS_TRY_LATER")
            #expect(spent.headers.first(name: "Retry-After") == "10")
            #expect(other.code == "INVALID_IDP_RESPONSE" && asked == burst + 1)
            #expect(later.code == "INVALID_IDP_RESPONSE")
        }
    }

    @Test func `what a provider proves, and what it cannot judge, costs no budget`() async throws {
        let attempts = CredentialAttempts(now: { Self.now })
        let client = try #require(IPAddressBytes("192.0.2.1").map(ClientNetwork.init))
        let credential = Credential(.accessToken("gho_good"))

        for index in 0..<200 {
            try? await attempts.checking(credential, from: client) {
                if index % 2 == 0 { throw ProviderError(.upstream, at: .introspect, "down") }
            }
        }

        try await attempts.checking(credential, from: client) {}
    }

    @Test func `bogus codes count as well, ID tokens and administrators do not`() async throws {
        let attempts = CredentialAttempts(now: { Self.now })
        let client = try #require(IPAddressBytes("192.0.2.1").map(ClientNetwork.init))
        let code = Credential(.authorizationCode(.init(code: "c", redirectURI: nil)))
        let refused: @Sendable () throws -> Void = { throw ProviderError(.credential, at: .redeem, "no") }
        for _ in 0..<Int(AttemptBudget.burst) { try? await attempts.checking(code, from: client, refused) }

        await #expect(throws: BrokerError.tooManyAttempts(retryAfter: 10)) {
            try await attempts.checking(code, from: client) {}
        }
        try await attempts.checking(Credential(.idToken(.init(token: "t"))), from: client) {}
        try await attempts.checking(code, from: nil) {}
    }

    @Test func `what is remembered is bounded, and the oldest goes first`() {
        var refused = RefusedTokens()
        for index in 0..<(RefusedTokens.capacity * 3) {
            refused.insert(RandomText.hash(of: "token \(index)"), at: Self.now)
        }
        #expect(refused.count == RefusedTokens.capacity)
        #expect(!refused.contains(RandomText.hash(of: "token 0"), at: Self.now))
        let last = RandomText.hash(of: "token \(RefusedTokens.capacity * 3 - 1)")
        #expect(refused.contains(last, at: Self.now.addingTimeInterval(299)))
        #expect(!refused.contains(last, at: Self.now.addingTimeInterval(300)))
        #expect(!refused.contains(last, at: Self.now.addingTimeInterval(-1)))

        refused.insert([1], at: Self.now.addingTimeInterval(600))
        #expect(refused.count == 1)
    }

    @Test func `budgets are bounded, and the emptiest stay stored`() throws {
        var budget = AttemptBudget()
        let busy = try #require(IPAddressBytes("2001:db8::1").map(ClientNetwork.init))
        for _ in 0..<Int(AttemptBudget.burst) { #expect(budget.take(busy, at: Self.now) == nil) }
        for index in 0..<(AttemptBudget.capacity * 2) {
            let address = "10.\(index >> 16).\((index >> 8) & 255).\(index & 255)"
            _ = budget.take(try #require(IPAddressBytes(address).map(ClientNetwork.init)), at: Self.now)
        }

        #expect(budget.count <= AttemptBudget.capacity)
        #expect(budget.take(busy, at: Self.now) == 10)
        #expect(budget.take(busy, at: Self.now.addingTimeInterval(-3600)) == 10)
        #expect(budget.take(busy, at: Self.now.addingTimeInterval(600)) == nil)
    }

    private static func signIn(_ token: String, _ broker: TestBroker, from address: String? = nil) async throws
        -> Answer
    {
        let form = FormEncoding.encode([
            (name: "access_token", value: token), (name: "providerId", value: "github.com"),
        ])
        var headers = HTTPHeaders()
        if let address { headers.add(name: "X-Forwarded-For", value: address) }
        return try await broker.post(
            "/v1/accounts:signInWithIdp", ["requestUri": "http://localhost", "postBody": .string(form)],
            headers: headers)
    }
}

import Foundation
import NIOHTTP1
import OAuth
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

    @Test func `refused credentials of one address meet its limit of failures, and no others do`() async throws {
        try await TestBroker.run({
            $0.trustedProxies = [AddressRange("127.0.0.1")].compactMap(\.self)
            $0.rateLimits.failures = 60
        }) { broker in
            for index in 0..<60 {
                let answer = try await Self.signIn("gho_\(index)", broker, from: "2001:db8:0:1::\(index)")
                #expect(answer.code == "INVALID_IDP_RESPONSE")
            }

            let spent = try await Self.signIn("gho_more", broker, from: "2001:db8:0:1::ffff")
            let other = try await Self.signIn("gho_more", broker, from: "2001:db8:0:2::1")
            let asked = broker.simulator.hits(.checkToken)
            broker.clock.advance(seconds: 120)
            let later = try await Self.signIn("gho_later", broker, from: "2001:db8:0:1::1")

            #expect(spent.status == 400 && spent.code == "TOO_MANY_ATTEMPTS_TRY_LATER")
            #expect(spent.headers.first(name: "Retry-After").flatMap { Int($0) }.map { (1...120).contains($0) } == true)
            #expect(other.code == "INVALID_IDP_RESPONSE" && asked == 61)
            #expect(later.code == "INVALID_IDP_RESPONSE")
        }
    }

    @Test func `what a provider proves, and what it cannot judge, is no failure`() async throws {
        try await TestBroker.run({ $0.rateLimits.failures = 2 }) { broker in
            broker.simulator.fail(.checkToken, with: .status(503), times: 5)
            for _ in 0..<5 {
                let answer = try await broker.signIn(try broker.person("ben"))
                #expect(answer.code == "INVALID_IDP_RESPONSE")
            }

            #expect(try await broker.signIn(try broker.person("ada")).status == 200)
        }
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

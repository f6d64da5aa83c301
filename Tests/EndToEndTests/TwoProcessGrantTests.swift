import PostgreSQLTesting
import ProviderKit
import ProviderSimulators
import Testing

@Suite("Two brokers and one grant", .timeLimit(.minutes(30)))
struct TwoProcessGrantTests {
    @Test(arguments: TestEngine.allCases)
    func `read an expired token at both: the provider is asked once, and all get the same`(
        on engine: TestEngine
    ) async throws {
        try await TokenIssuer.run { issuer in
            try await TwoBrokers.start(on: engine, with: [issuer.entry]) { brokers in
                let token = try await brokers.installation.backendToken()
                // Twice the rounds of other races: a thousand in a soak run.
                let rounds = TwoBrokers.roundCount * 2
                try await brokers.run(rounds: rounds) { brokers, login in
                    let localID = try await issuer.signIn(login, at: brokers.one)

                    async let first = brokers.both {
                        try await $0.providerToken(of: localID, with: token)
                    } _: {
                        try await $0.providerToken(of: localID, with: token)
                    }
                    async let second = brokers.both {
                        try await $0.providerToken(of: localID, with: token)
                    } _: {
                        try await $0.providerToken(of: localID, with: token)
                    }

                    let answers = try await first + second
                    let tokens = Set(answers.map { $0.body["accessToken"]?.string ?? "\($0)" })
                    #expect(tokens.count == 1 && tokens.allSatisfy(issuer.simulator.isLive), "\(login): \(tokens)")
                }
                // One code and one refresh token each.
                #expect(issuer.exchanges == 2 * rounds)
            }
        }
    }
}

import PostgreSQLTesting
import ProviderKit
import Testing

@Suite("rate limits of the program", .timeLimit(.minutes(10)))
struct RateLimitTests {
    /// What an attacker's requests were answered with.
    private struct Flood: Sendable {
        var served = 0
        var refused = 0
        var others: [String] = []
    }

    /// Sends unproven requests from one address, some at a time.
    private static func flood(_ attacker: IdentityToolkitApp, _ count: Int) async throws -> Flood {
        try await withThrowingTaskGroup(of: Flood.self) { group in
            let width = 16
            for _ in 0..<width {
                group.addTask {
                    var flood = Flood()
                    for _ in 0..<(count / width) {
                        let answer = try await attacker.post("/v1/accounts:signUp", ["email": "a@b.example"])
                        switch answer.errorCode {
                        case "TOO_MANY_ATTEMPTS_TRY_LATER": flood.refused += 1
                        case "MISSING_PASSWORD": flood.served += 1
                        default: flood.others.append("\(answer)")
                        }
                    }
                    return flood
                }
            }
            return try await group.reduce(into: Flood()) { sum, part in
                sum.served += part.served
                sum.refused += part.refused
                sum.others += part.others
            }
        }
    }

    @Test func `a flood from one address is refused, and the others are served as before`() async throws {
        try await Installation.run(anonymousSignIn: true) { installation in
            try installation.limitRates()
            try await installation.serve { _, client in
                var attacker = client
                attacker.localAddress = "127.0.0.2"
                async let flood = Self.flood(attacker, 10_000)

                // Below every limit of an honest client: 200 look-ups of a user and 30 sign-ups, meanwhile.
                let session = try IdentityToolkitApp.Session(try await client.signUp())
                for round in 0..<200 {
                    #expect(try await client.lookup(session.idToken).status == 200)
                    if round % 7 == 0 { #expect(try await client.signUp().status == 200) }
                }
                let sum = try await flood

                #expect(sum.others.isEmpty, "\(sum.others.prefix(3))")
                #expect(sum.served + sum.refused == 10_000)
                // The 600 of each minute that the flood lasts.
                #expect(sum.served >= 600 && sum.served <= 3000, "\(sum.served)")
                #expect(try await attacker.signUp().errorCode == "TOO_MANY_ATTEMPTS_TRY_LATER")
                #expect(try await attacker.lookup(session.idToken).status == 200)
            }
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `two processes on one store tell each other what an address did`(on engine: TestEngine) async throws {
        try await Installation.run(anonymousSignIn: true, engine: engine) { installation in
            try installation.limitRates()
            try await installation.serve { _, first in
                try await installation.serve { _, second in
                    var answer = try await first.refresh("forged")
                    while answer.errorCode == "INVALID_REFRESH_TOKEN" { answer = try await first.refresh("forged") }
                    #expect(answer.errorCode == "TOO_MANY_ATTEMPTS_TRY_LATER")

                    // Its own sign-ups, fewer than the limit, are no reason for the second process to refuse one.
                    var (count, isRefused) = (0, false)
                    while !isRefused, count < 300 {
                        count += 1
                        isRefused = try await second.signUp().status == 400
                        let turn = ContinuousClock.now + .milliseconds(100)
                        while ContinuousClock.now < turn { _ = try await second.get("/healthz") }
                    }
                    #expect(isRefused)
                }
            }
        }
    }
}

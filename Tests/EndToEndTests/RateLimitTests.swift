import PostgreSQLTesting
import ProviderKit
import Testing

@Suite("rate limits of the program", .timeLimit(.minutes(20)))
struct RateLimitTests {
    /// What an attacker's requests were answered with.
    private struct Flood: Sendable {
        var served = 0
        var refused = 0
        var others: [String] = []
    }

    /// Sends unproven requests from one address, some at a time.
    private static func flood(_ attacker: IdentityToolkitApp, _ count: Int) async throws -> Flood {
        try await flood(count, servedAs: "MISSING_PASSWORD") {
            try await attacker.post("/v1/accounts:signUp", ["email": "a@b.example"])
        }
    }

    private static func flood(
        _ count: Int, servedAs code: String, _ request: @escaping @Sendable () async throws -> IdentityToolkitApp.Answer
    ) async throws -> Flood {
        try await withThrowingTaskGroup(of: Flood.self) { group in
            let width = 16
            for _ in 0..<width {
                group.addTask {
                    var flood = Flood()
                    for _ in 0..<(count / width) {
                        let answer = try await request()
                        switch answer.errorCode {
                        case "TOO_MANY_ATTEMPTS_TRY_LATER": flood.refused += 1
                        case code?: flood.served += 1
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

    @Test(.oneEngine("limits, which are in memory"))
    func `a flood from one address is refused, and the others are served as before`() async throws {
        try await Installation.run(anonymousSignIn: true) { installation in
            try installation.limitRates()
            try await installation.serve { _, client in
                var attacker = client
                attacker.localAddress = "127.0.0.2"
                let clock = ContinuousClock()
                let begun = clock.now
                async let flood = Self.flood(attacker, 10_000)

                // Below every limit of an honest client: 200 look-ups of a user and 30 sign-ups, meanwhile.
                let session = try IdentityToolkitApp.Session(try await client.signUp())
                for round in 0..<200 {
                    #expect(try await client.lookup(session.idToken).status == 200)
                    if round % 7 == 0 { #expect(try await client.signUp().status == 200) }
                }
                let sum = try await flood
                let minutes = Int(begun.duration(to: clock.now) / .seconds(60))

                #expect(sum.others.isEmpty, "\(sum.others.prefix(3))")
                #expect(sum.served + sum.refused == 10_000)
                // The 600 of each minute that the flood lasts.
                #expect(sum.served >= 600 && sum.served <= 600 * (minutes + 2), "\(sum.served) in \(minutes) minutes")
                // The flood may have ended long before the look-ups did.
                #expect(try await Self.flood(attacker, 1600).refused > 0)
                #expect(try await attacker.lookup(session.idToken).status == 200)
            }
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `two processes on one store tell each other what an address did`(on engine: TestEngine) async throws {
        try await Installation.run(anonymousSignIn: true, engine: engine) { installation in
            // One failure is a minute's: a count of several would shrink at each minute's end, before it has been told.
            try installation.limitRates(["failuresPerAddress": 1])
            try await installation.serve { _, first in
                try await installation.serve { _, second in
                    // The suite's time is the only limit. A sign-up is no failure, so none at the second is a reason.
                    var codes: Set<String?> = []
                    repeat {
                        codes.insert(try await first.refresh("forged").errorCode)
                        try await Self.wait(at: second)
                    } while try await second.signUp().errorCode != "TOO_MANY_ATTEMPTS_TRY_LATER"
                    #expect(codes.isSubset(of: ["INVALID_REFRESH_TOKEN", "TOO_MANY_ATTEMPTS_TRY_LATER"]), "\(codes)")
                }
            }
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `dead tokens count against their sender in both processes, and their user goes on`(
        on engine: TestEngine
    ) async throws {
        try await Installation.run(engine: engine) { installation in
            try installation.limitRates()
            try await installation.serve { _, first in
                try await installation.serve { _, second in
                    let token = try installation.accessToken("ada")
                    let ended = try IdentityToolkitApp.Session(await first.signIn(accessToken: token))
                    let living = try IdentityToolkitApp.Session(await second.signIn(accessToken: token))
                    let signedOut = try await second.post(
                        "/v1/broker/sessions:signOut", ["idToken": .string(ended.idToken)])
                    #expect(signedOut.status == 200, "\(signedOut)")
                    var (attacker, again) = (first, second)
                    (attacker.localAddress, again.localAddress) = ("127.0.0.2", "127.0.0.2")

                    // Its own, below 600 a minute, are no reason for the second process to refuse one.
                    repeat {
                        let flood = try await Self.flood(800, servedAs: "TOKEN_EXPIRED") { [attacker] in
                            try await attacker.lookup(ended.idToken)
                        }
                        #expect(flood.others.isEmpty, "\(flood.others.prefix(3))")
                        try await Self.wait(at: second)
                    } while try await again.lookup(ended.idToken).errorCode == "TOKEN_EXPIRED"

                    for client in [first, second, attacker, again] {
                        let answer = try await client.lookup(living.idToken)
                        #expect(answer.status == 200, "\(answer)")
                    }
                }
            }
        }
    }

    /// Asks for what no limit counts, for long enough that a request after each wait is below every limit.
    private static func wait(at client: IdentityToolkitApp) async throws {
        let turn = ContinuousClock.now + .milliseconds(200)
        while ContinuousClock.now < turn { _ = try await client.get("/healthz") }
    }
}

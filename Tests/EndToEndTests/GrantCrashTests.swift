import ProviderKit
import ProviderSimulators
import Testing

@Suite("A broker that is killed while it refreshes a grant", .timeLimit(.minutes(20 + CrashRounds.count / 4)))
struct GrantCrashTests {
    /// Each waits half a minute for the leases of the dead broker.
    private static let rounds = min(CrashRounds.count, 40)

    @Test func `leaves a grant that another refreshes, unless the provider has rotated it unseen`() async throws {
        try await TokenIssuer.run { issuer in
            try await Installation.run { broker in
                try broker.add([issuer.entry])
                let token = try await broker.backendToken()
                let users = try await broker.serve { process, client in
                    let users = [
                        try await issuer.signIn("rotated", at: client), try await issuer.signIn("waiting", at: client),
                    ]
                    // The first answer stops in the middle, so the provider has rotated; the second never begins.
                    for (user, fault) in zip(users, [SimulatorFault.stalledBody, .hang]) {
                        let earlier = issuer.exchanges
                        issuer.simulator.fail(.token, with: fault, times: 1)
                        Task { _ = try? await client.providerToken(of: user, with: token) }
                        while issuer.exchanges == earlier { _ = try await client.get("/healthz") }
                    }
                    process.kill()
                    _ = try await process.exitCode()
                    return users
                }

                try await broker.serve { _, client in
                    async let rotated = Self.settled(users[0], token, at: client)
                    async let waiting = Self.settled(users[1], token, at: client)
                    let answers = try await [rotated, waiting]
                    let exchanges = issuer.exchanges
                    let again = try await client.providerToken(of: users[0], with: token)

                    #expect(answers[0].errorCode == "REAUTHORIZATION_REQUIRED", "\(answers[0])")
                    #expect(answers[1].status == 200, "\(answers[1])")
                    #expect(again.errorCode == "REAUTHORIZATION_REQUIRED" && issuer.exchanges == exchanges)
                }
            }
        }
    }

    @Test func `at any moment has stored what it answered, and loses no other grant`() async throws {
        try await TokenIssuer.run { issuer in
            try await Installation.run { broker in
                try broker.add([issuer.entry])
                let token = try await broker.backendToken()
                for round in 0..<Self.rounds {
                    let (users, answered) = try await broker.serve { process, client in
                        var users: [String] = []
                        for number in 0..<8 {
                            users.append(try await issuer.signIn("round-\(round)-\(number)", at: client))
                        }
                        // Read before the first request: what has been exchanged by then can be awaited.
                        let fatal = issuer.exchanges + Int.random(in: 1...8)
                        let answered = await withTaskGroup(of: (user: String, token: String?).self) { group in
                            for user in users {
                                group.addTask {
                                    let answer = try? await client.providerToken(of: user, with: token)
                                    return (user, answer?.body["accessToken"]?.string)
                                }
                            }
                            let end = ContinuousClock.now + .seconds(15)
                            while issuer.exchanges < fatal, ContinuousClock.now < end,
                                (try? await client.get("/healthz")) != nil
                            {}
                            process.kill()
                            return await group.reduce(into: [String: String]()) { $0[$1.user] = $1.token }
                        }
                        _ = try await process.exitCode()
                        return (users, answered)
                    }
                    try await broker.serve { _, client in
                        for user in users {
                            let answer = try await Self.settled(user, token, at: client)
                            let value = answer.body["accessToken"]?.string
                            let promised = answered[user]
                            #expect(promised == nil || value == promised, "\(answer)")
                            let isValid = value.map(issuer.simulator.isLive) ?? false
                            #expect(isValid || answer.errorCode == "REAUTHORIZATION_REQUIRED", "\(answer)")
                        }
                    }
                }
            }
        }
    }

    /// The answer once the lease of the dead broker has run out.
    private static func settled(
        _ user: String, _ token: String, at client: IdentityToolkitApp
    ) async throws -> IdentityToolkitApp.Answer {
        while true {
            let answer = try await client.providerToken(of: user, with: token)
            if answer.errorCode != "TEMPORARILY_UNAVAILABLE" { return answer }
        }
    }
}

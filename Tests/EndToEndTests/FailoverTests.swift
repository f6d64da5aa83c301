import Foundation
import PostgreSQLTesting
import ProviderKit
import Testing

/// Two brokers before a PostgreSQL with a synchronous standby, or with none, and what becomes of them when it dies.
@Suite("When the database fails", .timeLimit(.minutes(20)))
struct FailoverTests {
    /// `TESTS_ROUNDS` raises the number for a soak run, in which a failover is one of a hundred rounds.
    private static let rounds =
        max((ProcessInfo.processInfo.environment["TESTS_ROUNDS"].flatMap { Int($0) } ?? 1) / 20, 1)

    @Test(arguments: 0..<rounds)
    func `a standby takes over, and nothing that was acknowledged is lost`(round: Int) async throws {
        let pair = try await ReplicatedPair.start()
        try await Installation.run(anonymousSignIn: true, on: pair.url) { broker in
            try await broker.serve { _, one in
                try await broker.serve { _, other in
                    let load = FailoverLoad()
                    try await load.run(6, at: [one, other]) { load in
                        try await load.wait { $0.acknowledged >= 60 }
                        try await pair.primary.apply(.kill)
                        try await load.wait { $0.unavailable >= 6 }
                        try await pair.standby.apply(.promote)
                        let before = load.acknowledged
                        try await load.wait { $0.acknowledged >= before + 100 }
                    }

                    #expect(load.wrong == [])
                    #expect(load.longest < .seconds(25))
                    try await Self.check(load, at: other)
                }
            }
        }
    }

    @Test func `requests are asked to come back later, and the broker recovers without a restart`() async throws {
        let cluster = try await Task.detached { try PostgreSQLCluster() }.value
        try await Installation.run(anonymousSignIn: true, on: cluster.url(of: "postgres")) { broker in
            try await broker.serve { process, client in
                let load = FailoverLoad()
                try await load.run(6, at: [client]) { load in
                    try await load.wait { $0.acknowledged >= 30 }
                    try await cluster.apply(.kill)
                    try await load.wait { $0.unavailable >= 12 }
                    try await client.becomes(ready: false)
                    let alive = try await client.get("/healthz")
                    let keys = try await client.get("/my-app/.well-known/jwks.json")
                    #expect(alive.status == 200 && keys.status == 200)
                    try await cluster.apply(.start)
                    let before = load.acknowledged
                    try await load.wait { $0.acknowledged >= before + 30 }
                }

                #expect(load.wrong == [])
                #expect(load.longest < .seconds(25))
                try await Self.check(load, at: client)
                try await client.becomes(ready: true)
                #expect(process.log.text.contains("The database cannot be reached."))
                #expect(process.log.text.contains("The database answers again."))
            }
        }
    }

    @Test func `a broker that finds no database says so and ends`() async throws {
        let password = randomText()
        let missing = "postgresql://someone:\(password)@127.0.0.1:1/broker?connect_timeout=2"
        try await Installation.run(on: missing) { broker in
            let result = try await broker.command("serve")

            #expect(result.exitCode == 1)
            #expect(result.errors.contains("unavailable"), "\(result)")
            #expect(!result.errors.contains(password) && !result.output.contains(password))
        }
    }

    /// Every session does what its app was told it does.
    private static func check(_ load: FailoverLoad, at client: IdentityToolkitApp) async throws {
        for promise in load.promises {
            let session = promise.session
            let answer = try await client.refresh(session.refreshToken)
            switch (promise.isSignedOut, promise.isCertain) {
            case (true, _): #expect(answer.status == 400, "a signed-out session goes on: \(answer)")
            case (false, true):
                #expect(answer.body["user_id"]?.string == session.localID, "a session is lost: \(answer)")
            case (false, false):
                // The user is there, whichever of the two tokens counts.
                let code = answer.errorCode
                #expect(answer.status == 200 || code == "TOKEN_EXPIRED", "a user is lost: \(answer)")
            }
        }
    }
}

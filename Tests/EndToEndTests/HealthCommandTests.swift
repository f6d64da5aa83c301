import Foundation
import PostgreSQLTesting
import ProviderKit
import ProviderSimulators
import Testing

@Suite("broker health", .timeLimit(.minutes(20)))
struct HealthCommandTests {
    @Test func `a broker that can serve is healthy, asked where it was configured to listen`() async throws {
        try await Installation.run { broker in
            try await broker.serve { _, client in
                let address = Self.address(of: client)

                let result = try await broker.command("health", "--json", environment: ["BROKER_LISTEN": address])

                #expect(result.exitCode == 0, "\(result)")
                let answer = try JSONValue(parsing: result.output)
                #expect(answer == ["url": .string("\(client.url)/readyz"), "status": "ready"])
            }
        }
    }

    @Test func `without a listener the broker is not healthy`() async throws {
        try await Installation.run { broker in
            let address = try await broker.serve { process, client in
                process.terminate()
                _ = try await process.exitCode()
                return Self.address(of: client)
            }

            let result = try await broker.command("health", "--json", "--alive", "--listen", address)

            #expect(result.exitCode == 1, "\(result)")
            #expect(result.errorCode == "NO_ANSWER")
            #expect(result.errors.contains(address))
        }
    }

    @Test func `a broker without its database is alive and not ready`() async throws {
        let cluster = try await Task.detached { try PostgreSQLCluster() }.value
        try await Installation.run(on: cluster.url(of: "postgres")) { broker in
            try await broker.serve { _, client in
                let address = Self.address(of: client)
                try await cluster.apply(.kill)
                try await client.becomes(ready: false)

                let alive = try await broker.command("health", "--alive", "--listen", address)
                let ready = try await broker.command("health", "--json", "--listen", address)

                #expect(alive.exitCode == 0, "\(alive)")
                #expect(alive.output == "\(client.url)/healthz: ok\n")
                #expect(ready.exitCode == 1, "\(ready)")
                #expect(ready.errorCode == "NOT_READY")
                #expect(ready.errors.contains("store unavailable"))
            }
        }
    }

    @Test func `a program that is no broker is not healthy`() async throws {
        try await Installation.run { broker in
            let stranger = String(broker.github.url.dropFirst("http://".count))

            let result = try await broker.command("health", "--json", "--listen", stranger)

            #expect(result.exitCode == 1, "\(result)")
            #expect(result.errorCode == "NOT_READY")
        }
    }

    @Test func `a port that was left open cannot be asked`() async throws {
        try await Installation.run { broker in
            let result = try await broker.command("health", environment: ["BROKER_LISTEN": "127.0.0.1:0"])

            #expect(result.exitCode == 78, "\(result)")
            #expect(result.errors.contains("--listen"))
        }
    }

    private static func address(of client: IdentityToolkitApp) -> String {
        String(client.url.dropFirst("http://".count))
    }
}

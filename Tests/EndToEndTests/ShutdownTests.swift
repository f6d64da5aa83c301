import ProviderKit
import ProviderSimulators
import Testing

@Suite("A broker that is asked to stop", .timeLimit(.minutes(20)))
struct ShutdownTests {
    @Test func `answers the sign-in that waits for the provider, takes no new ones, and exits 0`() async throws {
        try await Installation.run { broker in
            let gate = SimulatorGate()
            try await broker.serve(logLevel: "debug") { process, client in
                let token = try broker.accessToken("ada")
                broker.github.fail(.checkToken, with: .hold(at: gate), times: 1)
                async let pending = client.signIn(accessToken: token)
                await gate.arrivals(1)

                process.terminate()
                let caught = await process.log.firstLine { $0.contains("signal received") }
                gate.open()
                let answer = try await pending
                let exitCode = try await process.exitCode()

                #expect(caught != nil)
                #expect(try IdentityToolkitApp.Session(answer).localID.utf8.count == 28)
                #expect(exitCode == 0)
                await #expect(throws: (any Error).self) { try await client.get("/healthz") }
            }
            let list = try await broker.command("users", "list", "--json")
            #expect(try JSONValue(parsing: list.output)["users"]?.array?.count == 1, "what was answered is kept")
        }
    }

    @Test func `refuses a sign-in whose provider never answers, and exits 0`() async throws {
        try await Installation.run { broker in
            let neverOpened = SimulatorGate()
            try await broker.serve { process, client in
                let token = try broker.accessToken("ada")
                broker.github.fail(.checkToken, with: .hold(at: neverOpened), times: 1)
                async let pending = client.signIn(accessToken: token)
                await neverOpened.arrivals(1)

                process.terminate()
                let answer = try await pending
                let exitCode = try await process.exitCode()

                #expect(answer.status == 400, "\(answer)")
                #expect(answer.errorCode == "INVALID_IDP_RESPONSE")
                #expect(exitCode == 0)
            }
        }
    }

    @Test func `has a line in the log for each request that was answered`() async throws {
        try await Installation.run { broker in
            let (answered, log) = try await broker.serve { process, client in
                var answered = 0
                for _ in 0..<50 where try await client.get("/healthz").status == 200 { answered += 1 }
                process.terminate()
                _ = try await process.exitCode()
                _ = await process.log.firstLine { _ in false }
                return (answered, process.log.text)
            }

            let lines = log.split(separator: "\n").compactMap { try? JSONValue(parsing: $0.utf8) }
            let requests = lines.filter { $0["message"] == "request" }
            #expect(answered == 50)
            #expect(requests.count { $0["route"] == "/healthz" } >= 50, "the client may have asked before")
        }
    }

    @Test func `does not wait for clients that keep their connections open`() async throws {
        try await Installation.run { broker in
            try await broker.serve { process, client in
                async let first = client.get("/healthz")
                async let second = client.get("/healthz")
                let statuses = try await [first.status, second.status]

                process.interrupt()
                let exitCode = try await process.exitCode()

                #expect(statuses == [200, 200])
                #expect(exitCode == 0)
            }
        }
    }
}

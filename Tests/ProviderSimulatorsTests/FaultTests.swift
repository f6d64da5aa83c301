import AsyncHTTPClient
import Foundation
import ProviderSimulators
import Synchronization
import Testing

@Suite("Simulators: faults, counters and time")
struct FaultTests {
    /// The answer of `/user` when `fault` waits there.
    private func user(
        _ github: GitHubSimulator, with fault: SimulatorFault
    ) async throws -> WebClient.Answer {
        let token = github.accessToken(for: try github.ada, application: github.defaultApplication)
        github.clearFaults()
        github.fail(.user, with: fault, times: 1)
        return try await github.api("/user", token: token)
    }

    @Test func `canned faults answer instead of the endpoint`() async throws {
        try await GitHubSimulator.running { github in
            let down = try await user(github, with: .status(503, body: "down", contentType: "text/plain"))
            let empty = try await user(github, with: .emptyBody)
            let page = try await user(github, with: .htmlInsteadOfJSON)
            let garbage = try await user(github, with: .garbage(bytes: 100))
            let moved = try await user(github, with: .redirect(to: "http://example.test/"))
            let exact = try await user(
                github, with: .response(status: 418, headers: ["X-Odd": "1"], body: [0, 255]))

            #expect((down.status, down.text) == (503, "down"))
            #expect(down.header("content-type") == "text/plain")
            #expect((empty.status, empty.bytes) == (200, []))
            #expect(page.header("content-type") == "text/html; charset=utf-8")
            #expect(garbage.header("content-type") == "application/json; charset=utf-8")
            #expect(throws: (any Error).self) { try garbage.json }
            #expect(moved.status == 302)
            #expect(moved.header("location") == "http://example.test/")
            #expect((exact.status, exact.bytes) == (418, [0, 255]))
            #expect(exact.header("x-odd") == "1")
        }
    }

    @Test func `both kinds of rate limit can be forced`() async throws {
        try await GitHubSimulator.running(.init(clock: .stopped(at: .epoch))) { github in
            let primary = try await user(github, with: .rateLimited(status: 403, reset: .epoch))
            let soon = try await user(github, with: .rateLimited())
            let secondary = try await user(github, with: .rateLimited(status: 429, retryAfter: 60))

            #expect(primary.status == 403)
            #expect(primary.header("x-ratelimit-remaining") == "0")
            #expect(primary.header("x-ratelimit-reset") == "1700000000")
            #expect(soon.header("x-ratelimit-reset") == "1700003600")
            #expect(secondary.status == 429)
            #expect(secondary.header("retry-after") == "60")
        }
    }

    @Test func `a fault hits as often as told, one after the other`() async throws {
        try await GitHubSimulator.running { github in
            let token = github.accessToken(for: try github.ada, application: github.defaultApplication)
            github.fail(.user, with: .status(500), times: 2)
            github.fail(.user, with: .status(502), times: 1)
            var statuses: [Int] = []

            for _ in 0..<4 { statuses.append(try await github.api("/user", token: token).status) }
            github.fail(.user, with: .status(500))
            for _ in 0..<3 { statuses.append(try await github.api("/user", token: token).status) }
            github.clearFaults()
            statuses.append(try await github.api("/user", token: token).status)

            #expect(statuses == [500, 500, 502, 200, 500, 500, 500, 200])
        }
    }

    @Test func `spoilt answers are the honest ones, spoilt`() async throws {
        try await GitHubSimulator.running { github in
            let mislabelled = try await user(github, with: .wrongContentType())
            let twice = try await user(github, with: .duplicateKeys)
            let slow = try await user(github, with: .slow(chunk: 200, pause: .milliseconds(1)))
            let id = try github.ada.id

            #expect(mislabelled.header("content-type") == "text/html; charset=utf-8")
            #expect(try mislabelled.json["id"] as? Int64 == id)
            #expect(twice.text.contains("\"id\":\(id),"))
            #expect(twice.text.contains("\"id\":1,"))
            #expect(twice.text.matches(of: /"login":/).count == 2)
            #expect(try slow.json["id"] as? Int64 == id)
        }
    }

    @Test func `a form's fields can be sent twice`() async throws {
        try await GitHubSimulator.running { github in
            github.fail(.accessToken, with: .duplicateKeys)

            let answer = try await github.redeem(
                github.authorizationCode(for: try github.ada, application: github.defaultApplication), accept: nil)

            #expect(answer.text.matches(of: /access_token=/).count == 2)
        }
    }

    @Test func `a body may end too early or be huge`() async throws {
        try await GitHubSimulator.running { github in
            await #expect(throws: (any Error).self) { try await user(github, with: .truncatedBody) }
            let huge = try await user(github, with: .hugeBody(bytes: 3_000_000))

            #expect(huge.bytes.count == 3_000_014)
            #expect(huge.header("content-length") == nil)
            #expect(try huge.json.keys.contains("padding"))
        }
    }

    @Test func `a connection may close without a byte`() async throws {
        try await GitHubSimulator.running { github in
            let code = github.authorizationCode(for: try github.ada, application: github.defaultApplication)
            github.fail(.accessToken, with: .closeConnection, times: 1)

            await #expect(throws: HTTPClientError.self) { try await github.redeem(code) }

            #expect(github.hits(.accessToken) >= 1)
            #expect(try await github.redeem(code).json["access_token"] != nil)
        }
    }

    @Test func `an answer may be lost after the work was done`() async throws {
        try await GitHubSimulator.running { github in
            let code = github.authorizationCode(for: try github.ada, application: github.defaultApplication)
            github.fail(.accessToken, with: .lostAnswer, times: 1)

            await #expect(throws: HTTPClientError.self) { try await github.redeem(code) }

            #expect(try await github.redeem(code).json["error"] as? String == "bad_verification_code")
        }
    }

    @Test(arguments: [SimulatorFault.hang, .stalledBody])
    func `a request may hang until the simulator stops`(fault: SimulatorFault) async throws {
        let github = try await GitHubSimulator.start()
        let token = github.accessToken(for: try github.ada, application: github.defaultApplication)
        github.fail(.user, with: fault)
        let hasEnded = Mutex(false)
        async let answer = Task {
            defer { hasEnded.withLock { $0 = true } }
            return try await github.api("/user", token: token)
        }.result
        while github.hits(.user) == 0 { await Task.yield() }
        for _ in 0..<50 { _ = try await github.api("/user/emails", token: token) }
        #expect(!hasEnded.withLock { $0 })

        await github.stop()

        let result = await answer
        #expect(throws: (any Error).self) { try result.get() }
    }

    @Test func `a hanging request ends when the client gives up`() async throws {
        try await GitHubSimulator.running { github in
            let token = github.accessToken(for: try github.ada, application: github.defaultApplication)
            github.fail(.user, with: .hang, times: 1)
            let call = Task { try await github.api("/user", token: token) }
            while github.hits(.user) == 0 { await Task.yield() }

            call.cancel()

            await #expect(throws: (any Error).self) { try await call.value }
            #expect(try await github.api("/user", token: token).status == 200)
        }
    }

    @Test func `requests wait at a gate until it opens`() async throws {
        try await GitHubSimulator.running { github in
            let gate = SimulatorGate()
            let token = github.accessToken(for: try github.ada, application: github.defaultApplication)
            github.fail(.user, with: .hold(at: gate))
            let calls = (0..<3).map { _ in Task { try await github.api("/user", token: token).status } }

            await gate.arrivals(3)
            github.revoke(token: token)
            gate.open()

            for call in calls { #expect(try await call.value == 401) }
        }
    }

    @Test func `requests are counted and recorded as they were sent`() async throws {
        try await GitHubSimulator.running { github in
            let code = github.authorizationCode(for: try github.ada, application: github.defaultApplication)
            _ = try await github.redeem(code)
            _ = try await github.api("/user?a=b%20c")

            let redeemed = try #require(github.requests(.accessToken).first)
            let asked = try #require(github.requests(.user).first)
            #expect(github.hits(.accessToken) == 1)
            #expect(github.hits(.emails) == 0)
            #expect(redeemed.method == "POST")
            #expect(redeemed.text.contains("code=\(code)"))
            #expect(redeemed.header("Accept") == "application/json")
            #expect(asked.path == "/api/user")
            #expect(asked.query == "a=b%20c")
            #expect(asked.header("host") == github.url.replacing("http://", with: ""))
        }
    }

    @Test func `a running clock runs on from where it is set`() {
        let clock = SimulatorClock.system
        let before = Date()
        clock.advance(by: 3600)
        #expect(clock.now >= before.addingTimeInterval(3600))
        clock.set(to: .epoch)
        #expect(clock.now >= .epoch && clock.now < Date.epoch.addingTimeInterval(3600))

        let stopped = SimulatorClock.stopped(at: .epoch)
        stopped.advance(by: .milliseconds(1500))
        #expect(stopped.now == Date.epoch.addingTimeInterval(1.5))
    }
}

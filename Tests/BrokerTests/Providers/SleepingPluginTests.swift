import Dispatch
import GitHub
import PostgreSQLTesting
import ProviderKit
import Testing

@testable import Broker

@Suite("a plugin that sleeps outside the network", .oneEngine("the calls of plugins"), .timeLimit(.minutes(20)))
struct SleepingPluginTests {
    @Test(arguments: [false, true])
    func `its callers are answered at the deadline, and others go on`(blocksThreads: Bool) async throws {
        let door = Door()
        let entry: JSONValue = [
            "id": "patient.one", "use": "patient",
            "options": ["door": .string(door.name), "blocksThreads": .bool(blocksThreads)],
        ]
        try await TestBroker.run(
            plugins: [.github, PatientProvider.plugin],
            entries: { github in [TestBroker.gitHub(github), entry] }
        ) { broker in
            func sleep() async throws -> Answer {
                try await broker.signIn(postBody: [("access_token", "t"), ("providerId", "patient.one")])
            }
            try await withThrowingTaskGroup(of: Answer.self) { group in
                // More than its plugin has threads.
                for _ in 0..<6 { group.addTask { try await sleep() } }
                await door.visitor()

                let session = try await broker.signIn(broker.person("ada"))
                let found = try await broker.lookup(session.string("idToken"))

                #expect(session.status == 200 && found.status == 200)
                for try await answer in group {
                    #expect(answer.code == "INVALID_IDP_RESPONSE", "\(answer.text)")
                }
            }
            // The plugin has not returned: its callers were answered without it.
            let provider = try #require(broker.core.providers.current.provider("patient.one"))
            guard case .checked(let findings) = await provider.check() else { throw TestFailure("not checked") }
            #expect(findings.map(\.code) == ["plugin-hangs"] && findings[0].fix.contains("Restart"))
            door.open()
            while provider.calls.hang.unended > 0 { await Task.yield() }
            #expect(await provider.check() == .notCheckable)
            #expect(try await sleep().status == 200)
        }
    }

    @Test func `calls that hang are bounded, and the plugin is called again once they have ended`() async throws {
        let calls = PluginCalls()
        let door = Door()
        for _ in 0..<PluginCalls.maximumAbandoned {
            await #expect(throws: DeadlineExceeded.self) {
                try await calls.run(within: .milliseconds(1)) { await door.pass() }
            }
        }

        let refusal = await #expect(throws: ProviderError.self) { try await calls.run(within: .seconds(60)) {} }

        #expect(refusal?.fault == .upstream && refusal?.retryAfter == 5)
        door.open()
        while (try? await calls.run(within: .seconds(60)) { true }) != true {}
    }

    @Test func `a plugin that blocks all of its threads is refused at once, until one of them is free`() async throws {
        let calls = PluginCalls(provider: "acme", patience: .zero)
        let (gate, blocked) = (DispatchSemaphore(value: 0), DispatchGroup())
        let callers = (0..<4).map { _ in
            blocked.enter()
            return Task {
                try await calls.run(within: .milliseconds(1)) {
                    blocked.leave()
                    Self.wait(for: gate)
                }
            }
        }
        await withCheckedContinuation { continuation in
            blocked.notify(queue: .global()) { continuation.resume() }
        }
        for caller in callers { await #expect(throws: DeadlineExceeded.self) { try await caller.value } }

        let refusal = await #expect(throws: ProviderError.self) { try await calls.run(within: .seconds(60)) {} }

        #expect(refusal?.fault == .upstream && calls.hang.unended == 4 && calls.hang.areThreadsBlocked)
        #expect(try await PluginCalls().run(within: .seconds(60)) { true }, "another entry is not held up")
        for _ in callers { gate.signal() }
        while (try? await calls.run(within: .seconds(60)) { true }) != true {}
        while calls.hang.unended > 0 { await Task.yield() }
        #expect(!calls.hang.areThreadsBlocked)
    }

    /// Blocks the thread, as a plugin may.
    private static func wait(for gate: DispatchSemaphore) { gate.wait() }

    @Test func `each call ends at its own deadline, in whatever order they began`() async throws {
        let calls = PluginCalls()
        let (patientDoor, hastyDoor) = (Door(), Door())
        async let patient = calls.run(within: .seconds(3600)) {
            await patientDoor.pass()
            return true
        }
        await patientDoor.visitor()

        for _ in 0..<2 {
            await #expect(throws: DeadlineExceeded.self) {
                try await calls.run(within: .milliseconds(1)) { await hastyDoor.pass() }
            }
        }

        patientDoor.open()
        hastyDoor.open()
        #expect(try await patient)
    }

    @Test func `a caller that goes cancels the plugin's work`() async throws {
        let calls = PluginCalls()
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let caller = Task {
            try await calls.run(within: .seconds(3600)) {
                start.yield()
                try await Task.sleep(for: .seconds(3600))
            }
        }
        _ = await started.first { _ in true }

        caller.cancel()

        await #expect(throws: CancellationError.self) { try await caller.value }
    }
}

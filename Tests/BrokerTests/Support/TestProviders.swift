import Apple
import Broker
import Foundation
import Generic
import GitHub
import GitLab
import OnePass
import ProviderKit
import ProviderSimulators

/// All four providers' simulators in the broker's own time, with the entries that trust them.
struct TestProviders: Sendable {
    /// The wire's ids.
    static let ids = ["github.com", "gitlab.com", "apple.com", "1pass.dev"]
    static let plugins: [ProviderPlugin] = [.github, .gitlab, .apple, .onePass, .oidc, .oauth2]

    let gitHub: GitHubSimulator
    let gitLab: GitLabSimulator
    let apple: AppleSimulator
    let onePass: OnePassSimulator
    let clock: SimulatorClock

    /// A broker with all four, and their simulators.
    static func run<Value>(
        _ change: (inout Configuration) -> Void = { _ in },
        entries changeEntry: @escaping (inout JSONObject) -> Void = { _ in },
        _ test: (TestBroker, TestProviders) async throws -> Value
    ) async throws -> Value {
        await slots.enter()
        do {
            let value = try await runNow(change, changeEntry, test)
            await slots.leave()
            return value
        } catch {
            await slots.leave()
            throw error
        }
    }

    /// The same for a broker whose public URL is the one ``TestBrowser`` goes to.
    static func runHosted<Value>(
        _ change: (inout Configuration) -> Void = { _ in },
        entries changeEntry: @escaping (inout JSONObject) -> Void = { _ in },
        _ test: (TestBroker, TestProviders) async throws -> Value
    ) async throws -> Value {
        try await run(
            { configuration in
                configuration.publicURL = TestBrowser.publicURL
                change(&configuration)
            }, entries: changeEntry, test)
    }

    /// Lets 1Pass sign devices in.
    ///
    /// - Parameter endpoint: The option `deviceBootstrap`; nil for none.
    /// - Returns: What changes the entry.
    static func signsDevicesIn(at endpoint: String?) -> (inout JSONObject) -> Void {
        { entry in
            guard entry["use"] == "1pass", var options = entry["options"]?.object else { return }
            options["allowAnonymous"] = true
            options["deviceBootstrap"] = endpoint.map(JSONValue.string)
            entry["options"] = .object(options)
        }
    }

    /// The display names of the providers.
    static let names = [
        "github.com": "GitHub", "gitlab.com": "GitLab", "apple.com": "Apple", "1pass.dev": "1Pass",
    ]

    /// The fields of a simulator's consent page by which a person says who they are.
    func choice(of person: TestPerson) -> [String: String?] { ["person": person.account] }

    /// Simulators wait here and not in hundreds for a broker of their own.
    private static let slots = TestSlots(count: 4)

    private static func runNow<Value>(
        _ change: (inout Configuration) -> Void, _ changeEntry: @escaping (inout JSONObject) -> Void,
        _ test: (TestBroker, TestProviders) async throws -> Value
    ) async throws -> Value {
        let time = TestClock()
        let clock = SimulatorClock.stopped(at: time.now)
        let gitLab = try await GitLabSimulator.start(.init(clock: clock))
        let apple = try await AppleSimulator.start(.init(clock: clock))
        let onePass = try await OnePassSimulator.start(.init(clock: clock))
        func stop() async {
            await gitLab.stop()
            await apple.stop()
            await onePass.stop()
        }
        do {
            let value = try await TestBroker.run(
                change, plugins: plugins,
                entries: { gitHub in
                    let providers = [
                        TestBroker.gitHub(gitHub), entry(gitLab), entry(apple), entry(onePass),
                    ]
                    return .array(
                        providers.map { entry in
                            var members = entry.object ?? JSONObject()
                            changeEntry(&members)
                            return .object(members)
                        })
                }, clock: time
            ) { broker in
                try await test(
                    broker,
                    TestProviders(
                        gitHub: broker.simulator, gitLab: gitLab, apple: apple, onePass: onePass, clock: clock))
            }
            await stop()
            return value
        } catch {
            await stop()
            throw error
        }
    }

    static func entry(_ simulator: GitLabSimulator, id: String = "gitlab.com") -> JSONValue {
        entry(
            id, "gitlab",
            [
                "url": .string(simulator.url), "clientId": .string(simulator.defaultApplication.clientID),
                "clientSecret": .string(simulator.defaultApplication.clientSecret),
            ])
    }

    static func entry(_ simulator: AppleSimulator, id: String = "apple.com") -> JSONValue {
        entry(
            id, "apple",
            [
                "url": .string(simulator.url), "teamId": .string(simulator.teamID),
                "keyId": .string(simulator.key.keyID), "privateKey": .string(simulator.key.pem),
                "servicesId": .string(simulator.defaultApplication.clientID),
                "clientIds": [.string(simulator.nativeApplication.clientID)],
            ])
    }

    static func entry(_ simulator: OnePassSimulator, id: String = "1pass.dev") -> JSONValue {
        entry(
            id, "1pass",
            [
                "url": .string(simulator.url), "clientId": .string(simulator.defaultApplication.clientID),
                "clientSecret": .string(simulator.defaultApplication.clientSecret ?? ""),
            ])
    }

    private static func entry(_ id: String, _ kind: String, _ options: JSONObject) -> JSONValue {
        [
            "id": .string(id), "use": .string(kind), "trustEmail": true, "allowInsecureLoopback": true,
            "options": .object(options),
        ]
    }
}

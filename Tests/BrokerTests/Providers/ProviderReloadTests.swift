import Broker
import Foundation
import GitHub
import OAuth
import ProviderKit
import ProviderSimulators
import Testing

@Suite("plugins.json changes while the broker runs")
struct ProviderReloadTests {
    @Test func `an added entry is offered, a removed one refuses, and its users stay`() async throws {
        try await TestBroker.run { broker in
            let session = try await broker.signIn(broker.person("ada"))
            let before = try await broker.signIn(broker.person("ben"), provider: "github.work")

            let change = try broker.follow([TestBroker.gitHub(broker.simulator, id: "github.work")])

            #expect(before.code == "OPERATION_NOT_ALLOWED")
            #expect(change?.added == ["github.work"] && change?.removed == ["github.com"] && change?.changed == [])
            #expect(try await broker.signIn(broker.person("ada")).code == "OPERATION_NOT_ALLOWED")
            #expect(try await broker.signIn(broker.person("ben"), provider: "github.work").status == 200)
            #expect(try await broker.record(session)["providerUserInfo"]?.array?.first?["providerId"] == "github.com")
            #expect(try await broker.refresh(session.string("refreshToken")).status == 200)
        }
    }

    @Test func `an entry that is switched off refuses, and takes part again when it is on`() async throws {
        try await TestBroker.run { broker in
            var entry = try #require(TestBroker.gitHub(broker.simulator).object)
            entry["enabled"] = false
            let off = try broker.follow([.object(entry)])
            let refused = try await broker.signIn(broker.person("ada"))
            entry["enabled"] = true
            let on = try broker.follow([.object(entry)])

            #expect(off?.removed == ["github.com"] && on?.added == ["github.com"])
            #expect(refused.code == "OPERATION_NOT_ALLOWED")
            #expect(try await broker.signIn(broker.person("ada")).status == 200)
        }
    }

    @Test(arguments: [
        #"{"providers": ["#,
        #"{"providers": [], "provider": []}"#,
        #"{"providers": [{"use": "githup"}]}"#,
        #"{"providers": [{"use": "github", "options": {"clientId": "a", "clientSecret": {"file": "nowhere"}}}]}"#,
        #"{"providers": [{"use": "github", "options": {"clientId": "a", "clientSecret": "b", "url": "http://x"}}]}"#,
    ])
    func `an invalid edit is logged once and changes nothing`(text: String) async throws {
        try await TestBroker.run { broker in
            try broker.folder.write("plugins.json", text)

            let outcomes = (0..<4).map { _ in broker.core.providers.configured.reload() }

            #expect(outcomes.map { $0?.isRefusal } == [nil, true, nil, nil])
            #expect(try await broker.signIn(broker.person("ada")).status == 200)
            // The mended file is told as well, though it says what the running configuration says.
            let mended = try broker.follow([TestBroker.gitHub(broker.simulator)])
            #expect(mended?.added == [] && mended?.removed == [] && mended?.changed == [])
        }
    }

    @Test func `one invalid entry prevents the change of all others`() async throws {
        try await TestBroker.run { broker in
            let broken: JSONValue = ["id": "github.other", "use": "github", "options": [:]]
            try broker.write([TestBroker.gitHub(broker.simulator, id: "github.work"), broken])

            _ = broker.core.providers.configured.reload()
            let outcome = broker.core.providers.configured.reload()

            #expect(outcome?.isRefusal == true)
            #expect(broker.core.providers.current.providers.map(\.id) == ["github.com"])
        }
    }

    @Test func `a file that is being written does not count until it stays as it is`() async throws {
        try await TestBroker.run { broker in
            let configuration = broker.core.providers.configured
            for text in [#"{"prov"#, #"{"providers":[]}"#, #"{"providers"#] {
                try broker.folder.write("plugins.json", text)
                #expect(configuration.reload() == nil)
            }

            #expect(broker.core.providers.current.providers.map(\.id) == ["github.com"])
        }
    }

    @Test func `a secret in a file may change without any word in plugins json`() async throws {
        try await TestBroker.run(entries: { _ in [] }) { broker in
            var application = broker.simulator.defaultApplication
            var entry = try #require(TestBroker.gitHub(broker.simulator).object)
            var options = try #require(entry["options"]?.object)
            options["clientSecret"] = ["file": "github-secret"]
            entry["options"] = .object(options)
            try broker.folder.write("github-secret", application.clientSecret + "\n")
            _ = try broker.follow([.object(entry)])
            #expect(try await broker.signIn(broker.person("ada")).status == 200)

            application.clientSecret = RandomText.alphanumeric(40)
            broker.simulator.register(application)
            let between = try await broker.signIn(broker.person("ada"))
            try broker.folder.write("github-secret", application.clientSecret + "\n")
            let change = broker.look()

            #expect(between.status == 400)
            #expect(change?.changed == ["github.com"])
            #expect(try await broker.signIn(broker.person("ada")).status == 200)
        }
    }

    @Test func `an entry that stays keeps what it has learned about its provider`() async throws {
        try await TestProviders.run { broker, providers in
            let ann = try providers.person(at: "apple.com", email: "ann@example.com")
            _ = try await broker.signIn(ann)
            let hits = providers.apple.hits(.keys)

            // Moved, and with another order of its names.
            var apple = JSONObject()
            for (name, value) in (TestProviders.entry(providers.apple).object ?? JSONObject()).reversed() {
                apple[name] = value
            }
            let change = try broker.follow([
                TestBroker.gitHub(broker.simulator, id: "github.work"), .object(apple),
            ])

            #expect(change?.added == ["github.work"] && change?.changed == [])
            #expect(Set(change?.removed ?? []) == ["github.com", "gitlab.com", "1pass.dev"])
            #expect(try await broker.signIn(ann).status == 200)
            #expect(hits > 0 && providers.apple.hits(.keys) == hits)
        }
    }

    @Test func `a request in flight ends with the entry it began with, which is then gone`() async throws {
        let door = Door()
        let entry: JSONValue = ["id": "patient.test", "use": "patient", "options": ["door": .string(door.name)]]
        try await TestBroker.run(plugins: [.github, PatientProvider.plugin], entries: { _ in [entry] }) { broker in
            let credential = [("access_token", "any"), ("providerId", "patient.test")]
            async let waiting = broker.signIn(postBody: credential)
            await door.visitor()

            let change = try broker.follow([TestBroker.gitHub(broker.simulator)])
            let late = try await broker.signIn(postBody: credential)
            #expect(door.livingInstances == 1)
            door.open()
            let answer = try await waiting

            #expect(change?.removed == ["patient.test"] && change?.added == ["github.com"])
            #expect(late.code == "OPERATION_NOT_ALLOWED")
            #expect(answer.status == 200, "\(answer.text)")
            #expect(door.livingInstances == 0)
        }
    }

    @Test func `running brokers look often enough to agree within five seconds`() {
        // Two looks, with room for what they take.
        #expect(ProviderConfiguration.reloadInterval * 2 <= .seconds(4))
        #expect(SigningKeys.reloadInterval <= .seconds(4))
    }
}

extension TestBroker {
    fileprivate func write(_ entries: JSONValue) throws {
        try folder.write("plugins.json", JSONValue.object(["providers": entries]).serialized())
    }

    /// Looks until a change counts.
    fileprivate func look() -> ProviderChange? {
        _ = core.providers.configured.reload()
        guard case .adopted(let change) = core.providers.configured.reload() else { return nil }
        return change
    }

    /// Writes other entries and follows them.
    fileprivate func follow(_ entries: JSONValue) throws -> ProviderChange? {
        try write(entries)
        return look()
    }
}

extension ProviderConfiguration.Reload {
    fileprivate var isRefusal: Bool { if case .refused = self { true } else { false } }
}

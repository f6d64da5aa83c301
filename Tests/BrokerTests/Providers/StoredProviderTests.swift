import BrokerStore
import Generic
import GitHub
import ProviderKit
import ProviderSimulators
import Testing

@testable import Broker

@Suite("provider entries in the store")
struct StoredProviderTests {
    private static let origin = Origin(.admin, actor: "test")

    /// The document of an entry that trusts the simulator.
    private static func document(_ broker: TestBroker, _ id: String = "github.work") throws -> JSONObject {
        try #require(TestBroker.gitHub(broker.simulator, id: id).object)
    }

    private static func code(_ work: () async throws -> Void) async -> String? {
        do {
            try await work()
            return nil
        } catch let error as BrokerError {
            return error.code.rawValue
        } catch {
            return "\(error)"
        }
    }

    @Test func `an added entry is offered here at once and elsewhere at the next look, and a removed one refuses`()
        async throws
    {
        try await TestBroker.run { broker in
            try await broker.withSecondBroker { other in
                let providers = broker.core.providers
                _ = try await providers.addProvider(try Self.document(broker), by: .host, origin: Self.origin)
                let here = try await broker.signIn(broker.person("ada"), provider: "github.work")
                let before = try await other.signIn(broker.person("ben"), provider: "github.work")
                let change = try await other.core.providers.storedConfiguration.reload()?.providers
                let after = try await other.signIn(broker.person("ben"), provider: "github.work")

                try await providers.removeProvider("github.work", origin: Self.origin)
                let removed = try await broker.signIn(broker.person("ada"), provider: "github.work")

                #expect(here.status == 200, "\(here.text)")
                #expect(before.code == "OPERATION_NOT_ALLOWED" && after.status == 200, "\(after.text)")
                #expect(change?.added == ["github.work"] && change?.removed == [])
                #expect(removed.code == "OPERATION_NOT_ALLOWED")
                #expect(try await broker.refresh(here.string("refreshToken")).status == 200)
                #expect(try await broker.signIn(broker.person("ada")).status == 200)
            }
        }
    }

    @Test func `a disabled entry refuses, an enabled one takes part again, and its instance keeps what it has learned`()
        async throws
    {
        try await TestBroker.run { broker in
            let providers = broker.core.providers
            _ = try await providers.addProvider(try Self.document(broker), by: .host, origin: Self.origin)
            _ = try await providers.setProviderEnabled(
                false, "github.work", by: .network(mayTrust: false), origin: Self.origin)
            let off = try await broker.signIn(broker.person("ada"), provider: "github.work")
            _ = try await providers.setProviderEnabled(
                true, "github.work", by: .network(mayTrust: false), origin: Self.origin)
            let on = try await broker.signIn(broker.person("ada"), provider: "github.work")

            #expect(off.code == "OPERATION_NOT_ALLOWED" && on.status == 200, "\(on.text)")
            #expect(try await broker.core.providers.storedConfiguration.reload()?.providers == nil)
        }
    }

    @Test func `ids are unique over the file and the store, and a client belongs to one entry`() async throws {
        try await TestBroker.run { broker in
            let providers = broker.core.providers
            let entry = try Self.document(broker)
            var twin = try Self.document(broker)
            twin["id"] = "github.twin"
            let inFile = try Self.document(broker, "github.com")
            _ = try await providers.addProvider(entry, by: .host, origin: Self.origin)

            for (document, code) in [
                (entry, "CONFIGURATION_EXISTS"), (inFile, "PROVIDER_IN_FILE"), (twin, "INVALID_CONFIG"),
            ] {
                #expect(
                    await Self.code { _ = try await providers.addProvider(document, by: .host, origin: Self.origin) }
                        == code)
            }
            #expect(
                await Self.code { try await providers.removeProvider("github.com", origin: Self.origin) }
                    == "PROVIDER_IN_FILE")
            #expect(
                await Self.code { try await providers.removeProvider("github.no", origin: Self.origin) }
                    == "CONFIGURATION_NOT_FOUND")
        }
    }

    @Test func `an entry of the file that appears later counts, and the stored one is left out and told of`()
        async throws
    {
        try await TestBroker.run { broker in
            let providers = broker.core.providers
            _ = try await providers.addProvider(try Self.document(broker), by: .host, origin: Self.origin)
            let second = try Self.document(broker, "github.second")
            _ = try await providers.addProvider(second, by: .host, origin: Self.origin)

            let inFile: JSONValue = ["providers": [TestBroker.gitHub(broker.simulator, id: "github.work")]]
            try broker.folder.write("plugins.json", inFile.serialized())
            _ = broker.core.providers.configured.reload()
            let reload = broker.core.providers.configured.reload()
            let listed = try await providers.listProviders()

            guard case .adopted(let change) = reload else { throw TestFailure("\(String(describing: reload))") }
            #expect(change.unusable.map(\.id) == ["github.work"])
            #expect(listed.map(\.id) == ["github.work", "github.work", "github.second"])
            #expect(listed.map(\.isEnabled) == [true, false, true])
            #expect(listed.map(\.isStored) == [false, true, true])
            #expect(broker.core.providers.current.provider("github.work")?.source?.entry.isStored == false)
            #expect(try await broker.signIn(broker.person("ben"), provider: "github.second").status == 200)
        }
    }

    @Test func `a damaged entry is left out, and keeps neither the others out nor a broker from starting`()
        async throws
    {
        try await TestBroker.run { broker in
            let providers = broker.core.providers
            _ = try await providers.addProvider(try Self.document(broker), by: .host, origin: Self.origin)
            _ = try await providers.addProvider(
                try Self.document(broker, "github.second"), by: .host, origin: Self.origin)
            try await broker.core.store.write { transaction in
                var row = try #require(try transaction.providerEntries().first)
                row.sealedEntry[40] ^= 1
                try transaction.update(row)
            }

            let change = try await broker.core.providers.storedConfiguration.reload()?.providers
            let started = try await broker.withSecondCore { core in
                (core.providers.current.providers.map(\.id), core.providers.current.unusable.map(\.id))
            }

            #expect(change?.removed == ["github.work"] && change?.unusable.map(\.id) == ["github.work"])
            #expect(started.0 == ["github.com", "github.second"] && started.1 == ["github.work"])
            // It is replaced by removing and adding it.
            try await providers.removeProvider("github.work", origin: Self.origin)
            _ = try await providers.addProvider(try Self.document(broker), by: .host, origin: Self.origin)
            #expect(try await broker.signIn(broker.person("ada"), provider: "github.work").status == 200)
        }
    }

    @Test(arguments: [["env": "HOME"], ["file": "/etc/hostname"]] as [JSONObject])
    func `a secret is text: neither variables nor files of the host are read`(secret: JSONObject) async throws {
        try await TestBroker.run { broker in
            var document = try Self.document(broker)
            var options = try #require(document["options"]?.object)
            options["clientSecret"] = .object(secret)
            document["options"] = .object(options)

            for caller in [ProviderChangeChannel.host, .network(mayTrust: true)] {
                let error = await #expect(throws: BrokerError.self) {
                    try await broker.core.providers.addProvider(document, by: caller, origin: Self.origin)
                }
                #expect(error?.message.contains("HOST_ONLY") == true || error?.message.contains("text") == true)
            }
            #expect(try await broker.core.store.read { try $0.providerEntries() }.isEmpty)
        }
    }

    @Test func `an administrator of the network cannot have the broker reach its host`() async throws {
        try await TestBroker.run(plugins: [.github, .oidc]) { broker in
            let administrator = try await ConfigurationAdministrator(of: broker)
            let document = JSONValue.object(try Self.document(broker))
            let added = try await administrator.run("providers.add", ["entry": document])
            _ = try await broker.core.providers.addProvider(try Self.document(broker), by: .host, origin: Self.origin)
            let changed = try await administrator.run(
                "providers.update", ["id": "github.work", "changes": ["options": ["url": "http://127.0.0.1:1"]]])
            let disabled = try await administrator.run("providers.disable", ["id": "github.work"])
            let network = try await administrator.run(
                "providers.add",
                [
                    "entry": [
                        "id": "oidc.inside", "use": "oidc", "privateNetworks": [["range": "10.0.0.0/8"]],
                        "options": ["issuer": "https://10.0.0.1", "clientId": "a"],
                    ]
                ])

            #expect([added.code, changed.code, network.code] == ["HOST_ONLY", "HOST_ONLY", "HOST_ONLY"])
            #expect(disabled.status == 200, "\(disabled.text)")
        }
    }

    @Test func `each change has an audit entry with its actor, and no secret`() async throws {
        try await TestBroker.run { broker in
            let providers = broker.core.providers
            _ = try await providers.addProvider(try Self.document(broker), by: .host, origin: Self.origin)
            for changes: JSONObject in [["displayName": "Work"], ["displayName": "Work"]] {
                _ = try await providers.updateProvider("github.work", changes, by: .host, origin: Self.origin)
            }
            try await providers.removeProvider("github.work", origin: Self.origin)

            let rows = try await broker.core.store.read { try $0.sealedValues(of: Self.column, after: 0, limit: 10) }
            let secret = broker.simulator.application(of: "github.work").clientSecret
            let events = try await broker.auditOfProvider("github.work")
            #expect(rows.isEmpty)
            #expect(events.map(\.event) == ["provider.added", "provider.updated", "provider.removed"])
            #expect(events.allSatisfy { $0.actor == "test" && !$0.detail.text.contains(secret) })
            #expect(events.dropFirst().first?.detail.text.contains("displayName") == true)
        }
    }

    @Test func `a rotation of the master key seals entries again, and both brokers read them`() async throws {
        try await RotationScene.run { scene in
            let broker = scene.broker
            _ = try await broker.core.providers.addProvider(
                try Self.document(broker), by: .host, origin: Self.origin)

            try await scene.rotate()
            let started = try await broker.withSecondCore(RotationScene.withoutPrevious) { core in
                core.providers.current.providers.map(\.id)
            }

            #expect(started == ["github.com", "github.work"])
            #expect(try await broker.signIn(broker.person("ada"), provider: "github.work").status == 200)
        }
    }

    private static var column: SealedColumn {
        get throws { try #require(SealedColumn.all.first { $0.table == "provider_entries" }) }
    }
}

extension TestBroker {
    /// The audit entries about a provider, the earliest first.
    func auditOfProvider(_ id: String) async throws -> [AuditEntry] {
        try await core.store.read { try $0.auditEntries(AuditFilter(), limit: 1000) }
            .filter { $0.provider == id }.sorted { $0.key < $1.key }
    }
}

import Broker
import BrokerStore
import ProviderKit
import Testing

@Suite("the users of a provider")
struct ProviderUseTests {
    /// Five users of GitHub: with it alone, with a second identity of the file's entry, with a stored one, with an
    /// entry that is off, and with custom tokens; and one without it.
    private static func run(_ test: (TestBroker, ConfigurationAdministrator) async throws -> Void) async throws {
        try await TestBroker.run(
            plugins: MappedProvider.plugins, entries: { [TestBroker.gitHub($0), .object(MappedProvider.entry())] }
        ) { broker in
            for (id, isEnabled) in [("mapped.stored", true), ("mapped.off", false)] {
                var entry = MappedProvider.entry(id: id, ["clientId": .string(id)])
                entry["enabled"] = .bool(isEnabled)
                _ = try await broker.core.providers.addProvider(
                    entry, by: .host, origin: Origin(.admin, actor: "test"))
            }
            let users: [[String]] = [
                ["github.com"], ["github.com", MappedProvider.id], ["github.com", "mapped.stored"],
                ["github.com", "mapped.off"], ["github.com", "custom"], [MappedProvider.id],
            ]
            try await broker.core.store.write(at: Timestamp(broker.clock.now)) { transaction in
                for (number, providers) in users.enumerated() {
                    let user = User(
                        key: transaction.nextKey(), localID: "user\(number)",
                        isCustomAuth: providers.contains("custom"),
                        createdAt: transaction.now)
                    guard try transaction.insert(user) else { throw TestFailure("the user exists") }
                    for provider in providers where provider != "custom" {
                        let identity = Identity(
                            key: transaction.nextKey(), userKey: user.key,
                            identity: IdentityKey(
                                provider: provider, issuer: "https://id.example", subject: "\(number)"),
                            profile: "{}", linkedAt: transaction.now, lastSignInAt: transaction.now)
                        guard try transaction.insert(identity) else { throw TestFailure("it is linked") }
                    }
                }
            }
            try await test(broker, try await ConfigurationAdministrator(of: broker))
        }
    }

    @Test func `who has no other way in is counted: entries that are off are no way, custom tokens are one`()
        async throws
    {
        try await Self.run { _, administrator in
            var counts: [[Int64?]] = []
            for id in ["github.com", MappedProvider.id, "mapped.stored"] {
                let answer = try await administrator.run("providers.show", ["id": .string(id)])
                counts.append([answer["users"]?.integer, answer["onlyWayIn"]?.integer])
            }
            #expect(counts == [[5, 2], [2, 1], [1, 0]])
        }
    }

    @Test func `disabling and removing an entry say how many users lose their only way in`() async throws {
        try await Self.run { broker, administrator in
            let first = try await administrator.run("providers.disable", ["id": "mapped.stored"])
            // The users of GitHub who had the stored entry as well have GitHub alone now.
            let gitHub = try await administrator.run("providers.show", ["id": "github.com"])
            let enabled = try await administrator.run("providers.enable", ["id": "mapped.off"])
            try broker.folder.write("plugins.json", #"{"providers": []}"#)
            _ = broker.core.providers.configured.reload()
            _ = broker.core.providers.configured.reload()
            let removed = try await administrator.run("providers.remove", ["id": "mapped.off"])

            #expect(first["onlyWayIn"] == 0 && first["provider"]?["enabled"] == false, "\(first.text)")
            #expect(gitHub["onlyWayIn"] == 3, "\(gitHub.text)")
            #expect(enabled.status == 200, "\(enabled.text)")
            #expect(removed.body == ["removed": "mapped.off", "onlyWayIn": 1], "\(removed.text)")
        }
    }
}

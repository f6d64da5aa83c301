import BrokerStore
import ProviderKit
import Testing

@testable import Broker

@Suite("the subjects of a provider's accounts")
struct SubjectMappingTests {
    private static let origin = Origin(.admin, actor: "test")
    private static let ada: JSONObject = ["id": "1", "number": "7"]
    /// Whose number is what another user's id is.
    private static let ben: JSONObject = ["id": "2", "number": "1"]

    /// Runs a broker with an entry of the file.
    private static func run(
        _ entry: JSONObject = MappedProvider.entry(), _ test: (TestBroker) async throws -> Void
    ) async throws {
        try await TestBroker.run(
            plugins: MappedProvider.plugins, entries: { _ in [.object(entry)] }, test)
    }

    private static func write(_ entry: JSONObject, to broker: TestBroker) throws {
        let file: JSONValue = ["providers": [.object(entry)]]
        try broker.folder.write("plugins.json", file.serialized())
    }

    /// The running broker's second look at a changed file.
    private static func reload(_ broker: TestBroker) async throws -> ProviderConfiguration.Reload? {
        try await broker.core.providers.storedConfiguration.reload()
        let first = broker.core.providers.configured.reload()
        return first ?? broker.core.providers.configured.reload()
    }

    private static func issuers(_ broker: TestBroker, _ localID: String) async throws -> [String] {
        try #require(try await broker.user(localID)).identities.map(\.issuer)
    }

    @Test func `no broker starts with another subject pointer, and a running one goes on, until the operator decides`()
        async throws
    {
        try await Self.run { broker in
            let ada = try await broker.signIn(mapped: Self.ada).string("localId")
            try Self.write(MappedProvider.entry("number"), to: broker)

            let error = await #expect(throws: ConfigurationError.self) {
                try await broker.withSecondCore(plugins: MappedProvider.plugins) { _ in }
            }
            #expect(error?.description.contains("broker providers update mapped.test --subjects new") == true)
            guard case .refused = try await Self.reload(broker) else { throw TestFailure("adopted") }
            #expect(try await broker.signIn(mapped: Self.ada).string("localId") == ada)

            _ = try await broker.onHost(UpdateProvider(id: MappedProvider.id, changes: [:], subjects: .new))
            guard case .adopted = try await Self.reload(broker) else { throw TestFailure("refused") }
            try await broker.withSecondCore(plugins: MappedProvider.plugins) { _ in }
            let later = try await broker.signIn(mapped: Self.ada).string("localId")
            let ben = try await broker.signIn(mapped: Self.ben).string("localId")

            // Ben's number is Ada's id: the two never meet.
            #expect(Set([ada, later, ben]).count == 3)
            #expect(try await Self.issuers(broker, ada) == ["https://mapped.example"])
            #expect(try await Self.issuers(broker, ben) == ["https://mapped.example#2"])
            let events = try await broker.auditOfProvider(MappedProvider.id).filter { $0.event == "provider.updated" }
            #expect(events.map(\.detail.text) == [#"{"subjects":"new"}"#])
        }
    }

    @Test func `the earlier options give the earlier users back`() async throws {
        try await Self.run { broker in
            let ada = try await broker.signIn(mapped: Self.ada).string("localId")
            for subject in ["number", "id"] {
                try Self.write(MappedProvider.entry(subject), to: broker)
                _ = try await broker.onHost(UpdateProvider(id: MappedProvider.id, changes: [:], subjects: .new))
                guard case .adopted = try await Self.reload(broker) else { throw TestFailure("refused") }
                let user = try await broker.signIn(mapped: Self.ada).string("localId")
                #expect((user == ada) == (subject == "id"))
            }
        }
    }

    @Test func `an operator may say that the subjects are the same, where the instance is`() async throws {
        try await Self.run { broker in
            let same: JSONObject = ["id": "1", "uid": "1"]
            let ada = try await broker.signIn(mapped: same).string("localId")
            let decision = UpdateProvider(id: MappedProvider.id, changes: [:], subjects: .same)
            try Self.write(MappedProvider.entry("uid", ["url": "https://other.example"]), to: broker)
            let refusal = await #expect(throws: BrokerError.self) { try await broker.onHost(decision) }
            try Self.write(MappedProvider.entry("uid"), to: broker)
            _ = try await broker.onHost(decision)
            guard case .adopted = try await Self.reload(broker) else { throw TestFailure("refused") }

            #expect(refusal?.message.hasPrefix("SUBJECTS_CHANGED : ") == true)
            #expect(try await broker.signIn(mapped: same).string("localId") == ada)
            try await broker.withSecondCore(plugins: MappedProvider.plugins) { _ in }
        }
    }

    @Test func `an entry without users may change its subjects`() async throws {
        try await Self.run { broker in
            try Self.write(MappedProvider.entry("number", ["url": "https://other.example"]), to: broker)
            guard case .adopted = try await Self.reload(broker) else { throw TestFailure("refused") }
            try await broker.core.providers.storedConfiguration.reload()

            let ada = try await broker.signIn(mapped: Self.ada).string("localId")
            #expect(try await Self.issuers(broker, ada) == ["https://other.example"])
            try await broker.withSecondCore(plugins: MappedProvider.plugins) { _ in }
            let rows = try await broker.core.store.read { try $0.subjectMappings() }
            #expect(rows.map(\.version) == [1] && rows.map(\.rule) == ["number"])
        }
    }

    @Test func `a stored entry with users changes its subjects with a decision only, and can be disabled without one`()
        async throws
    {
        try await TestBroker.run(plugins: MappedProvider.plugins) { broker in
            let administrator = try await ConfigurationAdministrator(of: broker)
            func update(_ options: JSONObject, _ subjects: JSONValue? = nil) async throws -> Answer {
                var parameters: JSONObject = [
                    "id": .string(MappedProvider.id), "changes": ["options": .object(options)],
                ]
                parameters["subjects"] = subjects
                return try await administrator.run("providers.update", .object(parameters))
            }
            _ = try await broker.core.providers.addProvider(
                MappedProvider.entry(), by: .host, origin: Self.origin)
            let free = try await update(["subject": "uid"])
            let back = try await update(["subject": "id"])
            let ada = try await broker.signIn(mapped: Self.ada).string("localId")
            let pointer = try await update(["subject": "number"])
            let url = try await update(["url": "https://other.example"])
            let same = try await broker.signIn(mapped: Self.ada).string("localId")
            let off = try await administrator.run("providers.disable", ["id": .string(MappedProvider.id)])
            let on = try await administrator.run("providers.enable", ["id": .string(MappedProvider.id)])
            let decided = try await update(["subject": "number"], "new")
            let ben = try await broker.signIn(mapped: Self.ben)

            #expect([free, back, off, on, decided].map(\.status) == [200, 200, 200, 200, 200], "\(decided.text)")
            #expect([pointer.code, url.code] == ["SUBJECTS_CHANGED", "SUBJECTS_CHANGED"], "\(pointer.text)")
            #expect(pointer.message?.contains("--subjects same") == true, "\(pointer.text)")
            #expect(url.message?.contains("--subjects same") == false, "\(url.text)")
            #expect(same == ada)
            #expect(try ben.string("localId") != ada)
        }
    }

    @Test func `an id that had users is taken up on the host with a confirmation, remotely with the scope`()
        async throws
    {
        try await TestBroker.run(plugins: MappedProvider.plugins) { broker in
            let administrator = try await ConfigurationAdministrator(of: broker)
            let remove = RemoveProvider(id: MappedProvider.id)
            var entry = MappedProvider.entry()
            entry["enabled"] = false
            _ = try await broker.onHost(AddProvider(entry: entry))
            _ = try await broker.onHost(EnableProvider(id: MappedProvider.id))
            try await broker.core.providers.storedConfiguration.reload()
            let ada = try await broker.signIn(mapped: Self.ada).string("localId")
            _ = try await broker.onHost(remove)

            let asked = await #expect(throws: AdminFailure.self) {
                try await broker.onHost(AddProvider(entry: MappedProvider.entry()))
            }
            let other = await #expect(throws: BrokerError.self) {
                try await broker.onHost(AddProvider(entry: MappedProvider.entry("number"), takesUsers: true))
            }
            _ = try await broker.onHost(AddProvider(entry: MappedProvider.entry(), takesUsers: true))
            try await broker.core.providers.storedConfiguration.reload()
            let again = try await broker.signIn(mapped: Self.ada).string("localId")
            _ = try await broker.onHost(remove)
            let remote = try await administrator.run("providers.add", ["entry": .object(MappedProvider.entry())])

            #expect(asked?.code == "NOT_CONFIRMED" && asked?.message.contains("(1)") == true)
            #expect(other?.message.hasPrefix("SUBJECTS_CHANGED") == true)
            #expect(again == ada)
            #expect(remote.status == 200, "\(remote.text)")
        }
    }

    @Test func `identities of an earlier release take the mapping in force at the first start`() async throws {
        try await Self.run { broker in
            let entry = MappedProvider.entry("number", id: "mapped.earlier")
            try await broker.core.store.write(at: Timestamp(broker.clock.now)) { transaction in
                let user = User(
                    key: transaction.nextKey(), localID: "earlier", createdAt: transaction.now,
                    lastLoginAt: transaction.now)
                _ = try transaction.insert(user)
                let identity = Identity(
                    key: transaction.nextKey(), userKey: user.key,
                    identity: IdentityKey(provider: "mapped.earlier", issuer: "https://mapped.example", subject: "7"),
                    profile: "{}", linkedAt: transaction.now, lastSignInAt: transaction.now)
                _ = try transaction.insert(identity)
            }
            try Self.write(entry, to: broker)
            guard case .adopted = try await Self.reload(broker) else { throw TestFailure("refused") }
            try await broker.core.providers.storedConfiguration.reload()
            #expect(
                try await broker.signIn(mapped: Self.ada, provider: "mapped.earlier").string("localId") == "earlier")

            try Self.write(MappedProvider.entry("id", id: "mapped.earlier"), to: broker)
            await #expect(throws: ConfigurationError.self) {
                try await broker.withSecondCore(plugins: MappedProvider.plugins) { _ in }
            }
        }
    }
}

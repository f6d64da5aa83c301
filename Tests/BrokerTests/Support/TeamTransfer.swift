import Broker
import BrokerStore
import Foundation
import ProviderKit
import ProviderSimulators

/// A broker whose Apple app goes from one team to another.
struct TeamTransfer: Sendable {
    static let recipient = "RECIPIENT1"

    let broker: TestBroker
    let providers: TestProviders
    let recipientKey: AppleSimulator.Key

    var apple: AppleSimulator { providers.apple }
    var migrations: SubjectMigrations { broker.core.admin.subjectMigrations }

    static func run<Value>(
        entries: @escaping (inout JSONObject) -> Void = { _ in }, _ test: (TeamTransfer) async throws -> Value
    ) async throws -> Value {
        try await TestProviders.run(entries: entries) { broker, providers in
            let key = providers.apple.register(AppleSimulator.Key(teamID: recipient))
            return try await test(TeamTransfer(broker: broker, providers: providers, recipientKey: key))
        }
    }

    /// The file about both teams; a side that is left out has its team id only.
    func teams(_ sides: Set<MigrationSide> = [.source, .target], client: String? = nil) -> JSONValue {
        func team(_ id: String, _ key: AppleSimulator.Key, _ side: MigrationSide) -> JSONValue {
            guard sides.contains(side) else { return ["teamId": .string(id)] }
            return [
                "teamId": .string(id), "keyId": .string(key.keyID), "privateKey": .string(key.pem),
                "clientId": .string(client ?? apple.nativeApplication.clientID),
            ]
        }
        return [
            "from": team(apple.teamID, apple.key, .source), "to": team(Self.recipient, recipientKey, .target),
        ]
    }

    func migrator(_ sides: Set<MigrationSide> = [.source, .target], client: String? = nil) throws -> any SubjectMigrator
    {
        try broker.folder.write("teams.json", teams(sides, client: client).serialized())
        return try provider.migrator(configuredBy: broker.folder.path + "/teams.json", environment: [:])
    }

    var provider: ConfiguredProvider {
        get throws {
            guard let provider = broker.core.providers.current.provider("apple.com") else {
                throw TestFailure("no Apple entry")
            }
            return provider
        }
    }

    func run(
        _ sides: Set<MigrationSide> = [.source, .target], client: String? = nil,
        _ change: (inout MigrateSubjects.Options) -> Void = { _ in }
    ) throws -> MigrateSubjects {
        var options = MigrateSubjects.Options()
        options.rate = 10_000
        change(&options)
        return migrations.run(
            of: try provider, try migrator(sides, client: client), options, origin: Origin(.admin), sleep: { _ in })
    }

    func transfer() {
        apple.transfer(apple.nativeApplication, to: Self.recipient)
        apple.transfer(apple.defaultApplication, to: Self.recipient)
    }

    func signIn(_ person: AppleSimulator.Person) async throws -> Answer {
        try await broker.signIn(postBody: AppleSignInTests.native(person, providers))
    }

    /// Issuer and subject of a user's Apple identity.
    func identity(of localID: String) async throws -> Identity? {
        try await broker.core.store.read { tx in
            try tx.user(localID: localID).flatMap { try tx.identities(of: $0.key).first { $0.provider == "apple.com" } }
        }
    }

    /// Configures the entry for the new team, as an operator does on the day of the transfer.
    func switchEntry(former: [String] = []) throws {
        let path = broker.folder.path + "/plugins.json"
        guard let value = FileManager.default.contents(atPath: path).flatMap({ try? JSONValue(parsing: $0) }),
            let entries = value["providers"]?.array
        else { throw TestFailure("no plugins.json") }
        let switched = entries.map { entry -> JSONValue in
            guard entry["id"] == "apple.com", var members = entry.object, var options = members["options"]?.object
            else {
                return entry
            }
            options["teamId"] = .string(Self.recipient)
            options["keyId"] = .string(recipientKey.keyID)
            options["privateKey"] = .string(recipientKey.pem)
            options["formerTeamIds"] = .array(former.map(JSONValue.string))
            members["options"] = .object(options)
            return .object(members)
        }
        try broker.folder.write("plugins.json", JSONValue.object(["providers": .array(switched)]).serialized())
        for _ in 0..<4 { _ = broker.core.providers.configured.reload() }
    }
}

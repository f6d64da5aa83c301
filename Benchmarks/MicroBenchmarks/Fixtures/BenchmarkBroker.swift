import Broker
import Foundation
import ProviderKit

/// A broker as an operator would configure it, with ``StubProvider`` as its only provider.
enum BenchmarkBroker {
    static let apiKey = "benchmark-api-key"
    static let project = "benchmark"
    private static let masterKeyName = "MASTER_KEY"

    /// Opens a core whose files are in `folder`, with a master key of its own.
    ///
    /// The policy decides whether its tokens are ES256 (`strict`) or RS256 (`firebase`).
    static func open(_ policy: Policy, in folder: BenchmarkFolder) async throws -> BrokerCore {
        let plugins = folder.file("plugins.json")
        let entry: JSONValue = [
            "id": .string(StubProvider.entryID), "use": .string(StubProvider.kind.rawValue), "trustEmail": .bool(true),
            "options": [:],
        ]
        let file: JSONValue = ["providers": [entry]]
        try Data(file.serialized().utf8).write(to: URL(filePath: plugins))
        let configuration = Configuration(
            publicURL: "http://127.0.0.1:9099", listen: .init(host: "127.0.0.1", port: 0),
            project: .init(id: project, number: "1", authorizedDomains: ["localhost"]),
            apiKeys: [.init(key: apiKey, origins: [])], policy: policy,
            database: .sqlite(path: folder.file("broker.sqlite")), masterKey: .environment(masterKeyName),
            pluginsPath: plugins)
        return try await BrokerCore.open(
            configuration, plugins: [ProviderPlugin(StubProvider.self)],
            environment: [masterKeyName: KeyMaterial.generateText()])
    }
}

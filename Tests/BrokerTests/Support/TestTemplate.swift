import Broker
import BrokerStore
import Foundation
import GitHub
import ProviderKit

/// A store with its signing keys already made, copied into each test's folder: making an RSA key takes longer than most
/// tests.
actor TestTemplate {
    static let shared = TestTemplate()

    private var made: Task<String, any Error>?

    /// Puts `master.key` and `data/broker.sqlite` into a folder.
    func copy(into folder: TestFolder) async throws {
        let template = try await template()
        for name in ["master.key", "data"] {
            try FileManager.default.copyItem(atPath: template + "/" + name, toPath: folder.path + "/" + name)
        }
    }

    private func template() async throws -> String {
        if let made { return try await made.value }
        let task = Task {
            let folder = try TestFolder()
            try folder.write("plugins.json", #"{"providers":[]}"#)
            try folder.write("master.key", MasterKey.generateText())
            let core = try await BrokerCore.open(folder.configuration(), plugins: [], environment: [:])
            await core.close()
            return folder.path
        }
        made = task
        return try await task.value
    }
}

/// Lets a handful of brokers run at once: the tests of a whole package on two cores would otherwise start hundreds and
/// time each other out.
actor TestSlots {
    static let shared = TestSlots(count: 6)

    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(count: Int) {
        free = count
    }

    func enter() async {
        if free > 0 {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func leave() {
        if waiting.isEmpty {
            free += 1
        } else {
            waiting.removeFirst().resume()
        }
    }
}

extension TestFolder {
    /// A broker's configuration with everything in this folder.
    func configuration(apiKey: String = RandomText.alphanumeric(24)) -> Configuration {
        Configuration(
            publicURL: "http://127.0.0.1:9099", listen: .init(host: "127.0.0.1", port: 0),
            project: .init(id: "test-project", number: "123456789012", authorizedDomains: ["localhost"]),
            apiKeys: [.init(key: apiKey, origins: ["https://app.example"])], allowsAnonymousSignIn: true,
            databasePath: path + "/data/broker.sqlite", masterKey: .file(path + "/master.key"),
            pluginsPath: path + "/plugins.json")
    }
}

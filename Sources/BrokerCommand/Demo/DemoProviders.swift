import Foundation
import ProviderKit
import ProviderSimulators

/// The four providers of the demo. Runs with the same `--data` folder use the same installations.
struct DemoProviders: Sendable {
    let gitHub: DemoGitHub
    let apple: DemoApple
    let all: [any DemoProvider]

    /// Starts all four.
    ///
    /// - Throws: ``CommandFailure`` when a stored port is in use; all simulators are stopped.
    static func start(in folder: DemoFolder, brokerURL: String) async throws -> DemoProviders {
        let file = folder.path + "/simulators.json"
        let stored = FileManager.default.contents(atPath: file).flatMap {
            try? JSONDecoder().decode([String: DemoRecord].self, from: $0)
        }
        var started: [any DemoProvider] = []
        do {
            let gitHub = try await start(DemoGitHub.self, stored, brokerURL)
            started.append(gitHub)
            started.append(try await start(DemoGitLab.self, stored, brokerURL))
            let apple = try await start(DemoApple.self, stored, brokerURL)
            started.append(apple)
            started.append(try await start(DemoOnePass.self, stored, brokerURL))
            if stored == nil { try store(started, in: file) }
            return DemoProviders(gitHub: gitHub, apple: apple, all: started)
        } catch {
            for provider in started { await provider.stop() }
            throw error
        }
    }

    func stop() async {
        for provider in all { await provider.stop() }
    }

    /// The simulators' URLs by provider id.
    var urls: JSONObject {
        JSONObject(all.map { (type(of: $0).id, .string($0.url)) })
    }

    private static func start<Provider: DemoProvider>(
        _ type: Provider.Type, _ stored: [String: DemoRecord]?, _ brokerURL: String
    ) async throws -> Provider {
        let record = stored?[Provider.id]
        do {
            return try await Provider.start(record, callbackURL: brokerURL + "/oauth/callback/\(Provider.id)")
        } catch {
            throw CommandFailure(
                code: "LISTEN",
                "cannot listen on port \(record?.port ?? 0) for \(Provider.name): another demo may use this folder")
        }
    }

    private static func store(_ providers: [any DemoProvider], in file: String) throws {
        let records = Dictionary(providers.map { (type(of: $0).id, $0.record) }) { first, _ in first }
        let contents = String(decoding: try JSONEncoder().encode(records), as: UTF8.self)
        try PrivateFiles.create([file: contents], in: URL(filePath: file).deletingLastPathComponent().path)
    }
}

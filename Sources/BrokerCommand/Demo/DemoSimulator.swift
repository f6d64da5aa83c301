import Foundation
import ProviderKit
import ProviderSimulators

/// The demo's GitHub: the same people, client and address each time a kept folder is used again, since a user of the
/// broker is bound to the installation it came from.
enum DemoSimulator {
    /// What `simulator.json` in a demo's folder holds.
    private struct Kept: Codable {
        let port: Int
        let clientId: String
        let clientSecret: String
        let people: [Person]

        struct Person: Codable {
            let id: Int64
            let login: String
            let name: String?
            let email: String
            let isVerified: Bool
        }
    }

    /// - Throws: ``CommandFailure`` when the kept address is taken.
    static func start(in folder: DemoFolder, callbackURL: String) async throws -> GitHubSimulator {
        let file = folder.path + "/simulator.json"
        let kept = FileManager.default.contents(atPath: file).flatMap { try? JSONDecoder().decode(Kept.self, from: $0) }
        let application = GitHubSimulator.Application(
            clientID: kept?.clientId, clientSecret: kept?.clientSecret, callbackURL: callbackURL, name: "Broker demo")
        let people = kept?.people.map {
            GitHubSimulator.Person(
                id: $0.id, login: $0.login, name: $0.name, emails: [.init(address: $0.email, verified: $0.isVerified)])
        }
        do {
            let simulator = try await GitHubSimulator.start(
                .init(port: kept?.port ?? 0, application: application, people: people))
            if kept == nil { try keep(simulator, in: file) }
            return simulator
        } catch {
            throw CommandFailure(
                code: "LISTEN",
                "the simulator cannot listen at port \(kept?.port ?? 0): is another demo using this folder?")
        }
    }

    /// The entry of `plugins.json` that trusts the simulator as github.com.
    static func entry(_ simulator: GitHubSimulator) -> JSONValue {
        [
            "id": "github.com", "use": "github", "trustEmail": true, "allowInsecureLoopback": true,
            "options": [
                "url": .string(simulator.url), "apiUrl": .string(simulator.apiURL),
                "clientId": .string(simulator.defaultApplication.clientID),
                "clientSecret": .string(simulator.defaultApplication.clientSecret),
            ],
        ]
    }

    private static func keep(_ simulator: GitHubSimulator, in file: String) throws {
        let kept = Kept(
            port: URL(string: simulator.url)?.port ?? 0, clientId: simulator.defaultApplication.clientID,
            clientSecret: simulator.defaultApplication.clientSecret,
            people: simulator.people().compactMap { person in
                person.emails.first(where: \.primary).map {
                    .init(
                        id: person.id, login: person.login, name: person.name, email: $0.address,
                        isVerified: $0.verified)
                }
            })
        let contents = String(decoding: try JSONEncoder().encode(kept), as: UTF8.self)
        try PrivateFiles.create([file: contents], in: URL(filePath: file).deletingLastPathComponent().path)
    }
}

import Broker
import OAuth
import ProviderKit
import ProviderSimulators

/// The demo's 1Pass.
struct DemoOnePass: DemoProvider {
    static let id = "1pass.dev"
    static let name = "1Pass"

    let simulator: OnePassSimulator
    private let people: [DemoUser: OnePassSimulator.Person]

    static func start(_ stored: DemoRecord?, callbackURL: String) async throws -> DemoOnePass {
        let application = OnePassSimulator.Application(
            clientID: stored?.settings["clientId"], clientSecret: stored?.settings["clientSecret"],
            redirectURIs: [callbackURL], name: "Broker demo")
        let people = DemoUser.allCases.map { user in
            (
                user,
                OnePassSimulator.Person(
                    id: stored?.number(of: user), preferredName: user.givenName,
                    email: .init(user.email(at: id)))
            )
        }
        let simulator = try await OnePassSimulator.start(
            .init(port: stored?.port ?? 0, application: application, people: people.map(\.1)))
        return DemoOnePass(simulator: simulator, people: Dictionary(people) { first, _ in first })
    }

    var url: String { simulator.url }

    var record: DemoRecord {
        let application = simulator.defaultApplication
        return DemoRecord(
            port: port,
            settings: ["clientId": application.clientID, "clientSecret": application.clientSecret ?? ""],
            people: Dictionary(people.map { ($0.rawValue, String($1.id)) }) { first, _ in first })
    }

    var use: (kind: String, options: JSONObject) {
        let application = simulator.defaultApplication
        return (
            "1pass",
            [
                "url": .string(url), "clientId": .string(application.clientID),
                "clientSecret": .string(application.clientSecret ?? ""),
            ]
        )
    }

    func credential(of user: DemoUser) -> [(name: String, value: String)] {
        let nonce = RandomText.alphanumeric(32)
        let tokens = people[user].map {
            simulator.tokens(for: $0, application: simulator.defaultApplication, nonce: nonce)
        }
        return [
            ("id_token", tokens?.idToken ?? ""), ("access_token", tokens?.accessToken ?? ""), ("nonce", nonce),
            ("providerId", Self.id),
        ]
    }

    func stop() async { await simulator.stop() }
}

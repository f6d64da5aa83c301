import ProviderKit
import ProviderSimulators

/// The demo's GitHub.
struct DemoGitHub: DemoProvider {
    static let id = "github.com"
    static let name = "GitHub"

    let simulator: GitHubSimulator
    private let people: [DemoUser: GitHubSimulator.Person]

    static func start(_ stored: DemoRecord?, callbackURL: String) async throws -> DemoGitHub {
        let application = GitHubSimulator.Application(
            clientID: stored?.settings["clientId"], clientSecret: stored?.settings["clientSecret"],
            callbackURL: callbackURL, name: "Broker demo", deviceFlowEnabled: true)
        let people = DemoUser.allCases.map { user in
            let email = GitHubSimulator.Person.Email(address: user.email(at: id))
            return (
                user,
                GitHubSimulator.Person(
                    id: stored?.number(of: user), login: user.rawValue, name: user.givenName, emails: [email])
            )
        }
        let simulator = try await GitHubSimulator.start(
            .init(port: stored?.port ?? 0, application: application, people: people.map(\.1)))
        return DemoGitHub(simulator: simulator, people: Dictionary(people) { first, _ in first })
    }

    var url: String { simulator.url }

    var record: DemoRecord {
        let application = simulator.defaultApplication
        return DemoRecord(
            port: port,
            settings: ["clientId": application.clientID, "clientSecret": application.clientSecret],
            people: Dictionary(people.map { ($0.rawValue, String($1.id)) }) { first, _ in first })
    }

    var use: (kind: String, options: JSONObject) {
        let application = simulator.defaultApplication
        return (
            "github",
            [
                "url": .string(url), "apiUrl": .string(simulator.apiURL), "clientId": .string(application.clientID),
                "clientSecret": .string(application.clientSecret),
            ]
        )
    }

    func credential(of user: DemoUser) -> [(name: String, value: String)] {
        let token = people[user].map { simulator.accessToken(for: $0, application: simulator.defaultApplication) }
        return [("access_token", token ?? ""), ("providerId", Self.id)]
    }

    func stop() async { await simulator.stop() }
}

import ProviderKit
import ProviderSimulators

/// The demo's GitHub.
struct DemoGitHub: DemoProvider {
    static let id = "github.com"
    static let name = "GitHub"

    let simulator: GitHubSimulator
    private let people: [DemoPerson: GitHubSimulator.Person]

    static func start(_ kept: DemoRecord?, callbackURL: String) async throws -> DemoGitHub {
        let application = GitHubSimulator.Application(
            clientID: kept?.settings["clientId"], clientSecret: kept?.settings["clientSecret"],
            callbackURL: callbackURL, name: "Broker demo", deviceFlowEnabled: true)
        let people = DemoPerson.allCases.map { person in
            let email = GitHubSimulator.Person.Email(address: person.email(at: id))
            return (
                person,
                GitHubSimulator.Person(
                    id: kept?.number(of: person), login: person.rawValue, name: person.givenName, emails: [email])
            )
        }
        let simulator = try await GitHubSimulator.start(
            .init(port: kept?.port ?? 0, application: application, people: people.map(\.1)))
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

    func credential(of person: DemoPerson) -> [(name: String, value: String)] {
        let token = people[person].map { simulator.accessToken(for: $0, application: simulator.defaultApplication) }
        return [("access_token", token ?? ""), ("providerId", Self.id)]
    }

    func stop() async { await simulator.stop() }
}

import ProviderKit
import ProviderSimulators

/// The demo's GitLab.
struct DemoGitLab: DemoProvider {
    static let id = "gitlab.com"
    static let name = "GitLab"

    let simulator: GitLabSimulator
    private let people: [DemoUser: GitLabSimulator.Person]

    static func start(_ stored: DemoRecord?, callbackURL: String) async throws -> DemoGitLab {
        let application = GitLabSimulator.Application(
            clientID: stored?.settings["clientId"], clientSecret: stored?.settings["clientSecret"],
            redirectURIs: [callbackURL], name: "Broker demo")
        let people = DemoUser.allCases.map { user in
            (
                user,
                GitLabSimulator.Person(
                    id: stored?.number(of: user), username: user.rawValue, name: user.givenName,
                    email: user.email(at: id))
            )
        }
        let simulator = try await GitLabSimulator.start(
            .init(port: stored?.port ?? 0, application: application, people: people.map(\.1)))
        return DemoGitLab(simulator: simulator, people: Dictionary(people) { first, _ in first })
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
            "gitlab",
            [
                "url": .string(url), "clientId": .string(application.clientID),
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

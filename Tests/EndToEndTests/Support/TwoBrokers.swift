import Foundation
import PostgreSQLTesting
import ProviderKit
import ProviderSimulators
import Testing

/// Two processes of `broker serve` on one store, as behind a load balancer.
struct TwoBrokers: Sendable {
    static let secondProvider = "github.other"

    let installation: Installation
    let one: IdentityToolkitApp
    let other: IdentityToolkitApp

    /// `TESTS_ROUNDS` raises the number for a soak run.
    static let roundCount =
        ProcessInfo.processInfo.environment["TESTS_ROUNDS"].flatMap { Int($0) } ?? 50
    private static let width = 4

    /// Starts both and runs the rounds of a race, a few at a time; a round's number names its users.
    static func race(
        on engine: TestEngine, _ round: @escaping @Sendable (TwoBrokers, String) async throws -> Void
    ) async throws {
        try await start(on: engine) { try await $0.run(round) }
    }

    /// Starts both and lends them to `body`.
    static func start(
        on engine: TestEngine = .current, with entries: [JSONValue] = [],
        _ body: @escaping @Sendable (TwoBrokers) async throws -> Void
    ) async throws {
        try await Installation.run(anonymousSignIn: true, engine: engine) { installation in
            try installation.addSecondProvider()
            try installation.add(entries)
            try await installation.serve { _, one in
                try await installation.serve { _, other in
                    try await body(TwoBrokers(installation: installation, one: one, other: other))
                }
            }
        }
    }

    /// Runs so many rounds, a few at a time.
    func run(
        rounds: Int = roundCount, _ round: @escaping @Sendable (TwoBrokers, String) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for first in 0..<Self.width {
                group.addTask {
                    for number in stride(from: first, to: rounds, by: Self.width) {
                        try await round(self, "racer-\(number)")
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// A new user with a proven address: without one the provider hands out no code.
    func person(_ login: String) -> GitHubSimulator.Person {
        installation.github.add(.init(login: login, emails: [.init(address: "\(login)@example.com")]))
    }

    /// What the same request comes to in both processes at once.
    func both(
        _ first: @Sendable (IdentityToolkitApp) async throws -> IdentityToolkitApp.Answer,
        _ second: @Sendable (IdentityToolkitApp) async throws -> IdentityToolkitApp.Answer
    ) async throws -> [IdentityToolkitApp.Answer] {
        async let answer = first(one)
        async let otherAnswer = second(other)
        return try await [answer, otherAnswer]
    }

    func accessToken(_ person: GitHubSimulator.Person, for provider: String) -> String {
        installation.accessToken(of: person, for: provider)
    }

    /// A user's sign-in at one of the processes.
    func signIn(
        _ person: GitHubSimulator.Person, provider: String = "github.com", at client: IdentityToolkitApp
    ) async throws -> IdentityToolkitApp.Answer {
        try await client.signIn([("access_token", accessToken(person, for: provider))], provider: provider)
    }

    /// Links a user's identity at one of the processes to the user of an ID token.
    func link(
        _ person: GitHubSimulator.Person, provider: String = "github.com", to session: IdentityToolkitApp.Session,
        at client: IdentityToolkitApp
    ) async throws -> IdentityToolkitApp.Answer {
        try await client.link(accessToken(person, for: provider), provider: provider, to: session.idToken)
    }

    /// The providers of a user, as one of the processes sees them.
    func providers(of session: IdentityToolkitApp.Session, at client: IdentityToolkitApp) async throws -> [String] {
        let user = try #require(try await client.lookup(session.idToken).body["users"]?.array?.first)
        return user["providerUserInfo"]?.array?.compactMap { $0["providerId"]?.string } ?? []
    }
}

extension IdentityToolkitApp {
    /// Signs in with what stands for evidence from earlier.
    func signIn(pendingToken: String) async throws -> Answer {
        try await post(
            "/v1/accounts:signInWithIdp",
            [
                "requestUri": "http://localhost", "returnSecureToken": true, "pendingToken": .string(pendingToken),
            ])
    }
}

extension Installation {
    /// The client of an entry with this id.
    func application(of provider: String) -> GitHubSimulator.Application {
        github.applications().first { $0.name == provider } ?? github.defaultApplication
    }

    /// An access token of a user for the client of an entry.
    func accessToken(of person: GitHubSimulator.Person, for provider: String) -> String {
        github.accessToken(for: person, application: application(of: provider))
    }

    /// Adds entries to `plugins.json`.
    func add(_ entries: [JSONValue]) throws {
        let plugins = try JSONValue(parsing: try folder.text(of: "plugins.json"))
        let known = plugins["providers"]?.array ?? []
        try folder.write(JSONValue.object(["providers": .array(known + entries)]).serialized(), to: "plugins.json")
    }

    /// Offers the simulator under a second id with a client of its own, so that one user can have two identities.
    func addSecondProvider() throws {
        let plugins = try JSONValue(parsing: try folder.text(of: "plugins.json"))
        let first = try #require(plugins["providers"]?.array?.first)
        let second = try secondEntry(after: first)
        try folder.write(
            JSONValue.object(["providers": [first, second]]).serialized(), to: "plugins.json")
    }

    /// The entry of ``TwoBrokers/secondProvider``, whose client is registered at the simulator.
    func secondEntry(after first: JSONValue) throws -> JSONValue {
        let application = github.register(.init(name: TwoBrokers.secondProvider))
        var entry = try #require(first.object)
        entry["id"] = .string(TwoBrokers.secondProvider)
        var options = try #require(first["options"]?.object)
        options["clientId"] = .string(application.clientID)
        options["clientSecret"] = .string(application.clientSecret)
        entry["options"] = .object(options)
        return .object(entry)
    }
}

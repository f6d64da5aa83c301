import Foundation
import ProviderKit
import ProviderSimulators

/// A provider of the demo: a simulator, its entry in `plugins.json`, and two accounts that can sign in.
protocol DemoProvider: Sendable {
    /// The wire's `providerId`.
    static var id: String { get }
    /// The provider's display name.
    static var name: String { get }

    /// Starts the simulator with the state of an earlier run, or as a new installation.
    static func start(_ stored: DemoRecord?, callbackURL: String) async throws -> Self

    /// The simulator's base URL.
    var url: String { get }
    /// The state that a later run needs to be the same installation with the same accounts.
    var record: DemoRecord { get }
    /// The entry's `use` and `options` in `plugins.json`.
    var use: (kind: String, options: JSONObject) { get }

    /// Issues a new credential of a user, as the fields of a `postBody`.
    func credential(of user: DemoUser) -> [(name: String, value: String)]
    func stop() async
}

extension DemoProvider {
    /// The entry of `plugins.json` that configures the simulator as the provider.
    var entry: JSONValue {
        [
            "id": .string(Self.id), "use": .string(use.kind), "trustEmail": true, "allowInsecureLoopback": true,
            "options": .object(use.options),
        ]
    }

    /// The simulator's port, stored in `simulators.json`.
    var port: Int { URL(string: url)?.port ?? 0 }
}

/// A user of the demo, with an account at every provider.
enum DemoUser: String, CaseIterable, Codable {
    /// Has the same address at every provider.
    case ada
    /// Has a different address at every provider.
    case ben

    var givenName: String { rawValue.capitalized }

    func email(at provider: String) -> String {
        switch self {
        case .ada: "ada@example.com"
        case .ben: "ben@\(provider).example"
        }
    }
}

/// The stored state of a simulator. The broker binds users to an installation, so a later run has to be the same one.
struct DemoRecord: Codable, Sendable {
    var port: Int
    /// Client registrations and secrets, under the provider's own names.
    var settings: [String: String]
    /// The user ids at the provider.
    var people: [String: String]

    /// A user's number at the provider; nil in the first run.
    func number(of user: DemoUser) -> Int64? { people[user.rawValue].flatMap { Int64($0) } }
}

import Foundation
import ProviderKit
import ProviderSimulators

/// One of the demo's providers: a simulator, the entry that trusts it, and two people who can prove who they are.
protocol DemoProvider: Sendable {
    /// The wire's `providerId`.
    static var id: String { get }
    /// What people call the provider.
    static var name: String { get }

    /// Starts the simulator as it was in an earlier run, or as a new one.
    static func start(_ kept: DemoRecord?, callbackURL: String) async throws -> Self

    /// Where the simulator listens.
    var url: String { get }
    /// What a later run needs to be the same installation with the same people.
    var record: DemoRecord { get }
    /// The entry's `use` and `options` in `plugins.json`.
    var use: (kind: String, options: JSONObject) { get }

    /// The fields of a `postBody` that prove who a person is, made anew.
    func credential(of person: DemoPerson) -> [(name: String, value: String)]
    func stop() async
}

extension DemoProvider {
    /// The entry of `plugins.json` that trusts the simulator as the provider itself.
    var entry: JSONValue {
        [
            "id": .string(Self.id), "use": .string(use.kind), "trustEmail": true, "allowInsecureLoopback": true,
            "options": .object(use.options),
        ]
    }

    /// What `simulator.json` keeps of its address.
    var port: Int { URL(string: url)?.port ?? 0 }
}

/// The demo's people: they have an account at every provider.
enum DemoPerson: String, CaseIterable, Codable {
    /// Uses one address everywhere.
    case ada
    /// Has another address at every provider.
    case ben

    var givenName: String { rawValue.capitalized }

    func email(at provider: String) -> String {
        switch self {
        case .ada: "ada@example.com"
        case .ben: "ben@\(provider).example"
        }
    }
}

/// What a simulator needs to be the same again: users of the broker are bound to the installation they came from.
struct DemoRecord: Codable, Sendable {
    var port: Int
    /// Registrations and secrets, by the provider's own names.
    var settings: [String: String]
    /// The people's ids at the provider.
    var people: [String: String]

    /// A person's number at the provider; nil in a first run.
    func number(of person: DemoPerson) -> Int64? { people[person.rawValue].flatMap { Int64($0) } }
}

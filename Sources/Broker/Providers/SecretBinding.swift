import OAuth
import ProviderKit
import Synchronization

/// The names of an entry's secrets, and what they are bound to: our client, the instance and the endpoints that receive
/// them or whose answers count with them.
struct SecretBinding: Sendable, Equatable {
    /// The options that are secrets or have some.
    private(set) var secrets: Set<ExactName> = []
    /// Plugin, instance, client id and the endpoints that the plugin declares.
    private var parties: Set<ExactName> = []
    /// The options of a plugin that declares no endpoint: any of them may be one.
    private var undeclared: JSONObject = [:]

    init() {}

    fileprivate init(
        of provider: any IdentityProvider, options: JSONValue, endpoints: Set<ExactName>, secrets: Set<ExactName>
    ) {
        self.secrets = secrets
        let plugin = type(of: provider).kind.rawValue
        parties = endpoints.union([plugin, provider.instance, provider.clientID].map(ExactName.init))
        guard endpoints.isEmpty else { return }
        for (name, value) in options.object ?? [:] where name != "scopes" && !secrets.contains(ExactName(name)) {
            undeclared[name] = value
        }
    }

    /// Whether the secrets of the other entry may serve this one: nothing that they are bound to differs.
    func hasSameParties(as other: SecretBinding) -> Bool {
        parties == other.parties && undeclared == other.undeclared
    }

    /// The parties as one text, the same in every process.
    fileprivate var partiesText: String {
        let names = parties.map(\.text).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let options = undeclared.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        let document: JSONValue = [
            .array(names.map(JSONValue.string)), .array(options.map { [.string($0.name), $0.value] }),
        ]
        return document.serialized()
    }
}

/// Collects what a plugin declares while an instance of it is made.
final class EntryDeclarations: Sendable {
    private struct Found {
        var endpoints: Set<ExactName> = []
        var secrets: Set<ExactName> = []
    }

    /// Nil once the instance is made: later endpoints come from the provider's metadata.
    private let found = Mutex<Found?>(Found())

    func add(endpoint: String) {
        _ = found.withLock { $0?.endpoints.insert(ExactName(endpoint)) }
    }

    /// - Parameter path: The names on the way to the secret, from the options on.
    func add(secretAt path: [String]) {
        guard let option = path.first else { return }
        _ = found.withLock { $0?.secrets.insert(ExactName(option)) }
    }

    /// The binding of the instance's secrets. Declares no more from now on.
    func binding(of provider: any IdentityProvider, options: JSONValue) -> SecretBinding {
        let declared = found.withLock { found in
            defer { found = nil }
            return found ?? Found()
        }
        return SecretBinding(
            of: provider, options: options, endpoints: declared.endpoints, secrets: declared.secrets)
    }
}

extension ConfiguredProvider {
    /// SHA-256 of what its verification of a subject rests on: our client, the instance, the endpoints and the rule of the
    /// subject.
    var partiesHash: [UInt8] { RandomText.hash(of: provider.subjectRule + "\n" + secretBinding.partiesText) }
}

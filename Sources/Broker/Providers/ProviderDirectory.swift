import ProviderKit

/// The providers a broker offers at one moment, found by id.
package struct ProviderDirectory: Sendable {
    /// The enabled ones, in the order of the file, then in the order in which the store's were added.
    package let providers: [ConfiguredProvider]
    /// The entries that are off. The options of a file's entry are not looked at, so they may be half filled in.
    package let disabled: [ProviderEntry]
    /// The stored entries that are left out.
    package let unusable: [UnusableEntry]
    /// The places in ``providers`` by id: a change of many entries looks each of them up.
    private let places: [String: Int]

    /// A stored entry that a broker leaves out. All the others count.
    package struct UnusableEntry: Sendable, Hashable {
        package let id: String
        package let reason: ConfigurationError
    }

    /// No providers at all, for work that asks none.
    package static let none = ProviderDirectory()

    private init() {
        providers = []
        disabled = []
        unusable = []
        places = [:]
    }

    /// Brings every enabled entry to life. An entry that says what it said before keeps its instance, with all it has
    /// learned about its provider.
    ///
    /// The file counts as a whole. Each stored entry counts for itself, and the file's entries go before it: one that
    /// cannot be read, or that the file has meanwhile, is left out and keeps no broker from starting.
    ///
    /// An entry keeps the issuer of its identities as well, until it says something else; without `mappings` nothing is
    /// known about issuers.
    ///
    /// - Throws: ``ConfigurationError`` for the file.
    init(
        _ sources: [ProviderSource], stored: [StoredProvider] = [], by factory: ProviderFactory,
        keeping earlier: ProviderDirectory = .none, mappings: SubjectMappings? = nil
    ) throws(ConfigurationError) {
        func provider(_ source: ProviderSource) throws(ConfigurationError) -> ConfiguredProvider {
            let known = earlier.provider(source.entry.id).flatMap { $0.source == source ? $0 : nil }
            if let known, known.issuer != nil { return known }
            let provider = if let known { known } else { try factory.provider(from: source) }
            return provider.with(issuer: try mappings?.issuer(of: provider), label: provider.label)
        }
        var providers: [ConfiguredProvider] = []
        var clients = UsedClients()
        for source in sources where source.entry.isEnabled {
            let provider = try provider(source)
            try clients.add(provider)
            providers.append(provider)
        }
        var disabled = sources.map(\.entry).filter { !$0.isEnabled }
        var unusable: [UnusableEntry] = []
        for entry in stored {
            do throws(ConfigurationError) {
                guard !sources.contains(where: { $0.entry.id.hasSameBytes(as: entry.id) }) else {
                    throw ProviderEntry.Place.store.error(
                        at: "/id", "\(factory.path) has an entry \(entry.id), which counts instead.",
                        fix: "Remove one of the two.")
                }
                let source = try entry.source.get()
                guard source.entry.isEnabled else {
                    disabled.append(source.entry)
                    continue
                }
                let provider = try provider(source)
                try clients.add(provider)
                providers.append(provider)
            } catch {
                unusable.append(UnusableEntry(id: entry.id, reason: error))
            }
        }
        self.providers = Self.labelled(providers)
        places = Dictionary(zip(providers.map(\.id), providers.indices)) { first, _ in first }
        self.disabled = disabled
        self.unusable = unusable
    }

    /// The clients of the entries so far and the redirect URIs of their apps, each with the entry's id.
    private struct UsedClients {
        /// The instances of each client id with their entries, by its bytes, which no other text equals.
        private var instances: [[UInt8]: [(instance: String, id: String)]] = [:]
        private var redirectURIs: [[UInt8]: String] = [:]

        /// Refuses two entries that are one client at one provider: an answer to either would count for both.
        mutating func add(_ provider: ConfiguredProvider) throws(ConfigurationError) {
            let (client, instance) = (Array(provider.provider.clientID.utf8), provider.provider.instance)
            let twin = instances[client]?.first {
                $0.instance.hasTokens(of: instance) || instance.hasTokens(of: $0.instance)
            }
            guard let twin, let place = provider.source?.entry.place else {
                try addRedirects(of: provider)
                instances[client, default: []].append((instance, provider.id))
                return
            }
            throw place.error(
                at: "/options/clientId", "is the client of \(twin.id) already.",
                fix: "Register a client of its own for \(provider.id) at the provider, or remove one of the entries.")
        }

        /// Refuses a redirect URI of two entries: the answer of one provider would pass for the other's, and its code be
        /// redeemed there (RFC 9700 §4.4.2.2).
        private mutating func addRedirects(of provider: ConfiguredProvider) throws(ConfigurationError) {
            guard let entry = provider.source?.entry else { return }
            for (index, redirect) in entry.appRedirects.enumerated() {
                guard let twin = redirectURIs[Array(redirect.redirectURI.utf8)] else { continue }
                throw entry.place.error(
                    at: "/appRedirects/\(index)/redirectUri", "is one of \(twin) already.",
                    fix: "Register one for each provider, such as com.example.app:/\(entry.id).")
            }
            for redirect in entry.appRedirects { redirectURIs[Array(redirect.redirectURI.utf8)] = entry.id }
        }
    }

    /// The enabled provider with this id that takes this kind of credential.
    ///
    /// - Throws: ``BrokerError/unknownProvider(_:)``, ``BrokerError/credentialKindNotAccepted(_:)``.
    func provider(_ id: String, accepting kind: Credential.Kind) throws(BrokerError) -> ConfiguredProvider {
        guard let found = provider(id) else { throw .unknownProvider(id) }
        guard found.provider.accepts.contains(kind) else { throw .credentialKindNotAccepted(kind) }
        return found
    }

    /// The enabled provider with this id.
    package func provider(_ id: String) -> ConfiguredProvider? {
        places[id].map { providers[$0] }.flatMap { $0.id.hasSameBytes(as: id) ? $0 : nil }
    }
}

extension ProviderDirectory {
    /// The name users see, also of a provider that is no longer configured.
    package func displayName(of id: String) -> String { provider(id)?.displayName ?? id }

    /// The providers with their labels: the entries' `displayName`, and the id beside a name that several have.
    static func labelled(_ providers: [ConfiguredProvider]) -> [ConfiguredProvider] {
        let names = providers.map { $0.source?.entry.displayName ?? $0.ownName }
        let counts = Dictionary(names.map { ($0.lowercased(), 1) }, uniquingKeysWith: +)
        return zip(providers, names).map { provider, name in
            let label = counts[name.lowercased()] == 1 ? name : "\(name) (\(provider.id))"
            return provider.with(issuer: provider.issuer, label: label)
        }
    }
}

extension String {
    /// Whether an instance issues tokens of `other`: it is the same, or a template such as `https://id.example/{tid}` whose
    /// placeholder `other` fills.
    fileprivate func hasTokens(of other: String) -> Bool {
        guard let open = firstIndex(of: "{"), let close = self[open...].firstIndex(of: "}") else {
            return hasSameBytes(as: other)
        }
        let (prefix, suffix) = (self[..<open].utf8, self[index(after: close)...].utf8)
        return other.utf8.count >= prefix.count + suffix.count && other.utf8.starts(with: prefix)
            && other.utf8.suffix(suffix.count).elementsEqual(suffix)
    }
}

package import BrokerStore
package import ProviderKit

/// The origin of a change, which decides what an entry may reach.
package enum ProviderChangeChannel: Sendable, Hashable {
    /// A shell on the broker's host.
    case host
    /// The network. Such an administrator has no business on the host: an entry never lets the broker connect to the
    /// host itself or to private networks. `mayTrust` tells whether they may decide whose proof counts
    /// (`providers:trust`).
    case network(mayTrust: Bool)

    fileprivate func requireTrust() throws(BrokerError) {
        guard self != .network(mayTrust: false) else { throw .configuration(.trustRequired) }
    }
}

/// An entry of the file or the store with its state at this broker.
package struct ListedProvider: Sendable {
    package let id: String
    /// Nil for a stored entry that cannot be read.
    package let entry: ProviderEntry?
    /// The reason why a stored entry is left out.
    package let problem: ConfigurationError?
    package let isStored: Bool

    package var isEnabled: Bool { entry?.isEnabled == true && problem == nil }
}

/// Adds, changes and removes the provider entries of the store. `plugins.json` is the operator's: its entries are not
/// changed here.
extension ProvidersContext {
    /// The maximum number of stored entries, each of which every broker keeps in memory.
    private static let providerLimit = 500

    /// All entries: the file's in its order, then the store's in the order in which they were added.
    ///
    /// - Throws: A store's error.
    package func listProviders() async throws -> [ListedProvider] {
        try await storedConfiguration.reload()
        let inFile = configured.fileEntries.map { ListedProvider(id: $0.id, entry: $0, problem: nil, isStored: false) }
        let unusable = configured.current.unusable
        return inFile
            + storedConfiguration.entries.map { stored in
                let reason = unusable.first { $0.id.hasSameBytes(as: stored.id) }?.reason
                return switch stored.source {
                case .success(let source):
                    ListedProvider(id: stored.id, entry: source.entry, problem: reason, isStored: true)
                case .failure(let error): ListedProvider(id: stored.id, entry: nil, problem: error, isStored: true)
                }
            }
    }

    /// The entry that counts under an id: the file's, where both have one.
    ///
    /// - Throws: ``BrokerError/configuration(_:)`` when there is none, or a store's error.
    package func listedProvider(_ id: String) async throws -> ListedProvider {
        guard let found = try await listProviders().first(where: { $0.id.hasSameBytes(as: id) }) else {
            throw BrokerError.configuration(.providerNotFound(id))
        }
        return found
    }

    /// The users of an entry, and those of them who have no other way to sign in.
    ///
    /// - Throws: A store's error.
    package func use(ofProvider id: String) async throws -> ProviderUse {
        let others = try await listProviders().filter { $0.isEnabled && !$0.id.hasSameBytes(as: id) }.map(\.id)
        return try await store.read { try $0.use(ofProvider: id, beside: others) }
    }

    /// Adds an entry.
    ///
    /// - Parameters:
    ///   - document: The entry as `plugins.json` would have it; secrets are text.
    ///   - channel: Where the change comes from.
    ///   - subjects: What becomes of the users of an earlier entry with the id, where their subjects were others.
    ///   - origin: The administrator, for the audit.
    /// - Returns: The entry.
    /// - Throws: ``BrokerError/configuration(_:)``, or a store's error; nothing is written then.
    package func addProvider(
        _ document: JSONObject, by channel: ProviderChangeChannel, subjects: SubjectDecision? = nil, origin: Origin
    ) async throws -> ProviderEntry {
        let entry = try allowed(document, by: channel)
        return try await writing(by: origin) { [self] transaction in
            guard !configured.isInFile(entry.id) else {
                throw BrokerError.configuration(.providerInFile(entry.id, path: configured.path))
            }
            let rows = try transaction.providerEntries()
            guard rows.count < Self.providerLimit else {
                throw BrokerError.configuration(.invalid("the store has \(Self.providerLimit) entries already"))
            }
            try transaction.putSubjectsInForce(
                of: check(entry, among: rows), subjects, beside: administrators)
            let row = StoredProviderEntry(
                key: transaction.nextKey(), id: entry.id,
                sealedEntry: try codec.seal(document.with(id: entry.id), id: entry.id, version: 1), version: 1,
                createdAt: transaction.now, changedAt: transaction.now)
            guard try transaction.insert(row) else { throw BrokerError.configuration(.providerExists(entry.id)) }
            var detail: JSONObject = ["use": .string(entry.use.rawValue), "enabled": .bool(entry.isEnabled)]
            detail["trustEmail"] = entry.trustEmail.map(JSONValue.bool)
            detail["subjects"] = subjects.map { .string($0.rawValue) }
            try transaction.audit("provider.added", of: nil, provider: entry.id, detail: detail)
            return entry
        }
    }

    /// An instance of an entry that is to be added, for its check.
    ///
    /// - Throws: ``BrokerError/configuration(_:)``.
    func candidateProvider(_ document: JSONObject, by channel: ProviderChangeChannel) throws -> ConfiguredProvider {
        let entry = try allowed(document, by: channel)
        guard !configured.isInFile(entry.id) else { throw missing(entry.id) }
        guard !storedConfiguration.entries.contains(where: { $0.id.hasSameBytes(as: entry.id) }) else {
            throw BrokerError.configuration(.providerExists(entry.id))
        }
        let source = ProviderSource(stored: entry)
        return try refusing { () throws(ConfigurationError) in try configured.provider(from: source) }
    }

    /// An instance of an entry of the file or the store, also of a disabled one, without network access.
    ///
    /// - Throws: ``BrokerError/configuration(_:)`` for options that cannot be used.
    func instance(of entry: ProviderEntry) throws -> ConfiguredProvider {
        try refusing { () throws(ConfigurationError) in
            entry.isStored
                ? try configured.provider(from: ProviderSource(stored: entry))
                : try configured.provider(fromFile: entry)
        }
    }

    /// The entry of a document, if it may be added.
    private func allowed(_ document: JSONObject, by channel: ProviderChangeChannel) throws -> ProviderEntry {
        try channel.requireTrust()
        let entry = try entry(document)
        guard channel == .host || !entry.reachesHost else { throw BrokerError.configuration(.hostOnly(entry.id)) }
        return entry
    }

    /// Changes an entry.
    ///
    /// - Parameters:
    ///   - id: The entry.
    ///   - changes: The members to set, as `plugins.json` would have them; `null` removes one. Those of `options` are set one
    ///     by one.
    ///   - channel: Where the change comes from.
    ///   - subjects: What becomes of the entry's users, where their subjects change.
    ///   - origin: The administrator, for the audit.
    /// - Returns: The entry as it is now.
    /// - Throws: ``BrokerError/configuration(_:)``, or a store's error; nothing is written then.
    package func updateProvider(
        _ id: String, _ changes: JSONObject, by channel: ProviderChangeChannel, subjects: SubjectDecision? = nil,
        origin: Origin
    ) async throws -> ProviderEntry {
        try await writing(by: origin) { [self] transaction in
            let rows = try transaction.providerEntries()
            guard var row = rows.first(where: { $0.id.hasSameBytes(as: id) }) else { throw missing(id) }
            let before = try refusing { () throws(ConfigurationError) in try codec.document(of: row) }
            let document = before.merging(changes)
            let entry = try entry(document)
            guard entry.id.hasSameBytes(as: id) else {
                throw BrokerError.configuration(.invalid("an entry keeps its id: remove it and add another one"))
            }
            let changed = document.changedNames(since: before)
            guard !changed.isEmpty || subjects != nil else { return entry }
            guard channel == .host || !entry.reachesHost || changed == ["enabled"] else {
                throw BrokerError.configuration(.hostOnly(id))
            }
            let provider = try check(entry, among: rows)
            if subjects != nil || changed.contains(where: { !Self.withoutTrust.contains($0) }) {
                try channel.requireTrust()
                try checkSecrets(of: provider, instead: before, sending: changes)
                try transaction.putSubjectsInForce(of: provider, subjects, beside: administrators)
            }
            row.version += 1
            row.changedAt = transaction.now
            row.sealedEntry = try codec.seal(document, id: id, version: row.version)
            try transaction.update(row)
            let event = changed != ["enabled"] ? "updated" : entry.isEnabled ? "enabled" : "disabled"
            var detail: JSONObject = ["changed": .array(changed.map(JSONValue.string))]
            detail["subjects"] = subjects.map { .string($0.rawValue) }
            try transaction.audit("provider.\(event)", of: nil, provider: id, detail: detail)
            return entry
        }
    }

    /// The members that decide nothing about whose proof counts.
    private static let withoutTrust: Set<String> = ["button", "displayName", "enabled", "options.scopes"]

    /// Refuses a change that would send the stored secrets to another party, or use them for another client.
    private func checkSecrets(
        of provider: ConfiguredProvider, instead before: JSONObject, sending changes: JSONObject
    ) throws {
        let options = changes["options"]?.object ?? [:]
        let kept = provider.secretBinding.secrets.map(\.text).filter { options[$0] == nil }
        guard !kept.isEmpty else { return }
        // An entry that this build cannot use any more says nothing about its parties.
        let previous = try? configured.provider(from: ProviderSource(stored: entry(before)))
        guard previous?.secretBinding.hasSameParties(as: provider.secretBinding) == true else {
            throw BrokerError.configuration(.secretRequired(provider.id, options: kept.sorted()))
        }
    }

    /// Says what becomes of the users of an entry of the file whose subjects change with the file as it is now.
    ///
    /// - Returns: The entry.
    /// - Throws: ``BrokerError/configuration(_:)``, or a store's error; nothing is written then.
    package func decideSubjects(
        ofFileEntry id: String, _ decision: SubjectDecision, by channel: ProviderChangeChannel, origin: Origin
    ) async throws -> ProviderEntry {
        guard channel == .host, let entry = configured.fileEntries.first(where: { $0.id.hasSameBytes(as: id) }) else {
            throw missing(id)
        }
        let provider = try refusing { () throws(ConfigurationError) in try configured.provider(fromFile: entry) }
        return try await writing(by: origin) { [administrators] transaction in
            if try transaction.putSubjectsInForce(of: provider, decision, beside: administrators) {
                try transaction.audit(
                    "provider.updated", of: nil, provider: id, detail: ["subjects": .string(decision.rawValue)])
            }
            return entry
        }
    }

    /// Enables or disables an entry.
    ///
    /// - Throws: As ``updateProvider(_:_:by:subjects:origin:)``.
    package func setProviderEnabled(
        _ isEnabled: Bool, _ id: String, by channel: ProviderChangeChannel, origin: Origin
    ) async throws -> ProviderEntry {
        try await updateProvider(id, ["enabled": .bool(isEnabled)], by: channel, origin: origin)
    }

    /// Removes an entry. Its users, their identities and the provider's grants stay, as with an entry that goes from
    /// `plugins.json`.
    ///
    /// - Throws: ``BrokerError/configuration(_:)``, or a store's error; nothing is written then.
    package func removeProvider(_ id: String, origin: Origin) async throws {
        try await writing(by: origin) { [self] transaction in
            guard try transaction.removeProviderEntry(id: id) else { throw missing(id) }
            try transaction.audit("provider.removed", of: nil, provider: id)
        }
    }

    /// Runs a change, which this broker follows at once. Others do within seconds.
    private func writing<Value: Sendable>(
        by origin: Origin, _ work: @escaping @Sendable (borrowing Transaction) throws -> Value
    ) async throws -> Value {
        let value = try await write(by: origin, work)
        // The change is committed whether or not the store can be read now.
        _ = try? await storedConfiguration.reload()
        return value
    }

    private func missing(_ id: String) -> BrokerError {
        .configuration(configured.isInFile(id) ? .providerInFile(id, path: configured.path) : .providerNotFound(id))
    }

    private func entry(_ document: JSONObject) throws -> ProviderEntry {
        try refusing { () throws(ConfigurationError) in
            try ProviderEntry(stored: .object(document), plugins: configured.plugins)
        }
    }

    /// Checks the options of an entry, also of a disabled one, and its client among the others.
    private func check(_ entry: ProviderEntry, among rows: [StoredProviderEntry]) throws -> ConfiguredProvider {
        try refusing { () throws(ConfigurationError) in
            try configured.check(ProviderSource(stored: entry), among: rows.map(codec.provider))
        }
    }

    private func refusing<Value>(_ work: () throws(ConfigurationError) -> Value) throws -> Value {
        do throws(ConfigurationError) {
            return try work()
        } catch {
            throw BrokerError.configuration(.invalid(error.description))
        }
    }
}

extension ProviderEntry {
    /// Whether the entry lets the broker connect to its own host or to private networks.
    fileprivate var reachesHost: Bool { allowsInsecureLoopback || !privateNetworks.isEmpty }

    /// The keys with which it does, which only the host sets.
    static let hostKeys: Set<String> = ["allowInsecureLoopback", "privateNetworks"]
}

package import BrokerStore
package import Foundation
package import ProviderKit

/// Adds, changes and removes the provider entries of the store. `plugins.json` is the operator's: its entries are not
/// changed here.
package struct ManageProviders: Sendable {
    let store: Store
    let codec: StoredProviderCodec
    let providers: ProviderConfiguration
    let follow: StoredConfiguration
    let now: @Sendable () -> Date

    /// Where a change comes from, which decides what an entry may reach.
    package enum Channel: Sendable, Hashable {
        /// A shell on the broker's host.
        case host
        /// The network. Such an administrator has no business on the host: an entry never lets the broker connect to the
        /// host itself or to private networks.
        case network
    }

    /// The maximum number of stored entries, each of which every broker keeps in memory.
    private static let limit = 500

    /// An entry of the file or the store with its state at this broker.
    package struct Listed: Sendable {
        package let id: String
        /// Nil for a stored entry that cannot be read.
        package let entry: ProviderEntry?
        /// The reason why a stored entry is left out.
        package let problem: ConfigurationError?
        package let isStored: Bool

        package var isEnabled: Bool { entry?.isEnabled == true && problem == nil }
    }

    /// All entries: the file's in its order, then the store's in the order in which they were added.
    ///
    /// - Throws: A store's error.
    package func all() async throws -> [Listed] {
        try await follow.reload()
        let inFile = providers.fileEntries.map { Listed(id: $0.id, entry: $0, problem: nil, isStored: false) }
        let unusable = providers.current.unusable
        return inFile
            + follow.entries.map { stored in
                let reason = unusable.first { $0.id.hasSameBytes(as: stored.id) }?.reason
                return switch stored.source {
                case .success(let source):
                    Listed(id: stored.id, entry: source.entry, problem: reason, isStored: true)
                case .failure(let error): Listed(id: stored.id, entry: nil, problem: error, isStored: true)
                }
            }
    }

    /// The entry that counts under an id: the file's, where both have one.
    ///
    /// - Throws: ``BrokerError/configuration(_:)`` when there is none, or a store's error.
    package func entry(_ id: String) async throws -> Listed {
        guard let found = try await all().first(where: { $0.id.hasSameBytes(as: id) }) else {
            throw BrokerError.configuration(.providerNotFound(id))
        }
        return found
    }

    /// Adds an entry.
    ///
    /// - Parameters:
    ///   - document: The entry as `plugins.json` would have it; secrets are text.
    ///   - channel: Where the change comes from.
    ///   - origin: The administrator, for the audit.
    /// - Returns: The entry.
    /// - Throws: ``BrokerError/configuration(_:)``, or a store's error; nothing is written then.
    package func add(_ document: JSONObject, by channel: Channel, origin: Origin) async throws -> ProviderEntry {
        let entry = try entry(document)
        guard channel == .host || !entry.reachesHost else { throw BrokerError.configuration(.hostOnly(entry.id)) }
        return try await writing(by: origin) { transaction in
            guard !providers.isInFile(entry.id) else {
                throw BrokerError.configuration(.providerInFile(entry.id, path: providers.path))
            }
            let rows = try transaction.providerEntries()
            guard rows.count < Self.limit else {
                throw BrokerError.configuration(.invalid("the store has \(Self.limit) entries already"))
            }
            try check(entry, among: rows)
            let row = StoredProviderEntry(
                key: transaction.nextKey(), id: entry.id,
                sealedEntry: try codec.seal(document.with(id: entry.id), id: entry.id, version: 1), version: 1,
                createdAt: transaction.now, changedAt: transaction.now)
            guard try transaction.insert(row) else { throw BrokerError.configuration(.providerExists(entry.id)) }
            try transaction.audit(
                "provider.added", of: nil, provider: entry.id,
                detail: ["use": .string(entry.use.rawValue), "enabled": .bool(entry.isEnabled)])
            return entry
        }
    }

    /// Changes an entry.
    ///
    /// - Parameters:
    ///   - id: The entry.
    ///   - channel: Where the change comes from.
    ///   - origin: The administrator, for the audit.
    ///   - change: Changes the document, which has the entry's secrets. It may run again.
    /// - Returns: The entry as it is now.
    /// - Throws: ``BrokerError/configuration(_:)``, or a store's error; nothing is written then.
    package func update(
        _ id: String, by channel: Channel, origin: Origin,
        _ change: @escaping @Sendable (inout JSONObject) throws -> Void
    ) async throws -> ProviderEntry {
        try await writing(by: origin) { transaction in
            let rows = try transaction.providerEntries()
            guard var row = rows.first(where: { $0.id.hasSameBytes(as: id) }) else { throw missing(id) }
            let before = try refusing { () throws(ConfigurationError) in try codec.document(of: row) }
            var document = before
            try change(&document)
            let entry = try entry(document)
            guard entry.id.hasSameBytes(as: id) else {
                throw BrokerError.configuration(.invalid("an entry keeps its id: remove it and add another one"))
            }
            let changed = Self.changed(from: before, to: document)
            guard !changed.isEmpty else { return entry }
            guard channel == .host || !entry.reachesHost || changed == ["enabled"] else {
                throw BrokerError.configuration(.hostOnly(id))
            }
            try check(entry, among: rows)
            row.version += 1
            row.changedAt = transaction.now
            row.sealedEntry = try codec.seal(document, id: id, version: row.version)
            try transaction.update(row)
            let event = changed != ["enabled"] ? "updated" : entry.isEnabled ? "enabled" : "disabled"
            try transaction.audit(
                "provider.\(event)", of: nil, provider: id, detail: ["changed": .array(changed.map(JSONValue.string))])
            return entry
        }
    }

    /// Enables or disables an entry.
    ///
    /// - Throws: As ``update(_:by:origin:_:)``.
    package func setEnabled(
        _ isEnabled: Bool, _ id: String, by channel: Channel, origin: Origin
    ) async throws -> ProviderEntry {
        try await update(id, by: channel, origin: origin) { $0["enabled"] = .bool(isEnabled) }
    }

    /// Removes an entry. Its users, their identities and the provider's grants stay, as with an entry that goes from
    /// `plugins.json`.
    ///
    /// - Throws: ``BrokerError/configuration(_:)``, or a store's error; nothing is written then.
    package func remove(_ id: String, origin: Origin) async throws {
        try await writing(by: origin) { transaction in
            guard try transaction.removeProviderEntry(id: id) else { throw missing(id) }
            try transaction.audit("provider.removed", of: nil, provider: id)
        }
    }

    /// Runs a change, which this broker follows at once. Others do within seconds.
    private func writing<Value: Sendable>(
        by origin: Origin, _ work: @escaping @Sendable (borrowing Transaction) throws -> Value
    ) async throws -> Value {
        let value = try await store.write(at: Timestamp(now()), by: origin, work)
        // The change is committed whether or not the store can be read now.
        _ = try? await follow.reload()
        return value
    }

    private func missing(_ id: String) -> BrokerError {
        .configuration(providers.isInFile(id) ? .providerInFile(id, path: providers.path) : .providerNotFound(id))
    }

    private func entry(_ document: JSONObject) throws -> ProviderEntry {
        try refusing { () throws(ConfigurationError) in
            try ProviderEntry(stored: .object(document), plugins: providers.plugins)
        }
    }

    /// Checks the options of an entry, also of a disabled one, and its client among the others.
    private func check(_ entry: ProviderEntry, among rows: [StoredProviderEntry]) throws {
        try refusing { () throws(ConfigurationError) in
            try providers.check(ProviderSource(stored: entry), among: rows.map(codec.provider))
        }
    }

    private func refusing<Value>(_ work: () throws(ConfigurationError) -> Value) throws -> Value {
        do throws(ConfigurationError) {
            return try work()
        } catch {
            throw BrokerError.configuration(.invalid(error.description))
        }
    }

    /// The names of the members that differ, those of the options with their prefix; no values, which may be secrets.
    private static func changed(from before: JSONObject, to after: JSONObject) -> [String] {
        func names(_ before: JSONObject, _ after: JSONObject, _ prefix: String) -> [String] {
            Set(before.map(\.name) + after.map(\.name)).filter { before[$0] != after[$0] }.map { prefix + $0 }
        }
        let (old, new) = (before["options"]?.object ?? [:], after["options"]?.object ?? [:])
        return (names(before, after, "").filter { $0 != "options" } + names(old, new, "options.")).sorted()
    }
}

extension ProviderEntry {
    /// Whether the entry lets the broker connect to its own host or to private networks.
    fileprivate var reachesHost: Bool { allowsInsecureLoopback || !privateNetworks.isEmpty }
}

extension JSONObject {
    /// The entry with the id it gets, which may be its plugin's.
    fileprivate func with(id: String) -> JSONObject {
        var document = self
        document["id"] = .string(id)
        return document
    }
}

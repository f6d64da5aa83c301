import BrokerStore
import ProviderKit

/// A provider entry of the store as this broker reads it.
struct StoredProvider: Sendable {
    let id: String
    /// The entry, or the reason why this broker leaves it out.
    let source: Result<ProviderSource, ConfigurationError>
}

/// Seals provider entries for the store, and reads them again by the rules of `plugins.json`.
struct StoredProviderCodec: Sendable {
    let sealer: Sealer
    let plugins: [ProviderPlugin]

    init(_ masterKey: MasterKey, plugins: [ProviderPlugin]) {
        sealer = Sealer(masterKey, for: .providerEntries)
        self.plugins = plugins
    }

    /// The entry of a row. Never fails as a whole: the reason stands in its source.
    func provider(_ row: StoredProviderEntry) -> StoredProvider {
        StoredProvider(
            id: row.id,
            source: Result { () throws(ConfigurationError) in
                let entry = try ProviderEntry(stored: .object(try document(of: row)), plugins: plugins)
                guard entry.id.hasSameBytes(as: row.id) else {
                    throw ProviderEntry.Place.store.error(at: "/id", "is not the id of its row.")
                }
                return ProviderSource(stored: entry)
            })
    }

    /// The document of a row, with its secrets.
    ///
    /// - Throws: ``ConfigurationError``.
    func document(of row: StoredProviderEntry) throws(ConfigurationError) -> JSONObject {
        do throws(SealError) {
            let bytes = try sealer.open(row.sealedEntry, row: Self.row(row.id, row.version))
            guard let document = try? JSONValue(parsing: bytes, limits: .stored).object else { throw .corrupt }
            return document
        } catch {
            let problem = error == .corrupt ? "is damaged." : "is sealed under another master key than the broker's."
            throw ProviderEntry.Place.store.error(
                at: "", problem, fix: "Remove it and add it again, or restore a backup.")
        }
    }

    func seal(_ document: JSONObject, id: String, version: Int64) throws -> [UInt8] {
        try sealer.seal(document.serializedBytes(), row: Self.row(id, version))
    }

    private static func row(_ id: String, _ version: Int64) -> [String] { ["provider_entries", id, String(version)] }
}

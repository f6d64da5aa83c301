import BrokerStore
import ProviderKit

// What happened to the account of the browser's user, as its pages show it.
extension AccountAtPages {
    /// The newest entries of the history, and what administrators did.
    func newest(of user: User) async throws -> (entries: [Happening], byAdministrators: [Happening]) {
        let found = try await pages.accounts.history(of: user, limit: 50)
        let changed = try await pages.accounts.history(of: user, by: .administrator, limit: 20)
        return (
            Array(try await happenings(found.entries.filter { $0.actor != .administrator }).prefix(5)),
            Array(try await happenings(changed.entries).prefix(5))
        )
    }

    /// The entries that say something to users.
    func happenings(_ entries: [HistoryEntry]) async throws -> [Happening] {
        let names = try await pages.openID.clients.names()
        let directory = pages.providers.current
        return entries.compactMap { entry in
            guard let kind = Happening.Kind(event: entry.event) else { return nil }
            var parts: [Happening.Part] = []
            for part in entry.fields.compactMap(Happening.Part.init(field:)) where !parts.contains(part) {
                parts.append(part)
            }
            return Happening(
                kind: kind, at: entry.at.date, provider: entry.provider.map { directory.displayName(of: $0) },
                app: entry.clientID.flatMap { names[$0] }, network: entry.network, changed: parts,
                isByAdministrator: entry.actor == .administrator)
        }
    }
}

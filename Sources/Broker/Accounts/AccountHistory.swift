package import BrokerStore
import ProviderKit

/// Something that happened to an account, as its user sees it. It names no other user and no administrator, and has no
/// administrator's reason.
package struct HistoryEntry: Sendable, Hashable {
    /// Who did it.
    package enum Actor: String, Sendable, Hashable, CaseIterable {
        case user, app, administrator
        /// The broker, by itself or after a report of a provider.
        case broker
    }

    package let at: Timestamp
    /// The event of the audit, or ``refused``.
    package let event: String
    package let actor: Actor
    package let provider: String?
    /// The client whose session began or ended.
    package let clientID: String?
    /// The network of the user's address; nil where the address is not the user's.
    package let network: String?
    /// The fields of the profile that changed.
    package let fields: [String]
    /// The code of the error of a refused sign-in.
    package let refusal: String?
    package let requestID: String?
    /// The order of entries, and what the next page follows.
    let key: Int64

    /// The event of a sign-in that was refused.
    package static let refused = "sign-in.refused"
}

/// A part of an account's history, newest first.
package struct HistoryPage: Sendable {
    package let entries: [HistoryEntry]
    /// What the next page begins after; nil on the last one.
    package let next: String?
}

/// The history of an account, from the audit and the decisions about it, also as the users that were merged into it.
extension AccountContext {
    /// Reads a page of the history of a user.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - actor: The only actor whose entries are read; nil for all.
    ///   - cursor: The ``HistoryPage/next`` of the page before; nil for the newest.
    ///   - limit: How many entries a page has at most.
    /// - Returns: The page.
    /// - Throws: A store's error.
    package func history(
        of user: User, by actor: HistoryEntry.Actor? = nil, after cursor: String? = nil,
        limit: Int
    ) async throws -> HistoryPage {
        let limit = min(max(limit, 1), 1000)
        let key = KeyGenerator.key(before: cursor)
        return try await store.read { try $0.history(of: user, by: actor, before: key, limit: limit) }
    }
}

extension Transaction {
    /// A page of a user's history; `before` is the key that it precedes.
    func history(
        of user: User, by actor: HistoryEntry.Actor? = nil, before key: Int64? = nil, limit: Int
    ) throws(StoreError) -> HistoryPage {
        let localIDs = [user.localID] + (try userAliases(of: user.key))
        let page = try historyRows(of: localIDs, by: actor?.kind, before: key, limit: limit)
        return HistoryPage(entries: page.rows.map { HistoryEntry($0, of: localIDs) }, next: page.next)
    }

    /// The rows of a page of a user's history, newest first, and what the next page follows.
    ///
    /// - Parameters:
    ///   - localIDs: The user's, also as the users that were merged into it.
    ///   - kind: The only kind of actor whose rows are read; nil for all.
    ///   - key: The key that the page precedes; nil for the newest.
    ///   - limit: How many at most.
    /// - Returns: The page.
    /// - Throws: A store's error.
    func historyRows(
        of localIDs: [String], by kind: AuditEntry.ActorKind? = nil, before key: Int64? = nil, limit: Int
    ) throws(StoreError) -> (rows: [HistoryRow], next: String?) {
        var rows: [HistoryRow] = []
        for localID in localIDs {
            rows += try auditEntries(localID: localID, by: kind, before: key ?? .max, limit: limit + 1)
                .map(HistoryRow.audit)
            guard kind ?? .client == .client else { continue }
            rows += try refusals(localID: localID, before: key ?? .max, limit: limit + 1).map(HistoryRow.refusal)
        }
        rows.sort { $0.key > $1.key }
        let page = Array(rows.prefix(limit))
        return (page, rows.count > limit ? page.last.map { KeyGenerator.cursor(at: $0.key) } : nil)
    }
}

/// What the history of an account is made of.
enum HistoryRow: Sendable {
    case audit(AuditEntry)
    /// A decision that refused, which has no audit entry.
    case refusal(Decision)

    var key: Int64 {
        switch self {
        case .audit(let entry): entry.key
        case .refusal(let decision): decision.key
        }
    }
}

extension HistoryEntry.Actor {
    fileprivate init(_ kind: AuditEntry.ActorKind) {
        self =
            switch kind {
            case .user: .user
            case .client: .app
            case .admin: .administrator
            case .system: .broker
            }
    }

    fileprivate var kind: AuditEntry.ActorKind {
        switch self {
        case .user: .user
        case .app: .client
        case .administrator: .admin
        case .broker: .system
        }
    }
}

extension HistoryEntry {
    /// The events that are requests of the user, also where an app sent them.
    private static let ofUser: Set<String> = ["user.created", "user.signed-in", "identity.linked", "session.started"]

    fileprivate init(_ row: HistoryRow, of localIDs: [String]) {
        switch row {
        case .audit(let entry): self.init(entry, of: localIDs)
        case .refusal(let decision): self.init(decision)
        }
    }

    /// - Parameters:
    ///   - entry: The entry of the audit.
    ///   - localIDs: The local ids of the user.
    private init(_ entry: AuditEntry, of localIDs: [String]) {
        let detail = entry.details
        let isByUser = entry.actorKind == .user && entry.actor.map(localIDs.contains) == true
        // Another user may have tried to sign in with this one's address.
        let isOwn = isByUser || [.user, .client].contains(entry.actorKind) && Self.ofUser.contains(entry.event)
        self.init(
            at: entry.at, event: entry.event,
            actor: entry.actorKind == .user && !isOwn ? .app : Actor(entry.actorKind), provider: entry.provider,
            clientID: entry.event.hasPrefix("session.") || entry.event.hasPrefix("device.")
                ? detail["client"]?.string : nil,
            network: isOwn ? entry.address : nil,
            fields: entry.event == "user.updated" ? detail["fields"]?.array?.compactMap(\.string) ?? [] : [],
            refusal: nil, requestID: isOwn ? entry.requestID : nil, key: entry.key)
    }

    /// A sign-in that was refused. Another person may have tried it, so nothing is told of the request.
    private init(_ decision: Decision) {
        self.init(
            at: decision.at, event: Self.refused, actor: .app, provider: decision.provider, clientID: nil, network: nil,
            fields: [], refusal: decision.refusal, requestID: nil,
            key: decision.key)
    }
}

extension AuditEntry {
    /// What the entry says beyond its columns.
    var details: JSONObject {
        (try? JSONValue(parsing: detail.text.utf8, limits: .stored))?.object ?? JSONObject()
    }
}

extension Decision {
    /// The code of the error of a refusal.
    var refusal: String { String(outcome.dropFirst(Decision.refused.count)) }
}

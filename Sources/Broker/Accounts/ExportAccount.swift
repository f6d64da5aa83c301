package import BrokerStore
package import ProviderKit

/// Exports what is stored of a user, for the user.
extension AccountContext {
    /// The least time between two exports of a user. It is longer than a request may take, so that one runs at a time.
    static let exportInterval = Duration.seconds(60)
    /// The exports of a user in a day.
    static let exportsPerDay = 10
    /// The rows of a table that an export has at most, the newest ones.
    static let exportedRows = 10_000

    /// Exports everything that is stored of a session's user, as the tables declare it, with the history. It has no
    /// token, no hash, nothing sealed, and nothing of other users or administrators. The audit records it.
    ///
    /// - Returns: The document.
    /// - Throws: ``BrokerError`` of the session, ``BrokerError/recentLoginRequired``,
    ///   ``BrokerError/stepUpRequired(_:)``, ``BrokerError/tooManyAttempts(retryAfter:)``, or a store's error.
    package func exportAccount(_ presented: PresentedSession, origin: Origin) async throws -> JSONObject {
        let begun = now
        let judged = try await sessions.verifier.judge(presented, at: begun)
        let user = try await store.write(at: begun, by: origin) { [self] transaction in
            let facts = try transaction.liveSession(behind: judged)
            try sessions.recentLogin.requireForExport(facts, at: begun)
            try transaction.requireExportAllowed(of: facts.user)
            let localID = facts.user.localID
            try transaction.audit(Self.exportEvent, of: localID, by: origin.acting(as: .user, localID))
            return facts.user
        }
        return try await store.read { transaction in
            let parts = try transaction.disclosedRows(of: user.key, limit: Self.exportedRows)
            let history = try transaction.history(of: user, limit: Self.exportedRows)
            var document: JSONObject = ["kind": "broker#AccountExport", "exportedAt": .string(begun.text)]
            for part in parts {
                let rows = part.rows.map(JSONValue.object)
                document[part.name] = part.isOfUser ? rows.first : .array(rows)
            }
            document["history"] = .array(history.entries.map { .object(JSONObject($0)) })
            let truncated =
                parts.filter(\.isTruncated).map(\.name) + (history.next == nil ? [] : ["history"])
            document["truncated"] = truncated.isEmpty ? nil : .array(truncated.map(JSONValue.string))
            return document
        }
    }

    fileprivate static let exportEvent = "user.exported"
}

extension Transaction {
    /// - Throws: ``BrokerError/tooManyAttempts(retryAfter:)``, or a store's error.
    fileprivate func requireExportAllowed(of user: User) throws {
        let day = Duration.seconds(86_400)
        let earlier = try auditEntries(
            AuditFilter(
                localID: user.localID, event: AccountContext.exportEvent, since: now.advanced(by: .zero - day)),
            limit: AccountContext.exportsPerDay)
        guard let latest = earlier.first, let oldest = earlier.last else { return }
        let free = latest.at.advanced(by: AccountContext.exportInterval)
        let next =
            earlier.count < AccountContext.exportsPerDay ? free : max(free, oldest.at.advanced(by: day))
        guard now < next else { return }
        throw BrokerError.tooManyAttempts(retryAfter: Int((next.milliseconds - now.milliseconds + 999) / 1000))
    }
}

extension JSONObject {
    /// An entry of the history of an account.
    init(_ entry: HistoryEntry) {
        self = ["time": .string(entry.at.text), "event": .string(entry.event), "actor": .string(entry.actor.rawValue)]
        self["providerId"] = entry.provider.map(JSONValue.string)
        self["clientId"] = entry.clientID.map(JSONValue.string)
        self["network"] = entry.network.map(JSONValue.string)
        if !entry.fields.isEmpty { self["fields"] = .array(entry.fields.map(JSONValue.string)) }
        self["refusal"] = entry.refusal.map(JSONValue.string)
        self["requestId"] = entry.requestID.map(JSONValue.string)
    }
}

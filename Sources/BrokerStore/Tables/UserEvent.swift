import Foundation

/// Something that happened to a user, for the backends that subscribe to it.
package enum UserEvent {
    /// The type of an event, as deliveries name it.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case created = "user.created"
        case signedIn = "user.signed_in"
        case linked = "user.linked"
        case unlinked = "user.unlinked"
        case updated = "user.updated"
        case merged = "user.merged"
        case absorbed = "user.absorbed"
        case unmerged = "user.unmerged"
        case restored = "user.restored"
        case disabled = "user.disabled"
        case enabled = "user.enabled"
        case deleted = "user.deleted"
        case sessionRevoked = "session.revoked"

        /// The event that backends get for an event of the audit; nil for events that are of no interest to them, or
        /// need more than the audit knows.
        init?(audited event: String) {
            switch event {
            case "user.created": self = .created
            case "user.signed-in": self = .signedIn
            case "identity.linked": self = .linked
            case "identity.unlinked": self = .unlinked
            case "user.updated": self = .updated
            case "user.disabled": self = .disabled
            case "user.enabled": self = .enabled
            case "user.deleted": self = .deleted
            default: return nil
            }
        }
    }

    /// A random event id, the same in every delivery of the event.
    static func newID() -> String {
        var generator = SystemRandomNumberGenerator()
        let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
        return "evt_" + String((0..<24).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &generator)] })
    }

    /// The members of an event's `data` as JSON text.
    static func text(of data: [String: String]) throws(StoreError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(data), as: UTF8.self)
        } catch {
            throw StoreError(.misuse, "an event's data is no text")
        }
    }
}

extension Transaction {
    /// Queues an event for every webhook that subscribes to it, in the transaction of what it tells.
    ///
    /// - Parameters:
    ///   - kind: What happened.
    ///   - localID: The user it happened to.
    ///   - data: The members of the event's `data`: no secret and no personal data.
    /// - Throws: ``StoreError``.
    package func publish(
        _ kind: UserEvent.Kind, of localID: String, _ data: @autoclosure () -> [String: String] = [:]
    ) throws(StoreError) {
        guard let subscriptions = try subscriptions(to: kind) else { return }
        try queue(kind, of: localID, data(), for: subscriptions.webhooks(to: kind).map(EventTarget.webhook))
    }

    /// Publishes the end of sessions: to webhooks, and to the clients they belonged to (OpenID Connect Back-Channel
    /// Logout 1.0).
    ///
    /// - Parameters:
    ///   - sessions: Those that ended.
    ///   - reason: Why they ended, as a fixed phrase.
    /// - Returns: The number of sessions.
    /// - Throws: ``StoreError``.
    func publishEnds(of sessions: [EndedSession], reason: String) throws(StoreError) -> Int {
        guard !sessions.isEmpty, let subscriptions = try subscriptions(to: .sessionRevoked) else {
            return sessions.count
        }
        let webhooks = subscriptions.webhooks(to: .sessionRevoked).map(EventTarget.webhook)
        for session in sessions {
            var targets = webhooks
            if subscriptions.hasLogoutClients, let client = try logoutClient(of: session) { targets.append(client) }
            guard !targets.isEmpty else { continue }
            var data = ["sessionId": session.id, "reason": reason]
            data["clientId"] = session.clientID
            try queue(.sessionRevoked, of: session.localID, data, for: targets)
        }
        return sessions.count
    }

    /// Publishes the end of a user's live sessions before they are removed with the user.
    func publishEnds(ofSessionsOf userKey: Int64, reason: String) throws(StoreError) {
        guard try subscriptions(to: .sessionRevoked) != nil else { return }
        _ = try publishEnds(of: liveSessions(of: userKey), reason: reason)
    }

    /// Tells the clients of a user's live sessions that the user is signed out; the sessions stay, for the case that the
    /// user is enabled again.
    func queueLogouts(ofUser userKey: Int64) throws(StoreError) {
        guard let subscriptions = try subscriptions(to: .sessionRevoked), subscriptions.hasLogoutClients else { return }
        for session in try liveSessions(of: userKey) {
            guard let client = try logoutClient(of: session) else { continue }
            try queue(.disabled, of: session.localID, ["sessionId": session.id], for: [client])
        }
    }

    private func liveSessions(of userKey: Int64) throws(StoreError) -> [EndedSession] {
        try rows(
            "live_sessions_to_end",
            """
            SELECT \(EndedSession.columns) FROM sessions WHERE user_key = $1 AND revoked_at IS NULL
                AND epoch = (SELECT users.epoch FROM users WHERE users.key = sessions.user_key) ORDER BY key
            """, .integer(userKey)
        ) { row throws(StoreError) in try EndedSession(reading: &row) }
    }

    private func logoutClient(of session: EndedSession) throws(StoreError) -> EventTarget? {
        guard let id = session.clientID else { return nil }
        let getsLogoutTokens =
            try run(
                "logout_client", "SELECT id FROM clients WHERE id = $1 AND backchannel_logout_uri IS NOT NULL",
                .text(id)) > 0
        return getsLogoutTokens ? .client(id) : nil
    }

    /// The recipients of events; nil when none of them wants this kind.
    private func subscriptions(to kind: UserEvent.Kind) throws(StoreError) -> EventSubscriptions? {
        guard subscribers.mayInclude(kind) else { return nil }
        let current = try eventSubscriptions()
        return current.includes(kind) ? current : nil
    }

    private func queue(
        _ kind: UserEvent.Kind, of localID: String, _ data: [String: String], for targets: [EventTarget]
    ) throws(StoreError) {
        guard !targets.isEmpty else { return }
        var sequence: Int64 = 0
        // Clients are told of one session at a time, in no order.
        if targets.contains(where: { $0.kind == .webhook }) {
            sequence = try nextEventSequence(of: localID, endedAt: kind == .deleted ? now : nil)
        }
        let (id, text) = (UserEvent.newID(), try UserEvent.text(of: data))
        for target in targets {
            try insert(
                EventDelivery(
                    key: nextKey(), eventID: id, target: target, type: kind.rawValue, localID: localID,
                    sequence: target.kind == .webhook ? sequence : 0, occurredAt: now, data: text))
        }
    }
}

/// A session that has just ended.
struct EndedSession: Sendable {
    let key: Int64
    let id: String
    let clientID: String?
    let localID: String

    /// For `RETURNING`, which names other tables by a scalar subquery only.
    static let columns =
        "key, id, client_id, (SELECT users.local_id FROM users WHERE users.key = sessions.user_key)"

    /// Reads an answer that begins with ``columns``.
    init(reading row: inout Row) throws(StoreError) {
        key = try row.integer()
        (id, clientID, localID) = (try row.text(), try row.optionalText(), try row.text())
    }
}

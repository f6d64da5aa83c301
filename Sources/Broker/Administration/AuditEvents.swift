import BrokerStore
import ProviderKit

/// The events of audit entries, for filters. A test compares them with those that the sources write.
enum AuditEvents {
    static let names: [String] =
        [
            "admin-credential.created", "admin-credential.revoked", "admin.read", "audit.chain-broken", "client.added",
            "client.removed", "client.secret-rotated", "client.updated", "configuration.reloaded",
            "console.administrator-added", "console.administrator-removed", "console.invited", "console.refused",
            "console.role-changed", "console.signed-in", "console.signed-out", "device.added",
            "device.approved", "event.dropped", "event.replayed", "grant.refused", "grant.scopes-reduced",
            "identity.account-deleted", "identity.consent-revoked", "identity.linked", "identity.mail-disabled",
            "identity.mail-enabled", "identity.migrated", "identity.promoted", "identity.unlinked",
            "master-key.resealed", "master-key.rotated", "merge.dismissed", "merge.pending", "merge.undone",
            "migration.started", "probes.paused", "probes.resumed", "provider-token.read", "provider.added",
            "provider.disabled", "provider.enabled", "provider.key-refused", "provider.removed", "provider.tried",
            "provider.updated",
            "service-account.created", "service-account.key-rotated", "service-account.revoked",
            "session-cookie.created", "session.code-reuse-detected", "session.resumed", "session.reuse-detected",
            "session.revoked", "session.revoked-all", "session.revoked-by-provider", "session.signed-out",
            "session.signed-out-all", "session.started", "settings.updated", "sign-in.need-confirmation",
            "signing-key.revoked-and-rotated", "signing-key.rotated", "user.absorbed", "user.created", "user.deleted",
            "user.disabled", "user.enabled", "user.exported", "user.imported", "user.merged", "user.reauthenticated",
            "user.reauthentication-failed", "user.replaced", "user.restored", "user.signed-in", "user.updated",
            "webhook.added", "webhook.disabled", "webhook.enabled", "webhook.removed", "webhook.secret-rotated",
            "webhook.tested",
        ] + Withdrawal.State.allCases.map { "withdrawal.\($0.rawValue)" }

    /// Whether a filter selects a known event, or the beginning of one up to a dot.
    static func know(_ filter: String) -> Bool {
        names.contains { filter.hasSuffix(".") ? $0.hasPrefix(filter) : $0.hasSameBytes(as: filter) }
    }
}

extension AdminContext {
    /// The localId of the user that a filter names by localId or e-mail address. A user who does not exist any more has a
    /// localId as long as the audit has an entry.
    ///
    /// - Throws: ``AdminFailure`` for an unknown user, or a store's error.
    func localID(inFilter name: String) async throws -> String {
        guard EmailAddress(name) == nil else { return try await user(named: name).user.localID }
        let isAudited = try await store.read { try !$0.auditEntries(localID: name, limit: 1).isEmpty }
        guard !isAudited else { return name }
        return try await user(named: name).user.localID
    }

    /// Checks the event that a filter of the audit names. Other versions may have written events that this one does not
    /// know.
    ///
    /// - Throws: ``AdminFailure`` for an unknown event, or a store's error.
    func requireAuditEvent(_ filter: String) async throws {
        guard !AuditEvents.know(filter) else { return }
        let isThere = try await store.read { transaction in
            try !transaction.auditEntries(AuditFilter(event: filter), limit: 1).isEmpty
        }
        guard !isThere else { return }
        throw AdminFailure.unknown(filter, for: "event", among: AuditEvents.names)
    }
}

extension AdminFailure {
    /// A parameter that names none of the known values.
    static func unknown(_ name: String, for parameter: String, among known: [String]) -> AdminFailure {
        let nearest = NearestName.nearest(to: name, among: known)
        return .parameter(
            parameter, "\(name.debugDescription) is not known\(nearest.map { ": did you mean \($0)?" } ?? "")")
    }
}

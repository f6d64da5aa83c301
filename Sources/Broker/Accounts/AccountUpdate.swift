import BrokerStore

/// The effect of an update, decided from values before anything is written (contract §2.6).
struct AccountUpdate: Sendable {
    let displayName: String?
    let photoURL: String?
    /// The canonical address to take.
    let newEmail: String?
    let clearsEmail: Bool
    let unlinked: [Identity]
    /// Whether everything issued before is revoked, and the caller gets new tokens.
    let renewsSession: Bool
    /// The names of what changes, for the audit.
    let changedFields: [String]

    /// - Throws: ``BrokerError`` in the contract's order: what clients never get, the address, identities.
    init(
        _ changes: AccountChanges, of facts: SessionFacts, policy: Policy, at now: Timestamp
    ) throws(BrokerError) {
        let user = facts.user
        try policy.requireStepUp(at: .update, facts.session, at: now)
        try Self.check(changes.refused)
        let newEmail = try Self.newEmail(changes, facts, policy, now)
        if changes.refused.contains(.foreignIdentity) { throw .insufficientPermission }
        unlinked = facts.identities.filter { changes.unlinkedProviders.contains($0.provider) }
        if !unlinked.isEmpty { try RecentLogin(policy: policy).require(for: .unlink, facts, at: now) }
        self.newEmail = changes.clearsEmail ? nil : newEmail
        clearsEmail = changes.clearsEmail && user.email != nil
        displayName = changes.displayName.map(\.value) ?? user.displayName
        photoURL = changes.photoURL.map(\.value) ?? user.photoURL
        renewsSession = changes.endsEarlierTokens || self.newEmail != nil
        let differences = [
            ("displayName", displayName != user.displayName), ("photoUrl", photoURL != user.photoURL),
            ("email", clearsEmail || self.newEmail != nil), ("validSince", renewsSession),
        ]
        changedFields = differences.filter(\.1).map(\.0)
    }

    private static func check(_ refused: [AccountChanges.Refused]) throws(BrokerError) {
        if refused.contains(.disabling) { throw .operationNotAllowed(nil) }
        if refused.contains(.password) {
            throw .operationNotAllowed("Passwords are not offered here: sign in through a provider.")
        }
    }

    /// The address to take; `nil` when there is none or the user has it already.
    private static func newEmail(
        _ changes: AccountChanges, _ facts: SessionFacts, _ policy: Policy, _ now: Timestamp
    ) throws(BrokerError) -> String? {
        if changes.clearsEmail, facts.user.email != nil {
            try RecentLogin(policy: policy).require(for: .emailChange, facts, at: now)
        }
        guard let text = changes.email else { return nil }
        let canonical = EmailAddress(text)?.canonical
        if let canonical, canonical == facts.user.emailCanonical { return nil }
        guard policy.emailChange == .firebase else {
            throw .operationNotAllowed("This broker cannot verify an address, so it changes none.")
        }
        guard let canonical else { throw .invalidEmail }
        try RecentLogin(policy: policy).require(for: .emailChange, facts, at: now)
        return canonical
    }
}

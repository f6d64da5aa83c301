import BrokerStore
import ProviderKit

/// The effect of an update, decided from values before anything is written (contract §2.6).
struct AccountUpdate: Sendable {
    let displayName: String?
    let photoURL: String?
    /// The canonical address to take.
    let newEmail: String?
    let clearsEmail: Bool
    /// Whether the address is verified from now on; nil where that does not change.
    let isEmailVerified: Bool?
    let unlinked: [Identity]
    /// Whether everything issued before is revoked. A user who asked for it gets new tokens.
    let endsEarlierTokens: Bool
    /// The user with the fields that an administrator sets; nil where none of them changes.
    let administered: User?
    /// The names of what changes, for the audit.
    let changedFields: [String]

    /// The effect of a user's own request.
    ///
    /// - Throws: ``BrokerError`` in the contract's order: what clients never get, the address, identities.
    init(
        _ changes: AccountChanges, of facts: SessionFacts, policy: Policy, at now: Timestamp
    ) throws(BrokerError) {
        try policy.requireStepUp(at: .update, facts.session, at: now)
        try Self.check(changes.refused)
        let newEmail = try Self.newEmail(changes, facts, policy, now)
        if changes.refused.contains(.foreignIdentity) { throw .insufficientPermission }
        self.init(changes, AdministratorChanges(), newEmail: newEmail, of: facts.user, facts.identities)
        if !unlinked.isEmpty { try RecentLogin(policy: policy).require(for: .unlink, facts, at: now) }
    }

    /// The effect of an administrator's request, for which no policy of users' own requests counts.
    ///
    /// - Throws: ``BrokerError/operationNotAllowed(_:)``, ``BrokerError/invalidEmail``.
    init(
        _ changes: AccountChanges, _ further: AdministratorChanges, of user: User, _ identities: [Identity]
    ) throws(BrokerError) {
        try Self.check(changes.refused)
        var newEmail: String?
        if let text = changes.email {
            guard let canonical = EmailAddress(text)?.canonical else { throw .invalidEmail }
            newEmail = user.emailCanonical?.hasSameBytes(as: canonical) == true ? nil : canonical
        }
        self.init(changes, further, newEmail: newEmail, of: user, identities)
    }

    private init(
        _ changes: AccountChanges, _ further: AdministratorChanges, newEmail: String?, of user: User,
        _ identities: [Identity]
    ) {
        unlinked = identities.filter { changes.unlinkedProviders.contains($0.provider) }
        self.newEmail = changes.clearsEmail ? nil : newEmail
        clearsEmail = changes.clearsEmail && user.email != nil
        displayName = changes.displayName.map(\.value) ?? user.displayName
        photoURL = changes.photoURL.map(\.value) ?? user.photoURL
        let hasEmail = self.newEmail != nil || (user.email != nil && !clearsEmail)
        let wasVerified = self.newEmail == nil && user.isEmailVerified
        isEmailVerified = further.isEmailVerified.flatMap { hasEmail && $0 != wasVerified ? $0 : nil }
        endsEarlierTokens = changes.endsEarlierTokens || further.validSince != nil || self.newEmail != nil
        var administered = user
        for (field, value) in further.fields { administered[field] = value }
        self.administered = administered == user ? nil : administered
        let differences =
            [
                ("displayName", displayName != user.displayName), ("photoUrl", photoURL != user.photoURL),
                ("email", clearsEmail || self.newEmail != nil), ("emailVerified", isEmailVerified != nil),
                ("validSince", endsEarlierTokens),
            ] + UserField.administered.map { ($0.name, administered[$0] != user[$0]) }
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

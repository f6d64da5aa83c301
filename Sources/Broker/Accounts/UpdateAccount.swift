package import BrokerStore
import ProviderKit

/// The account as it is now; tokens if everything issued before was revoked.
package struct AccountUpdateOutcome: Sendable {
    package let record: UserRecord
    package let tokens: IssuedTokens?
    /// The withdrawals of the grants of unlinked identities.
    package let withdrawals: [WithdrawalReceipt]
}

/// Changes an account, for its user or for an administrator (contract §2.6): all checks, then all writes, in one
/// transaction.
extension AccountContext {
    /// Changes the account of a session's user.
    ///
    /// - Throws: ``BrokerError``; then nothing was written.
    package func updateAccount(
        _ presented: PresentedSession, _ changes: AccountChanges, origin: Origin
    ) async throws -> AccountUpdateOutcome {
        let now = now
        let judged = try await sessions.verifier.judge(presented, at: now)
        let sessionID = Session.newID()
        let order = outbox.withdrawals.order(.unlink)
        let (facts, isRenewed, receipts) = try await store.write(at: now) { [self] transaction in
            let before = try transaction.liveSession(behind: judged)
            let update = try AccountUpdate(changes, of: before, policy: policy, at: now)
            let origin = origin.acting(as: .user, before.user.localID)
            try apply(
                update, to: before.user, isAnonymous: before.session.signInProvider == Session.anonymousProvider,
                transaction)
            let receipts = try transaction.unlink(
                update.unlinked, of: before.user, among: before.identities, policy, withdrawing: order, by: origin)
            let session = update.endsEarlierTokens ? try transaction.renew(before, as: sessionID) : before.session
            try record(update, before.user, origin, in: transaction)
            let after = try transaction.record(of: transaction.current(before.user))
            return (
                SessionFacts(session: session, user: after.user, identities: after.identities),
                update.endsEarlierTokens, receipts
            )
        }
        return AccountUpdateOutcome(
            record: UserRecord(user: facts.user, identities: facts.identities),
            tokens: isRenewed ? try await sessions.tokens.issue(facts, at: now) : nil, withdrawals: receipts)
    }

    /// Changes the account of any user, for an administrator.
    ///
    /// - Throws: ``BrokerError`` in the order of contract §2.6; then nothing was written.
    package func updateAccount(
        localID: String, _ changes: AccountChanges, _ further: AdministratorChanges, origin: Origin
    ) async throws -> AccountUpdateOutcome {
        let now = now
        let order = outbox.withdrawals.order(.unlink)
        let instance = try further.link.map { link in
            guard let provider = providers.current.provider(link.provider) else {
                throw BrokerError.unknownProvider(link.provider)
            }
            return provider.instance
        }
        return try await store.write(at: now, by: origin) { [self] transaction in
            let before = try transaction.record(of: localID)
            let user = before.user
            let update = try AccountUpdate(changes, further, of: user, before.identities)
            try apply(update, to: user, isAnonymous: false, transaction)
            let receipts = try transaction.unlink(
                update.unlinked, of: user, among: before.identities, policy, withdrawing: order, by: origin)
            if let link = further.link, let instance { try transaction.link(link, at: instance, to: user) }
            if update.endsEarlierTokens {
                try transaction.revokeAll(
                    of: user, validSince: further.validSince ?? now.seconds, Session.revokedByAdministrator)
            }
            if let isDisabled = further.isDisabled { try transaction.setDisabled(isDisabled, of: user) }
            try record(update, user, origin, in: transaction)
            return AccountUpdateOutcome(
                record: try transaction.record(of: transaction.current(user)), tokens: nil, withdrawals: receipts)
        }
    }

    private func apply(
        _ update: AccountUpdate, to user: User, isAnonymous: Bool, _ transaction: borrowing Transaction
    ) throws {
        let email = update.newEmail ?? (update.isEmailVerified == nil ? nil : user.emailCanonical)
        if let email {
            guard
                try transaction.setEmail(
                    of: user.key, email: email, canonical: email, verified: update.isEmailVerified ?? false,
                    assertedBy: nil, at: transaction.now)
            else { throw BrokerError.emailHeldByAnotherUser }
        }
        if update.newEmail != nil, let earlier = user.email, !isAnonymous {
            try transaction.recordInitialEmail(of: user.key, earlier)
        }
        if update.clearsEmail { try transaction.releaseEmail(of: user.key) }
        try transaction.setProfile(of: user.edited(update.displayName, update.photoURL, at: transaction.now))
        if let administered = update.administered { try transaction.writeAdministeredFields(of: administered) }
    }

    private func record(
        _ update: AccountUpdate, _ user: User, _ origin: Origin, in transaction: borrowing Transaction
    ) throws {
        guard !update.changedFields.isEmpty else { return }
        try transaction.audit(
            "user.updated", of: user.localID,
            detail: ["fields": .array(update.changedFields.map(JSONValue.string))], by: origin)
    }
}

extension User {
    /// The user with another name and picture. What differs counts as edited from now on.
    fileprivate func edited(_ displayName: String?, _ photoURL: String?, at now: Timestamp) -> User {
        var user = self
        if displayName != self.displayName { (user.displayName, user.displayNameEditedAt) = (displayName, now) }
        if photoURL != self.photoURL { (user.photoURL, user.photoURLEditedAt) = (photoURL, now) }
        return user
    }
}

extension Transaction {
    /// Revokes everything issued to a user, including the refresh tokens of the asking session, and continues that session
    /// under a new id: same login, same age, the new epoch.
    fileprivate func renew(_ facts: SessionFacts, as sessionID: String) throws -> Session {
        let (earlier, now) = (facts.session, now)
        guard let epoch = try bumpEpoch(userKey: facts.user.key, validSince: now.seconds) else {
            throw BrokerError.userNotFound
        }
        try revokeSessions(of: facts.user.key, at: now, reason: "valid since")
        var session = earlier
        (session.key, session.id, session.generation, session.epoch) = (nextKey(), sessionID, 0, epoch)
        (session.rotatedAt, session.lastUsedAt) = (now, now)
        try insert(session)
        try recordRefresh(userKey: facts.user.key, at: now)
        return session
    }
}

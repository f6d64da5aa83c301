package import BrokerStore
import Foundation
import ProviderKit

/// Changes a user's own account (contract §2.6, the client's half): all checks, then all writes, in one transaction.
package struct UpdateAccount: Sendable {
    let verifier: IDTokenVerifier
    let policy: Policy
    let store: Store
    let tokens: TokenIssuer
    let withdrawals: Withdrawals
    let now: @Sendable () -> Date

    /// The account as it is now; tokens if everything issued before was revoked.
    package struct Outcome: Sendable {
        package let facts: SessionFacts
        package let tokens: IssuedTokens?
        /// What becomes of the grants of unlinked identities.
        package let withdrawals: [WithdrawalReceipt]
    }

    /// - Throws: ``BrokerError``; then nothing was written.
    package func callAsFunction(
        _ presented: PresentedSession, _ changes: AccountChanges, origin: Origin
    ) async throws -> Outcome {
        let now = Timestamp(now())
        let judged = try verifier.judge(presented, at: now)
        let sessionID = RandomText.alphanumeric(22)
        let order = withdrawals.order(.unlink)
        let (facts, isRenewed, receipts) = try await store.write(at: now) { transaction in
            let before = try transaction.liveSession(behind: judged)
            let update = try AccountUpdate(changes, of: before, policy: policy, at: now)
            let origin = origin.acting(as: .user, before.user.localID)
            try apply(update, to: before, in: transaction)
            let receipts = try transaction.unlink(
                update.unlinked, of: before.user, among: before.identities, policy, withdrawing: order, by: origin)
            let session = update.renewsSession ? try transaction.renew(before, as: sessionID) : before.session
            try record(update, before.user, origin, in: transaction)
            guard let user = try transaction.user(key: before.user.key) else { throw BrokerError.userNotFound }
            let identities = try transaction.identities(of: user.key)
            return (SessionFacts(session: session, user: user, identities: identities), update.renewsSession, receipts)
        }
        return Outcome(
            facts: facts, tokens: isRenewed ? try await tokens.issue(facts, at: now) : nil, withdrawals: receipts)
    }

    private func apply(
        _ update: AccountUpdate, to facts: SessionFacts, in transaction: borrowing Transaction
    ) throws {
        let user = facts.user
        if let email = update.newEmail {
            guard
                try transaction.setEmail(
                    of: user.key, email: email, canonical: email, verified: false, assertedBy: nil,
                    at: transaction.now)
            else { throw BrokerError.emailHeldByAnotherUser }
            if let earlier = user.email, facts.session.signInProvider != "anonymous" {
                try transaction.recordInitialEmail(of: user.key, earlier)
            }
        }
        if update.clearsEmail { try transaction.releaseEmail(of: user.key) }
        try transaction.setProfile(
            of: user.key, displayName: update.displayName, photoURL: update.photoURL, screenName: user.screenName)
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

extension Transaction {
    /// Revokes everything issued to a user, including the refresh tokens of the asking session, and continues that session
    /// under a new id: same login, same age, the new epoch.
    fileprivate func renew(_ facts: SessionFacts, as sessionID: String) throws -> Session {
        let (earlier, now) = (facts.session, now)
        guard let epoch = try bumpEpoch(userKey: facts.user.key, validSince: now.seconds) else {
            throw BrokerError.userNotFound
        }
        try revokeSessions(of: facts.user.key, at: now, reason: "valid since")
        var session = Session(
            key: nextKey(), id: sessionID, userKey: earlier.userKey,
            signInProvider: earlier.signInProvider, authTime: earlier.authTime, createdAt: earlier.createdAt,
            rotatedAt: now, claims: earlier.claims, epoch: epoch, family: earlier.family,
            clientID: earlier.clientID, scope: earlier.scope,
            authenticationMethods: earlier.authenticationMethods, parentID: earlier.parentID,
            lastUsedAt: now, userAgent: earlier.userAgent, address: earlier.address)
        session.identityKey = earlier.identityKey
        session.mergedAt = earlier.mergedAt
        try insert(session)
        try recordRefresh(userKey: facts.user.key, at: now)
        return session
    }
}

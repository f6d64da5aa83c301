package import BrokerStore
import OAuth
import ProviderKit

/// Both accounts of a merge that their user asks for, before it happens.
package struct MergePreview: Sendable {
    package struct Account: Sendable {
        package let record: UserRecord
        package let liveSessions: Int
    }

    /// What becomes of the two if one of them remains.
    package struct Choice: Sendable {
        /// The user who remains.
        package let survivor: String
        package let absorbed: String
        /// The address the user has afterwards.
        package let email: String?
        /// The names of the custom claims of the user who goes that the other one lacks or has otherwise.
        package let differingClaims: [String]
        /// Why the merge would be refused; nil when it would not.
        package let refusal: BrokerError?
    }

    /// The account whose session asks.
    package let own: Account
    package let other: Account
    /// First the one in which ``own`` remains.
    package let choices: [Choice]
}

/// The outcome of a merge that its user asked for.
package struct MergedAccounts: Sendable {
    /// By which it can be undone.
    package let id: String
    package let survivor: UserRecord
    package let absorbedLocalID: String
    package let undoableUntil: Timestamp
    /// The session that the other account's login began, where that account's user remains.
    package let session: SessionFacts?
}

/// Merges two accounts for the user who owns both, and has logged in to both in the last five minutes.
extension AccountContext {
    /// What a merge would join, and whether it would be refused. Writes nothing, and the merge decides again.
    ///
    /// - Parameters:
    ///   - presented: The session that asks.
    ///   - other: The login to the other account.
    /// - Returns: Both accounts, and what becomes of them.
    /// - Throws: As ``mergeAccounts(_:with:survivor:origin:)``, except for the reasons that a choice has.
    package func previewMerge(_ presented: PresentedSession, with other: OtherLogin) async throws -> MergePreview {
        let now = now
        let judged = try await sessions.verifier.judge(presented, at: now)
        let login = try await judge(other, at: now)
        return try await store.read { [self] transaction in
            let sides = try sides(judged, login, at: now, in: transaction)
            return MergePreview(
                own: try transaction.account(of: sides.own), other: try transaction.account(of: sides.other),
                choices: [
                    try choice(sides, survivor: sides.own.user.localID, at: now, in: transaction),
                    try choice(sides, survivor: sides.other.user.localID, at: now, in: transaction),
                ])
        }
    }

    /// Merges the users of two logins, in one transaction. The sessions of the user who goes end, except for those that a
    /// proven merge moves. Where an administrator has to decide, the merge is stored for them.
    ///
    /// - Parameters:
    ///   - presented: The session that asks.
    ///   - other: The login to the other account.
    ///   - survivor: The local id of the one of the two users who remains.
    ///   - origin: The request.
    /// - Returns: The user who remains.
    /// - Throws: ``BrokerError`` of the session, ``BrokerError/recentLoginRequired``, ``BrokerError/stepUpRequired(_:)``,
    ///   ``BrokerError/otherLoginInvalid(_:)``, ``BrokerError/mergeOfOneUser``, ``BrokerError/mergeConflict(provider:)``,
    ///   ``BrokerError/userNotFound`` for a survivor who is neither; nothing is written then.
    ///   ``BrokerError/mergeNeedsAdministrator``; then the merge waits.
    package func mergeAccounts(
        _ presented: PresentedSession, with other: OtherLogin, survivor: String, origin: Origin
    ) async throws -> MergedAccounts {
        let now = now
        let judged = try await sessions.verifier.judge(presented, at: now)
        let login = try await judge(other, at: now)
        let id = RandomText.alphanumeric(12)
        let result: Result<MergedAccounts, BrokerError> = try await store.write(at: now, by: origin) {
            [self] transaction in
            let sides = try sides(judged, login, at: now, in: transaction)
            let (stays, goes) = try sides.ordered(survivor: survivor)
            let origin = origin.acting(as: .user, sides.own.user.localID)
            let record = MergeRecord(
                survivor: stays.user, absorbed: goes.user, identity: goes.provenIdentity, origin: origin)
            switch try decide(sides, survivor: survivor, at: now, in: transaction) {
            case .wait(let rule):
                let pending = PendingMerge(
                    key: transaction.nextKey(), id: id, survivorKey: stays.user.key, absorbedKey: goes.user.key,
                    provider: PendingMerge.ofUser, createdAt: now, provenIdentityKey: goes.session.identityKey)
                if try transaction.insert(pending) { try record.append(.pending, rule: rule, in: transaction) }
                return .failure(.mergeNeedsAdministrator)
            case .merge(let plan):
                let outcome = try merge(plan, id: id, in: transaction)
                try record.append(.merged, rule: .mergeByUser, outcome.detail, in: transaction)
                let user = try transaction.record(of: outcome.survivor)
                return .success(
                    MergedAccounts(
                        id: id, survivor: user, absorbedLocalID: goes.user.localID,
                        undoableUntil: now.advanced(by: MergeSnapshots.lifetime),
                        session: try begun(by: login, stays, of: user, origin, in: transaction)))
            }
        }
        return try result.get()
    }

    /// Begins the session of a login at a provider whose user remains: the browser's own session is of the user who went.
    private func begun(
        by login: JudgedLogin, _ survivor: SessionFacts, of record: UserRecord, _ origin: Origin,
        in transaction: borrowing Transaction
    ) throws(StoreError) -> SessionFacts? {
        guard case .provider(_, let id) = login, id == survivor.session.id else { return nil }
        var session = survivor.session
        (session.userAgent, session.address) = (origin.device.userAgent, origin.device.address)
        return try writer.begin(session, of: record, in: transaction)
    }

    /// Both logins, which are of two users, and recent.
    private func sides(
        _ judged: JudgedSession, _ login: JudgedLogin, at now: Timestamp, in transaction: borrowing Transaction
    ) throws -> MergeSides {
        let own = try transaction.liveSession(behind: judged)
        let other = try transaction.facts(of: login)
        guard other.user.key != own.user.key else { throw BrokerError.mergeOfOneUser }
        try sessions.recentLogin.requireForMerge(own.session, at: now)
        try requireRecent(other, at: now)
        return MergeSides(own: own, other: other)
    }

    /// The rules of ``RecentLogin/requireForMerge(_:goes:at:)`` for the other account's login, with an error that names it.
    func requireRecent(_ other: SessionFacts, goes: Bool = false, at now: Timestamp) throws(BrokerError) {
        do {
            try sessions.recentLogin.requireForMerge(other.session, goes: goes, at: now)
        } catch .stepUpRequired(let text) {
            throw .otherLoginInvalid("The other account's login is not sufficient. \(text)")
        } catch {
            throw .otherLoginInvalid("The login to the other account is older than five minutes. Sign in to it again.")
        }
    }

    private enum OwnMergeDecision {
        case merge(MergePlan)
        /// For an administrator, by the rule that says why.
        case wait(rule: AccountRule)
    }

    private func decide(
        _ sides: MergeSides, survivor: String, at now: Timestamp, in transaction: borrowing Transaction
    ) throws -> OwnMergeDecision {
        let (stays, goes) = try sides.ordered(survivor: survivor)
        if goes.session.id == sides.own.session.id {
            try sessions.recentLogin.requireForMerge(goes.session, goes: true, at: now)
        } else {
            try requireRecent(goes, goes: true, at: now)
        }
        do {
            let plan = try MergePlan(
                stays.record, absorbing: goes.record, mergedBy: PendingMerge.ofUser,
                provenIdentityKey: goes.session.identityKey)
            // An administrator has decided that the two stay separate.
            if try transaction.isMergeDismissed(between: stays.user.key, and: goes.user.key) {
                return .wait(rule: .mergeDismissed)
            }
            return plan.differingClaims.isEmpty ? .merge(plan) : .wait(rule: .mergeChangesClaims)
        } catch BrokerError.userDisabled {
            return .wait(rule: .mergeOfDisabledUser)
        }
    }

    private func choice(
        _ sides: MergeSides, survivor: String, at now: Timestamp, in transaction: borrowing Transaction
    ) throws -> MergePreview.Choice {
        let (stays, goes) = try sides.ordered(survivor: survivor)
        var refusal: BrokerError?
        do {
            if case .wait = try decide(sides, survivor: survivor, at: now, in: transaction) {
                refusal = .mergeNeedsAdministrator
            }
        } catch let error as BrokerError {
            refusal = error
        }
        return .init(
            survivor: stays.user.localID, absorbed: goes.user.localID,
            email: stays.user.takesEmail(of: goes.user) ? goes.user.email : stays.user.email,
            differingClaims: goes.user.claims(differingFrom: stays.user), refusal: refusal)
    }
}

/// The two logins of a merge, as one transaction sees them.
private struct MergeSides {
    /// The session that asks.
    let own: SessionFacts
    let other: SessionFacts

    /// - Throws: ``BrokerError/userNotFound`` for a local id that is neither user's.
    func ordered(survivor localID: String) throws(BrokerError) -> (stays: SessionFacts, goes: SessionFacts) {
        if own.user.localID.hasSameBytes(as: localID) { return (own, other) }
        guard other.user.localID.hasSameBytes(as: localID) else { throw .userNotFound }
        return (other, own)
    }
}

extension Transaction {
    fileprivate func account(of side: SessionFacts) throws(StoreError) -> MergePreview.Account {
        .init(record: side.record, liveSessions: try liveSessionCount(of: side.user))
    }
}

extension SessionFacts {
    fileprivate var record: UserRecord { UserRecord(user: user, identities: identities) }

    /// The identity that the login proves, for the records of the merge; an empty one for a user without identities.
    fileprivate var provenIdentity: IdentityKey {
        (identities.first { $0.key == session.identityKey } ?? identities.first)?.identity
            ?? IdentityKey(provider: PendingMerge.ofUser, issuer: "", subject: "")
    }
}

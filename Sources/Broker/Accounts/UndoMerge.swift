package import BrokerStore
import ProviderKit

/// A merge that can be undone.
package struct UndoableMerge: Sendable {
    package let id: String
    /// The provider that reported the merge; ``PendingMerge/ofUser`` where its user asked for it.
    package let provider: String
    package let mergedAt: Timestamp
    package let expiresAt: Timestamp
    /// The user who has the identities now.
    package let survivor: UserRecord
    /// The user who was merged, as before the merge.
    package let absorbed: UserRecord
    /// The parts that the undo cannot restore, or leaves as they are now.
    package let conflicts: [UndoConflict]
}

/// The result of an undo.
package struct UndoMergeOutcome: Sendable {
    package let survivor: UserRecord
    package let restored: UserRecord
    /// The parts that were not restored.
    package let conflicts: [UndoConflict]
}

/// Undoes merges from their snapshots, for administrators.
extension AccountContext {
    /// The merges that can be undone, oldest first.
    ///
    /// - Throws: ``BrokerError`` or a store's error.
    package func undoableMerges(limit: Int) async throws -> [UndoableMerge] {
        let now = now
        return try await store.read { [self] transaction in
            try transaction.mergeSnapshots(at: now, limit: limit).map { snapshot in
                UndoableMerge(try UndoPlan(snapshot, try mergeSnapshots.open(snapshot), in: transaction))
            }
        }
    }

    /// One merge that can be undone; nil if there is none.
    package func undoableMerge(_ id: String) async throws -> UndoableMerge? {
        let now = now
        return try await store.read { [self] transaction in
            try plan(id, at: now, in: transaction).map(UndoableMerge.init)
        }
    }

    /// Undoes a merge: ends all sessions of the remaining user, and gives the restored user its local id, identities and
    /// grants again, without custom claims. Later changes stay with the remaining user, and claims that the merge gave it
    /// go. The provider's next report does not merge the two again.
    ///
    /// - Throws: ``BrokerError/mergeNotFound`` for a merge without a snapshot; then nothing was written.
    package func undoMerge(_ id: String, origin: Origin) async throws -> UndoMergeOutcome {
        let now = now
        return try await store.write(at: now, by: origin) { [self] transaction in
            guard let plan = try plan(id, at: now, in: transaction) else { throw BrokerError.mergeNotFound }
            return try undo(plan, keepsApart: true, by: origin, in: transaction)
        }
    }

    /// Carries an undo out and records it. `keepsApart` stores the decision that the two stay separate.
    func undo(
        _ plan: UndoPlan, keepsApart: Bool, by origin: Origin, in transaction: borrowing Transaction
    ) throws -> UndoMergeOutcome {
        let restored = try carryOut(plan, in: transaction)
        if keepsApart {
            // Dismissed from the start: the provider reports the merge again at the next sign-in.
            _ = try transaction.insert(
                PendingMerge(
                    key: transaction.nextKey(), id: plan.merge.id, survivorKey: plan.survivor.user.key,
                    absorbedKey: restored.key, provider: plan.merge.provider, createdAt: plan.merge.createdAt,
                    dismissedAt: transaction.now))
        }
        let record = MergeRecord(
            survivor: plan.survivor.user, absorbed: restored, identity: plan.reportedIdentity, origin: origin)
        try record.append(
            .undone, rule: .mergeUndone,
            [
                "merge": .string(plan.merge.id), "identitiesReturned": .integer(Int64(plan.returns.count)),
                "conflicts": .array(plan.conflicts.map { .string($0.code) }),
            ], in: transaction)
        return UndoMergeOutcome(
            survivor: try transaction.record(of: transaction.current(plan.survivor.user)),
            restored: try transaction.record(of: transaction.current(restored)), conflicts: plan.conflicts)
    }

    func plan(
        _ id: String, at now: Timestamp, in transaction: borrowing Transaction
    ) throws -> UndoPlan? {
        try transaction.mergeSnapshot(id: id, at: now).map {
            try UndoPlan($0, try mergeSnapshots.open($0), in: transaction)
        }
    }

    private func carryOut(_ plan: UndoPlan, in transaction: borrowing Transaction) throws -> User {
        let (survivor, now) = (plan.survivor.user, transaction.now)
        _ = try transaction.bumpEpoch(userKey: survivor.key, validSince: now.seconds)
        try transaction.revokeSessions(of: survivor.key, at: now, reason: "merge undone")
        if plan.releasesEmail { try transaction.releaseEmail(of: survivor.key) }
        if survivor.key == plan.before.survivor.user.key {
            let edited = survivor.returningEdits(of: plan.before.absorbed, before: plan.before.survivor.user)
            if edited != survivor { try transaction.setProfile(of: edited) }
        }
        if !plan.removedClaims.isEmpty {
            let left = JSONObject(
                survivor.customClaims.filter { !plan.removedClaims.contains($0.name) }.map { ($0.name, $0.value) })
            try transaction.setCustomAttributes(JSONValue.object(left).serialized(), of: survivor)
        }
        let restored = plan.restoredUser(key: transaction.nextKey(), at: now)
        _ = try transaction.removeUserAlias(restored.localID)
        guard try transaction.insert(restored) else { throw InternalError.uniqueKeyTaken("users") }
        for identity in plan.returns { try giveBack(identity, to: restored, of: plan, in: transaction) }
        // The identity that asserted an address may stand elsewhere now.
        for user in [survivor, restored] { _ = try transaction.settleEmail(of: user.key, at: now) }
        try transaction.returnRows(plan.before.rows, from: survivor.key, to: restored.key)
        try transaction.removeNotices(ofMerge: restored.localID, for: survivor.key)
        try transaction.insertNotice(ofUndoneMerge: restored.localID, for: survivor.key)
        try transaction.insertNotice(ofUndoneMerge: survivor.localID, for: restored.key)
        _ = try transaction.removeMergeSnapshot(id: plan.merge.id)
        return restored
    }

    private func giveBack(
        _ identity: UndoPlan.Return, to user: User, of plan: UndoPlan, in transaction: borrowing Transaction
    ) throws {
        switch identity {
        case .moves(let identity):
            let survivor = plan.survivor.user
            guard try transaction.moveIdentity(key: identity.key, from: survivor.key, to: user.key) else {
                throw InternalError.uniqueKeyTaken("identities")
            }
        case .isRestored(let merged, let heir):
            var identity = merged.identity
            (identity.key, identity.userKey) = (transaction.nextKey(), user.key)
            if heir.lastSignInAt > plan.merge.createdAt {
                // The account was used since, with this subject or the one that the provider gave it: it was not deleted.
                (identity.consentRevokedAt, identity.removalAt) = (nil, nil)
            }
            guard try transaction.removeAlias(identity.identity, of: heir.key), try transaction.insert(identity) else {
                throw InternalError.uniqueKeyTaken("identities")
            }
            for alias in merged.aliases where try transaction.removeAlias(alias, of: heir.key) {
                _ = try transaction.addAlias(alias, to: identity.key, at: transaction.now)
            }
            for grant in merged.grants {
                try stored.vault.keep(
                    grant, of: identity, key: transaction.nextKey(), at: transaction.now, in: transaction)
            }
        }
    }
}

extension UndoableMerge {
    init(_ plan: UndoPlan) {
        self.init(
            id: plan.merge.id, provider: plan.merge.provider, mergedAt: plan.merge.createdAt,
            expiresAt: plan.merge.expiresAt, survivor: plan.survivor,
            absorbed: UserRecord(user: plan.before.absorbed, identities: plan.before.identities.map(\.identity)),
            conflicts: plan.conflicts)
    }
}

extension UndoPlan {
    /// The user who was merged, in an epoch after all tokens it ever had.
    fileprivate func restoredUser(key: Int64, at now: Timestamp) -> User {
        var user = before.absorbed
        user.key = key
        user.epoch += 1
        user.validSince = now.seconds
        user.isDisabled = survivor.user.isDisabled
        // An administrator may have withdrawn them from the remaining user.
        user.customAttributes = nil
        if !restoresEmail {
            (user.email, user.emailCanonical, user.isEmailVerified) = (nil, nil, false)
            (user.emailAssertedBy, user.emailAssertedAt) = (nil, nil)
        }
        return user
    }

    /// The absorbed user's identity at the provider that reported the merge; the first one where its user asked for it.
    fileprivate var reportedIdentity: IdentityKey {
        before.identities.first {
            merge.provider == PendingMerge.ofUser || $0.identity.provider.hasSameBytes(as: merge.provider)
        }?.identity.identity ?? IdentityKey(provider: merge.provider, issuer: "", subject: "")
    }
}

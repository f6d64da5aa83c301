package import BrokerStore
import ProviderKit

extension AccountContext {
    /// Deletes the user of a session with everything that belongs to them, except for the audit.
    ///
    /// - Parameters:
    ///   - presented: The session.
    ///   - code: A fresh authorization code of a provider, from which the grant to be revoked is obtained.
    ///   - origin: The request.
    /// - Returns: What becomes of the user's grants at their providers.
    /// - Throws: ``BrokerError`` in the order of contract §5.3, ``BrokerError/deletionOff``, then ``BrokerError/recentLoginRequired``, then those of the code,
    ///   then ``BrokerError/providerCodeRequired(_:)``. Nothing is deleted then.
    @discardableResult
    package func deleteAccount(
        _ presented: PresentedSession, code: ProviderCode? = nil, origin: Origin
    ) async throws -> [WithdrawalReceipt] {
        try await FlowMetrics.counting(.delete) { try await delete(presented, code, origin) }
    }

    private func delete(
        _ presented: PresentedSession, _ code: ProviderCode?, _ origin: Origin
    ) async throws -> [WithdrawalReceipt] {
        let begun = now
        let judged = try await sessions.verifier.judge(presented, at: begun)
        guard settings.current.allowsDeletion else { throw BrokerError.deletionOff }
        let exchanged = try await grant(for: code, judged, at: begun)
        let order = outbox.withdrawals.order(.delete)
        return try await write { [self] transaction in
            let facts = try transaction.liveSession(behind: judged)
            // A login that was recent when the request came is recent enough, however slowly the provider answered.
            try sessions.recentLogin.require(for: .delete, facts, at: begun)
            if let exchanged, !facts.identities.contains(where: { $0.key == exchanged.identity.key }) {
                throw BrokerError.providerNotLinked(exchanged.identity.provider)
            }
            let receipts = try transaction.delete(
                facts.user, presenting: exchanged.map { ($0.identity.key, $0.grant) }, withdrawing: order,
                by: origin.acting(as: .user, facts.user.localID))
            if policy.deletionWithoutGrant == .refuse, let provider = unrevocable(receipts) {
                throw BrokerError.providerCodeRequired(provider)
            }
            return receipts
        }
    }

    /// Exchanges the code, once it is known that nothing but the code can refuse the deletion: it is used up.
    private func grant(
        for code: ProviderCode?, _ judged: JudgedSession, at now: Timestamp
    ) async throws -> (identity: Identity, grant: UpstreamGrant)? {
        guard let code else { return nil }
        let facts = try await store.read { [self] transaction in
            let facts = try transaction.liveSession(behind: judged)
            try sessions.recentLogin.require(for: .delete, facts, at: now)
            return facts
        }
        return try await exchange(code, among: facts.identities)
    }

    /// The provider without a stored grant that could have had one by a code.
    private func unrevocable(_ receipts: [WithdrawalReceipt]) -> String? {
        let providers = providers.current
        return receipts.first { receipt in
            receipt.state == .nothingStored && providers.provider(receipt.provider)?.provider is any CodeExchange
        }?.provider
    }

    /// Deletes a user for an administrator, without the user's login. Of a user who was merged into another one, what is
    /// left is deleted: the snapshot, with which the merge could be undone, and the alias.
    ///
    /// - Returns: What becomes of the user's grants at their providers.
    /// - Throws: ``BrokerError/userNotFound``.
    @discardableResult
    package func deleteAccount(localID: String, origin: Origin) async throws -> [WithdrawalReceipt] {
        let order = outbox.withdrawals.order(.delete)
        return try await write { transaction in
            guard let receipts = try transaction.delete(localID: localID, withdrawing: order, by: origin) else {
                throw BrokerError.userNotFound
            }
            return receipts
        }
    }
}

extension Transaction {
    /// Deletes a user, or what is left of one who was merged into another.
    ///
    /// - Returns: What becomes of the grants; nil if there is no such user.
    /// - Throws: A store's error.
    func delete(
        localID: String, withdrawing order: WithdrawalOrder, by origin: Origin
    ) throws -> [WithdrawalReceipt]? {
        guard let user = try user(localID: localID) else {
            guard try removeUserAlias(localID) else { return nil }
            try removeMergeSnapshots(ofAbsorbed: localID)
            try audit("user.deleted", of: localID, by: origin)
            return []
        }
        return try delete(user, withdrawing: order, by: origin)
    }

    /// Deletes a user. The grants are queued for withdrawal, with one that was just obtained for an identity.
    ///
    /// - Returns: What becomes of the grants.
    /// - Throws: ``BrokerError/userNotFound``, or a store's error.
    func delete(
        _ user: User, presenting presented: (identityKey: Int64, grant: UpstreamGrant)? = nil,
        withdrawing order: WithdrawalOrder, by origin: Origin
    ) throws -> [WithdrawalReceipt] {
        // Grants are deleted with their user.
        let receipts = try order.queue(
            identities(of: user.key), of: user, presented: presented, in: self, by: origin)
        // In a backup from before a merge the absorbed users are users of their own.
        let localIDs = try [user.localID] + userAliases(of: user.key)
        guard try removeUser(user.key) else { throw BrokerError.userNotFound }
        for localID in localIDs { try audit("user.deleted", of: localID, by: origin) }
        return receipts
    }
}

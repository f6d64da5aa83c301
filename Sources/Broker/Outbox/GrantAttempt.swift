import BrokerStore
import Logging
import ProviderKit

/// One request to a provider about a leased grant, with the commit of its result.
struct GrantAttempt: Sendable {
    let grant: ProviderGrant
    let identity: Identity
    let tokens: UpstreamGrant
    let lease: GrantLease
    let provider: ConfiguredProvider
    let outbox: OutboxContext

    /// Asks the provider, and stores what it answers.
    ///
    /// - Parameter request: What the provider is asked.
    /// - Returns: The state of the grant; nil if it was replaced meanwhile.
    /// - Throws: A store's error. The grant is then leased until the lease runs out.
    func perform(_ request: GrantRequest) async throws -> GrantState? {
        do {
            let fresh = try await provider.calls.run(within: GrantRefreshTimes.deadline) { [tokens] in
                try await request.send(tokens)
            }
            return try await untilLeaseEnds { try await keep(fresh) }
        } catch let error as ProviderError where request.isRefusal(error) {
            return try await untilLeaseEnds { try await refuse(error) }
        } catch let error as ProviderError {
            log(error)
            return try await release(hasAnswered: error.fault != .upstream, retryAfter: error.retryAfter)
        } catch is DeadlineExceeded {
            log(ProviderError(.upstream, at: .refresh, "no answer within 20 s"))
            return try await release(hasAnswered: false, retryAfter: nil)
        }
    }

    /// Stores the answer before anything uses it.
    private func keep(_ fresh: UpstreamGrant) async throws -> GrantState? {
        let order = outbox.withdrawals.order(.revoke)
        return try await outbox.write { transaction in
            guard let current = try transaction.identity(identity.identity), current.key == identity.key,
                let stored = try transaction.grant(identityKey: identity.key, clientID: grant.clientID)
            else {
                // The identity was unlinked: what the provider has issued since must not stay valid there.
                try withdraw(fresh, by: order, in: transaction)
                return .reauthorizationRequired
            }
            try transaction.releaseGrant(key: grant.key, holder: lease.holder, isSettled: true)
            // A sign-in has stored another grant: that one is newer.
            guard stored.version == grant.version else { return nil }
            let lost = try outbox.stored.vault.keep(
                fresh, of: current, key: grant.key, at: transaction.now, in: transaction)
            if !lost.isEmpty {
                try transaction.auditReducedScopes(
                    lost, of: current, user: transaction.user(key: current.userKey)?.localID)
            }
            return .token(fresh)
        }
    }

    private func withdraw(
        _ fresh: UpstreamGrant, by order: WithdrawalOrder, in transaction: borrowing Transaction
    ) throws {
        guard !fresh.accessToken.hasSameBytes(as: tokens.accessToken) else { return }
        let localID = try transaction.user(key: identity.userKey)?.localID
        _ = try order.queue(fresh, of: identity, user: localID, in: transaction)
    }

    /// Marks the grant. Where refusals are probed for, this one is judged with those of the probes, and ends sessions as
    /// they do.
    private func refuse(_ error: ProviderError) async throws -> GrantState? {
        // The provider may have issued the successor of this token to an attempt whose answer never arrived.
        let reason: GrantRefusal.Reason = grant.isUnsettled && tokens.refreshToken != nil ? .lost : .revoked
        let isMarked = try await outbox.write { transaction in
            try transaction.releaseGrant(key: grant.key, holder: lease.holder, isSettled: true)
            if reason == .revoked, provider.provider is any GrantProbe {
                return try transaction.recordProbe(of: grant, .refused, at: transaction.now)
            }
            guard try transaction.refuse(grant, GrantRefusal(at: transaction.now, reason: reason)) else { return false }
            try transaction.audit(
                "grant.refused", of: try transaction.user(key: identity.userKey)?.localID,
                provider: identity.provider, subjectHash: identity.identity.subjectHash,
                detail: ["client": .string(grant.clientID), "reason": .string(reason.rawValue)])
            return true
        }
        log(error)
        guard isMarked else { return nil }
        return reason == .revoked ? .revoked : .reauthorizationRequired
    }

    /// Ends the lease without a result. A token in its last minute may still be answered, unless the provider may have
    /// replaced it.
    private func release(hasAnswered: Bool, retryAfter: Int?) async throws -> GrantState {
        let now = outbox.now
        // Nothing replaces a token without a refresh token.
        let isSettled = hasAnswered || tokens.refreshToken == nil
        try await untilLeaseEnds {
            try await outbox.store.write(at: now) { transaction in
                _ = try transaction.releaseGrant(
                    key: grant.key, holder: lease.holder, isSettled: isSettled && !grant.isUnsettled)
            }
        }
        if isSettled, !grant.isExpired(at: now) { return .token(tokens) }
        return .temporarilyUnavailable(retryAfter: retryAfter)
    }

    /// Repeats a write that fails, since the provider's answer exists only here.
    @discardableResult
    private func untilLeaseEnds<Value>(_ write: () async throws -> Value) async throws -> Value {
        let end = ContinuousClock.now + GrantRefreshTimes.leaseDuration - GrantRefreshTimes.deadline
        while true {
            do {
                return try await write()
            } catch let error as StoreError where error.isPassing && ContinuousClock.now < end {
                Logger.current.warning("refreshed grant not stored; repeating", metadata: ["error": "\(error)"])
                try await Task.sleep(for: .milliseconds(250))
            }
        }
    }

    /// Says why the provider issued no tokens, without any credential.
    private func log(_ error: ProviderError) {
        let level: Logger.Level = error.fault == .configuration ? .error : .warning
        Logger.current.log(
            level: level, "grant not refreshed",
            metadata: [
                "provider": "\(provider.id)", "fault": "\(error.fault.rawValue)", "step": "\(error.step.rawValue)",
                "reason": "\(error.reason)",
            ])
    }
}

extension Transaction {
    /// Records that a provider grants less than before.
    func auditReducedScopes(_ lost: [String], of identity: Identity, user localID: String?) throws(StoreError) {
        try audit(
            "grant.scopes-reduced", of: localID, provider: identity.provider,
            subjectHash: identity.identity.subjectHash, detail: ["removed": .array(lost.map(JSONValue.string))])
    }
}

extension StoreError {
    /// Whether the same write may succeed soon.
    fileprivate var isPassing: Bool { [.busy, .unavailable, .outcomeUnknown, .diskFull].contains(kind) }
}

package import BrokerStore
import Logging
import OAuth
package import ProviderKit

/// The state of a grant.
package enum GrantState: Sendable {
    /// Tokens that are durable in the store; the access token is valid as far as is known.
    case token(UpstreamGrant)
    /// The provider has withdrawn the grant.
    case revoked
    /// No token can be had without the user.
    case reauthorizationRequired
    /// The provider or another broker does not answer in time; with seconds until a retry, if the provider sent them.
    case temporarilyUnavailable(retryAfter: Int?)
}

/// The times of a refresh at a provider.
enum GrantRefreshTimes {
    /// The lease of one refresh: ``deadline``, and the writes around it.
    static let leaseDuration = Duration.seconds(30)
    /// Three requests of a plugin, with 10 s each for the network in the worst case, are not all slow.
    static let deadline = Duration.seconds(20)
    /// How long a caller waits for another broker's refresh. Backends give up after thirty seconds.
    static let patience = Duration.seconds(22)
    /// A token that expires sooner than this is refreshed, or a quarter of its lifetime before, if that is less.
    static let margin = Duration.seconds(60)
    /// How long a token without expiry is answered without a check at the provider.
    static let checkInterval = Duration.seconds(3600)
}

extension OutboxContext {
    /// Answers valid tokens of stored grants. Of all brokers on a store one at a time asks the provider for a grant;
    /// the others wait for its row (Docs/Decisions/0023-one-refresh-per-expiry.md).
    ///
    /// - Parameters:
    ///   - identity: The identity that was granted.
    ///   - clientID: The broker's client at the provider that obtained the grant.
    ///   - provider: The entry of the identity's provider.
    /// - Returns: The state of the grant. A refusal is stored and audited before it is answered.
    /// - Throws: A store's error, or `CancellationError` while the caller waits for another broker.
    package func grantState(
        of identity: Identity, clientID: String, at provider: ConfiguredProvider
    ) async throws -> GrantState {
        let patient = ContinuousClock.now + GrantRefreshTimes.patience
        while true {
            let grant = try await store.read { try $0.grant(identityKey: identity.key, clientID: clientID) }
            guard let grant else { return .reauthorizationRequired }
            switch try await next(grant, of: identity, at: provider) {
            case .answer(let outcome): return outcome
            case .repeat: continue
            case .wait:
                guard ContinuousClock.now < patient else { return .temporarilyUnavailable(retryAfter: 5) }
                try await Task.sleep(for: .milliseconds(Int.random(in: 40...120)))
            }
        }
    }

    private enum Step {
        case answer(GrantState)
        /// Another broker asks the provider.
        case wait
        /// The grant was replaced.
        case `repeat`
    }

    private func next(
        _ grant: ProviderGrant, of identity: Identity, at provider: ConfiguredProvider
    ) async throws -> Step {
        let now = now
        if let refusal = grant.refusal {
            return .answer(refusal.reason == .revoked ? .revoked : .reauthorizationRequired)
        }
        if grant.isRefusedByProbe { return .answer(.revoked) }
        let tokens: UpstreamGrant
        do throws(SealError) {
            tokens = try stored.vault.open(grant, of: identity)
        } catch {
            // The identity may have got another subject since it was read; its seals are then made anew.
            Logger.current.error(
                "stored grant does not open", metadata: ["provider": "\(provider.id)", "error": "\(error)"])
            return .answer(.reauthorizationRequired)
        }
        guard grant.isDue(at: now) else { return .answer(.token(tokens)) }
        guard let request = GrantRequest(tokens, of: identity, at: provider) else {
            return .answer(grant.isExpired(at: now) ? .reauthorizationRequired : .token(tokens))
        }
        if let lease = grant.lease, now < lease.until, lease.until <= now.advanced(by: GrantLease.longest) {
            return .wait
        }
        let lease = GrantLease(
            holder: RandomText.alphanumeric(22), until: now.advanced(by: GrantRefreshTimes.leaseDuration))
        let outcome = try await store.withLease(
            at: now, acquiring: { try $0.lease(grant, to: lease, at: $0.now) ? lease : nil }
        ) { lease in
            // Not the caller's task: a caller that leaves must not end it between the provider's answer and the commit.
            let work = Task {
                try await GrantAttempt(
                    grant: grant, identity: identity, tokens: tokens, lease: lease, provider: provider,
                    outbox: self
                ).perform(request)
            }
            return try await work.value
        }
        switch outcome {
        case .done(let outcome?): return .answer(outcome)
        case .done(nil), .lost: return .repeat
        case .notBegun: return .wait
        }
    }
}

extension ProviderGrant {
    /// Whether the provider is to be asked before the token is answered.
    fileprivate func isDue(at now: Timestamp) -> Bool {
        guard let expiresAt else {
            let checked = probedAt.map { max($0, obtainedAt) } ?? obtainedAt
            return checked.advanced(by: GrantRefreshTimes.checkInterval) <= now
        }
        let quarter = Duration.milliseconds(max(expiresAt.milliseconds - obtainedAt.milliseconds, 0) / 4)
        return expiresAt.advanced(by: .zero - min(GrantRefreshTimes.margin, quarter)) <= now
    }

    func isExpired(at now: Timestamp) -> Bool { expiresAt.map { $0 <= now } ?? false }
}

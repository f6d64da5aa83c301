import BrokerStore
import Logging
import OAuth
import ProviderKit

/// Asks providers that ask for it whether users still allow the app, one broker at a time
/// (Docs/Decisions/0028-probes-are-judged-first.md).
///
/// A refusal is recorded at once and takes effect an hour later: by then it is known whether it was one of many. When
/// more than 5 % of an entry's probes fail within an hour, and at least 20, the entry's probes are paused: that is a
/// changed client, not a thousand withdrawals. What counts is in the store, so that brokers judge together.
package struct GrantProbes: StoreLayer {
    package let stored: StoreContext
    let providers: ProvidersContext
    let rules: GrantProbeRules
    private let leased: LeasedWork

    /// How often a running server takes a turn.
    package static let interval = Duration.seconds(60)
    /// The time in which probes are judged together, and after which a refusal takes effect.
    static let window = Duration.seconds(3600)
    /// The failures within ``window`` that are needed for a pause at all.
    static let failuresForPause = 20
    /// One failure in this many probes is not too much.
    static let probesPerFailure = 20
    /// Requests to one provider at a time, and rows of one transaction.
    static let batch = 8

    init(_ providers: ProvidersContext, _ rules: GrantProbeRules) {
        stored = providers.stored
        self.providers = providers
        self.rules = rules
        let lease = Lease(name: "grant-probes", holder: RandomText.alphanumeric(22), duration: .seconds(180))
        leased = LeasedWork(lease, in: stored.store, now: stored.clock)
    }

    /// The work of a turn.
    package struct Done: Sendable, Hashable {
        /// Probes with any result.
        package var probes = 0
        /// Grants that were marked as refused, with their effects.
        package var withdrawals = 0
    }

    /// Applies the refusals that have waited long enough, then probes what is due, each provider apart from the others.
    ///
    /// - Returns: What was done; nil when another broker has the turn.
    /// - Throws: A store's error.
    package func turn() async throws -> Done? {
        let outcome = try await leased.withLease {
            try await withThrowingTaskGroup(of: Done.self) { group in
                for configured in providers.current.providers {
                    guard let provider = configured.provider as? any GrantProbe else { continue }
                    group.addTask { try await turn(of: configured, provider) }
                }
                return try await group.reduce(into: Done()) { done, part in
                    done.probes += part.probes
                    done.withdrawals += part.withdrawals
                }
            }
        }
        guard case .done(let done) = outcome else { return nil }
        return done
    }

    private func turn(of configured: ConfiguredProvider, _ provider: any GrantProbe) async throws -> Done {
        var done = Done()
        do {
            done.withdrawals += try await apply(configured)
            done.probes += try await probe(configured, provider)
        } catch is LeaseLost {}
        return done
    }

    /// Lets another broker take the next turn, when this one stops.
    package func release() async throws { try await leased.release() }

    /// Runs a piece of the work in a transaction that renews the lease, unless the entry's probes are paused. The
    /// probes are judged before it and after it, in the same transaction.
    ///
    /// - Returns: nil when they are paused, before or after the work.
    private func underLease<Value: Sendable>(
        _ provider: String, _ work: @escaping @Sendable (borrowing Transaction) throws -> Value
    ) async throws -> Value? {
        let (value, pause) = try await leased.write { transaction -> (Value?, ProbePause?) in
            guard try !transaction.probePauses().contains(where: { $0.provider.hasSameBytes(as: provider) }) else {
                return (nil, nil)
            }
            if let pause = try transaction.judgeProbes(of: provider) { return (nil, pause) }
            let value = try work(transaction)
            let pause = try transaction.judgeProbes(of: provider)
            return (pause == nil ? value : nil, pause)
        }
        if let pause { alert(pause) }
        return value
    }

    private func alert(_ pause: ProbePause) {
        Logger.current.error(
            "grant probes paused: too many were refused; check the entry's client and key, then resume them",
            metadata: [
                "provider": "\(pause.provider)", "probes": "\(pause.counts.probes)",
                "failures": "\(pause.counts.failures)",
                "fix": "broker providers check \(pause.provider); broker providers resume-probes \(pause.provider)",
            ])
    }
}

// What is due.
extension GrantProbes {
    /// - Returns: The number of probes.
    private func probe(_ configured: ConfiguredProvider, _ provider: any GrantProbe) async throws -> Int {
        let interval = max(rules.interval, .seconds(max(provider.probeInterval, 0)))
        let (id, limit) = (configured.id, rules.perMinute)
        let confirmed = now.advanced(by: .zero - interval)
        let due = try await store.read { transaction -> [(ProviderGrant, Identity)] in
            guard try !transaction.probePauses().contains(where: { $0.provider.hasSameBytes(as: id) }) else {
                return []
            }
            return try transaction.grantsDueForProbe(of: id, confirmedBy: confirmed, limit: limit)
                .compactMap { grant in try transaction.identity(key: grant.identityKey).map { (grant, $0) } }
        }
        var probes = 0
        for start in stride(from: 0, to: due.count, by: Self.batch) {
            guard !Task.isCancelled else { break }
            let results = await results(
                of: Array(due[start..<min(start + Self.batch, due.count)]), configured, provider)
            probes += results.count
            let recorded: Void? = try await underLease(id) { transaction in
                for (grant, result) in results { try transaction.recordProbe(of: grant, result, at: transaction.now) }
            }
            // A provider that gave no answer is asked again in the next turn.
            guard recorded != nil, !results.contains(where: { $0.1 == .unavailable }) else { break }
        }
        return probes
    }

    private func results(
        of grants: [(ProviderGrant, Identity)], _ configured: ConfiguredProvider, _ provider: any GrantProbe
    ) async -> [(ProviderGrant, GrantProbeResult)] {
        await withTaskGroup { group in
            for (grant, identity) in grants {
                group.addTask { (grant, await result(of: grant, of: identity, configured, provider)) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    private func result(
        of grant: ProviderGrant, of identity: Identity, _ configured: ConfiguredProvider, _ provider: any GrantProbe
    ) async -> GrantProbeResult {
        guard configured.instance.hasSameBytes(as: identity.issuer), configured.hasClient(grant.clientID) else {
            return .clientRefused
        }
        do {
            let tokens = try stored.vault.open(grant, of: identity)
            _ = try await configured.calls.run(within: .seconds(20)) { try await provider.refresh(tokens) }
            return .valid
        } catch {
            let fault = (error as? ProviderError)?.fault
            Logger.current.info(
                "grant probe failed", metadata: ["provider": "\(configured.id)", "error": "\(error)"])
            return switch fault {
            case .credential: .refused
            case .configuration: .clientRefused
            case .upstream, .cancelled, .nonce, nil: .unavailable
            }
        }
    }
}

// What has waited long enough.
extension GrantProbes {
    /// - Returns: The number of grants that were marked.
    private func apply(_ configured: ConfiguredProvider) async throws -> Int {
        let id = configured.id
        let moment = now.advanced(by: .zero - Self.window)
        var marked = 0
        while !Task.isCancelled {
            let count = try await underLease(id) { transaction in
                let refused = try transaction.grantsRefusedByProbe(of: id, by: moment, limit: Self.batch)
                for grant in refused { try transaction.endLogins(restingOn: grant) }
                return refused.count
            }
            guard let count, count > 0 else { break }
            marked += count
        }
        guard marked > 0 else { return 0 }
        Logger.current.notice(
            "users withdrew their consent at the provider", metadata: ["provider": "\(id)", "grants": "\(marked)"])
        return marked
    }
}

extension Transaction {
    /// Pauses an entry's probes when too many of the last hour failed.
    ///
    /// - Returns: The pause, if it began now.
    fileprivate func judgeProbes(of provider: String) throws -> ProbePause? {
        let counts = try probeCounts(of: provider, since: now.advanced(by: .zero - GrantProbes.window))
        guard counts.failures >= GrantProbes.failuresForPause,
            counts.failures * GrantProbes.probesPerFailure > counts.probes
        else { return nil }
        let pause = ProbePause(provider: provider, at: now, counts: counts)
        guard try pauseProbes(pause) else { return nil }
        try audit(
            "probes.paused", of: nil, provider: provider,
            detail: ["probes": .integer(Int64(counts.probes)), "failures": .integer(Int64(counts.failures))])
        return pause
    }

    /// Marks a grant that its provider has refused, and ends the sessions that began with its identity. The next
    /// sign-in there is a first one again.
    fileprivate func endLogins(restingOn grant: ProviderGrant) throws {
        guard try refuse(grant, GrantRefusal(at: now, reason: .revoked)),
            let identity = try identity(key: grant.identityKey), let user = try user(key: identity.userKey)
        else { return }
        try markConsentRevoked(ofIdentity: identity.key, at: now)
        try removeFirstTimeProfile(identity.identity)
        try audit(
            "grant.refused", of: user.localID, provider: identity.provider,
            subjectHash: identity.identity.subjectHash, detail: ["client": .string(grant.clientID)])
        try endSessions(begunWith: identity, of: user, reason: "consent withdrawn at the provider")
    }
}

import BrokerStore
import Logging
import ProviderKit
import Synchronization

extension AccountContext {
    /// How long a refresh waits for the provider.
    private static let patience = Duration.seconds(2)

    /// Asks a provider again for the identity that a session began with, when the session is refreshed and the stored
    /// access token has expired. Merges and promotions are applied as in a sign-in. The provider's failure, or its
    /// silence, changes nothing; what it answers later is applied later.
    ///
    /// - Parameters:
    ///   - facts: The session, as it was refreshed.
    ///   - origin: The request.
    /// - Returns: The session afterwards, which may be another user's.
    /// - Throws: ``BrokerError/refreshTokenExpired`` when a merge has ended it, ``BrokerError/userDisabled``, or a store's
    ///   error.
    func refreshIdentity(
        _ facts: SessionView<TokenIdentity>, origin: Origin
    ) async throws -> SessionView<TokenIdentity> {
        guard let request = try await request(for: facts, origin) else { return facts }
        let work = Task { await perform(request) }
        guard await work.value(within: Self.patience) == true else { return facts }
        guard let current = try await store.read({ try $0.session(id: facts.session.id, with: TokenIdentity.self) })
        else { throw BrokerError.refreshTokenExpired }
        try SessionState(current.session, of: current.user, at: now, nil)
            .requireLive(or: .refreshTokenExpired)
        return current
    }

    private struct Request: Sendable {
        let user: User
        let identity: Identity
        let clientID: String
        let provider: ConfiguredProvider
        let plugin: any IdentityRefresh
        let origin: Origin
    }

    /// The request to the provider; `nil` when none is due.
    private func request(for facts: SessionView<TokenIdentity>, _ origin: Origin) async throws -> Request? {
        let begun = facts.session.signInProvider
        guard let provider = providers.current.provider(begun), let plugin = provider.provider as? any IdentityRefresh,
            let key = facts.identities.first(where: { $0.provider.hasSameBytes(as: begun) })?.identity,
            key.issuer.hasSameBytes(as: provider.instance), !pauses.isPaused(begun)
        else { return nil }
        let now = now
        let (grants, identity) = try await store.read { transaction in
            (try transaction.grants(of: facts.user.key), try transaction.identity(key))
        }
        // Unlinked or merged since the session was read.
        guard let identity, identity.userKey == facts.user.key else { return nil }
        let due = grants.first {
            $0.identityKey == identity.key && $0.refusal == nil && $0.sealedRefreshToken != nil && $0.isExpired(at: now)
        }
        return due.map {
            Request(
                user: facts.user, identity: identity, clientID: $0.clientID, provider: provider, plugin: plugin,
                origin: origin)
        }
    }

    /// - Returns: Whether the provider's answer was applied.
    private func perform(_ request: Request) async -> Bool {
        do {
            let outcome = try await outbox.grantState(
                of: request.identity, clientID: request.clientID, at: request.provider)
            guard case .token(let grant) = outcome else {
                if case .temporarilyUnavailable = outcome { pauses.pause(request.provider.id) }
                return false
            }
            let evidence = try await evidence(behind: grant, request)
            try await write(by: request.origin) { [self] transaction in
                try apply(evidence, request, in: transaction)
            }
            return true
        } catch {
            pauses.pause(request.provider.id)
            Logger.current.warning(
                "identity not read again",
                metadata: ["provider": "\(request.provider.id)", "error": "\(Self.reason(error))"])
            return false
        }
    }

    private func evidence(behind grant: UpstreamGrant, _ request: Request) async throws -> Evidence {
        let identity = try await request.plugin.identity(behind: grant)
        var evidence = try Evidence(identity, from: request.provider)
        // The refresh has stored it.
        evidence.grant = nil
        return evidence
    }

    private func apply(_ evidence: Evidence, _ request: Request, in transaction: borrowing Transaction) throws {
        let accounts = try AccountSnapshot(of: evidence, in: transaction)
        // Unlinked or merged since the session was read, or the provider names another account than the grant's.
        guard let owner = accounts.owner, accounts.bearer?.key == request.user.key, !owner.user.isDisabled,
            accounts.bearer?.isDisabled == false
        else { return }
        let report = MergeReport(
            evidence: evidence, isAutomatic: request.provider.mergesAutomatically, origin: request.origin)
        _ = try mergeUsers(by: report, owner, with: accounts.others, in: transaction)
        // Until an administrator merges the two, the session stays the bearer's, and so do the claims.
        let other = try accounts.others.first {
            try $0.user.key == request.user.key && transaction.user(key: $0.user.key) != nil
        }
        try writer.renew(
            other ?? owner, from: evidence, claiming: other == nil ? accounts.unclaimed : [], isSignIn: false,
            in: transaction)
    }

    /// An error without anything the provider sent.
    private static func reason(_ error: any Error) -> String {
        switch error {
        case let error as ProviderError: "\(error.fault.rawValue) at \(error.step.rawValue): \(error.reason)"
        case let error as BrokerError: error.message
        default: "\(type(of: error))"
        }
    }
}

/// The providers that did not answer lately, which are not asked during a refresh for a while: every session would wait
/// for them. One broker's memory suffices.
final class ProviderPauses: Sendable {
    private let ends = Mutex<[String: ContinuousClock.Instant]>([:])

    static let length = Duration.seconds(60)

    func isPaused(_ provider: String) -> Bool {
        ends.withLock { ends in ends[provider].map { ContinuousClock.now < $0 } ?? false }
    }

    func pause(_ provider: String) {
        ends.withLock { $0[provider] = ContinuousClock.now + Self.length }
    }
}

extension Task where Failure == Never, Success: Sendable {
    /// The task's value, or `nil` when it takes longer; it goes on then.
    fileprivate func value(within limit: Duration) async -> Success? {
        let (values, continuation) = AsyncStream.makeStream(of: Success?.self)
        let waiting = Task<Void, Never> { continuation.yield(await self.value) }
        let timer = Task<Void, any Error> {
            try await Task<Never, Never>.sleep(for: limit)
            continuation.yield(nil)
        }
        defer {
            timer.cancel()
            waiting.cancel()
            continuation.finish()
        }
        for await value in values { return value }
        return nil
    }
}

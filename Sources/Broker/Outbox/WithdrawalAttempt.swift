import BrokerStore
import ProviderKit

/// One attempt to revoke a queued grant at its provider.
struct WithdrawalAttempt: Sendable {
    let withdrawal: Withdrawal
    let withdrawn: WithdrawnGrant
    let stored: StoreContext

    /// Two requests, and a metadata document before them, with 10 s each for the network in the worst case.
    static let deadline = Duration.seconds(20)

    /// Asks the provider.
    ///
    /// - Throws: A store's error.
    func perform(with providers: ProviderDirectory) async throws -> AttemptResult {
        guard let configured = providers.provider(withdrawal.provider) else {
            return .parked("no enabled entry of plugins.json has this id")
        }
        guard configured.isInstallation(of: withdrawal.issuer) else {
            return .parked("the entry is for another instance now: \(configured.provider.instance)")
        }
        guard let provider = configured.provider as? any GrantRevocation else {
            return .dropped("the provider's plugin cannot revoke grants")
        }
        guard provider.clientIDs.contains(where: { $0.hasSameBytes(as: withdrawal.clientID) }) else {
            return .parked("the entry has another client now; the grant belongs to \(withdrawal.clientID)")
        }
        let live = try await liveGrant()
        let result = await ask(provider, of: configured, sparing: live)
        if case .failed = result, Task.isCancelled { return .interrupted }
        return result
    }

    /// Asks within the deadline.
    private func ask(
        _ provider: any GrantRevocation, of configured: ConfiguredProvider, sparing live: LiveGrant
    ) async -> AttemptResult {
        do {
            return try await configured.calls.run(within: Self.deadline) { [grant = withdrawn.grant] in
                switch live {
                case .same: return .dropped("the user was granted the same tokens again")
                case .none:
                    guard try await provider.offersRevocation() else { return Self.notOffered }
                    try await provider.revoke(grant)
                    return .done(nil)
                case .other:
                    guard let provider = provider as? any TokenRevocation, provider.revokesTokensAlone else {
                        return .dropped(
                            "the user has signed in again, and the provider would revoke the new grant as well")
                    }
                    guard try await provider.offersRevocation() else { return Self.notOffered }
                    try await provider.revokeTokens(of: grant)
                    return .done("only these tokens were revoked: the user has signed in again")
                }
            }
        } catch let error as ProviderError {
            return AttemptResult(error)
        } catch is DeadlineExceeded {
            return .failed("no answer within \(Self.deadline.components.seconds) s", retryAfter: nil)
        } catch {
            return .failed("the plugin failed with \(type(of: error))", retryAfter: nil)
        }
    }

    private static let notOffered = AttemptResult.dropped("the provider offers no revocation")

    /// The grant of the same identity in the store now.
    private enum LiveGrant: Sendable {
        case none
        /// The very tokens that are to be revoked.
        case same
        case other
    }

    /// Whether the same identity was granted again to the same client since.
    private func liveGrant() async throws -> LiveGrant {
        try await stored.store.read { transaction in
            for subject in withdrawn.subjects {
                let key = IdentityKey(provider: withdrawal.provider, issuer: withdrawal.issuer, subject: subject)
                guard let identity = try transaction.identity(key) else { continue }
                let grants = try transaction.grants(of: identity.userKey).filter { $0.identityKey == identity.key }
                if let grant = grants.first(where: { $0.clientID.hasSameBytes(as: withdrawal.clientID) }) {
                    return (try? stored.vault.open(grant, of: identity))?.sharesToken(with: withdrawn.grant) == true
                        ? .same : .other
                }
                // A sign-in without a code grants access and leaves no token.
                let isRenewed =
                    identity.linkedAt >= withdrawal.createdAt || identity.lastSignInAt > withdrawal.createdAt
                if grants.isEmpty, isRenewed { return .other }
            }
            return .none
        }
    }
}

extension AttemptResult {
    fileprivate init(_ error: ProviderError) {
        let reason = String(error.reason.prefix(300))
        self =
            switch error.fault {
            case .upstream: .failed(reason, retryAfter: error.retryAfter)
            // A repetition changes nothing: the provider refuses our client, its options, or this token.
            case .configuration, .credential, .cancelled, .nonce: .parked(reason)
            }
    }
}

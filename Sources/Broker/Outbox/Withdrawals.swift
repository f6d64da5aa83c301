import BrokerStore
import Logging
import ProviderKit

/// The outbox of grants that are to be revoked at their providers (Docs/Decisions/0021-withdrawal-outbox.md): flows queue
/// them, ``WithdrawalWorker`` revokes them, administrators see and change the rest.
package struct Withdrawals: StoreLayer {
    package let stored: StoreContext
    let sealer: Sealer
    let providers: ProvidersContext

    init(_ providers: ProvidersContext) {
        stored = providers.stored
        sealer = Sealer(providers.masterKey, for: .withdrawals)
        self.providers = providers
    }

    /// Begins to withdraw grants. A flow calls it before its transaction and queues within.
    func order(_ cause: Withdrawal.Cause) -> WithdrawalOrder {
        WithdrawalOrder(cause, self)
    }
}

/// What would become of the grants of an identity that left now, in the words of ``WithdrawalReceipt/State/name``.
package enum WithdrawalForecast: String, Sendable, Hashable {
    case queued, nothingStored, notSupported
}

extension Withdrawals {
    /// Whether the plugin can revoke grants. An unknown one may.
    func canRevoke(_ identity: Identity) -> Bool {
        providers.configured.revokesGrants(identity.provider) ?? true
    }

    /// - Parameters:
    ///   - identity: The identity.
    ///   - hasGrant: Whether a grant of it is stored.
    /// - Returns: What would become of its grants.
    func forecast(of identity: Identity, hasGrant: Bool) -> WithdrawalForecast {
        guard canRevoke(identity) else { return .notSupported }
        return hasGrant ? .queued : .nothingStored
    }
}

/// Revokes queued grants at their providers. A second attempt at a revoked grant is a success.
typealias WithdrawalWorker = QueueWorker<Withdrawals>

extension Withdrawals: QueuedWork {
    static let service = "Withdrawals"
    static let failure: Logger.Message = "withdrawals failed"
    static let pace = QueuePace(
        interval: .seconds(2), claimDuration: .seconds(30), batch: 8,
        backoff: RetryBackoff(first: .seconds(30), longest: .seconds(3600)))

    func attempt(_ withdrawal: Withdrawal, _: Void) async throws -> AttemptResult {
        let withdrawn: WithdrawnGrant
        do throws(SealError) {
            withdrawn = try WithdrawnGrant(opening: withdrawal, with: sealer)
        } catch {
            return .parked("the sealed grant does not open (\(error))")
        }
        let attempt = WithdrawalAttempt(withdrawal: withdrawal, withdrawn: withdrawn, stored: stored)
        return try await attempt.perform(with: providers.current)
    }

    var audit: (@Sendable (String, Withdrawal, String?, borrowing Transaction) throws -> Void)? {
        { event, withdrawal, reason, transaction in
            // The sealed part names the user; a damaged row can be dropped all the same.
            let localID = (try? WithdrawnGrant(opening: withdrawal, with: sealer))?.localID
            try transaction.audit(event, of: withdrawal, user: localID, reason: reason)
        }
    }

    func message(of state: Withdrawal.State) -> (level: Logger.Level, text: Logger.Message) {
        switch state {
        case .done: (.info, "grant withdrawn")
        case .dropped: (.notice, "withdrawal dropped")
        case .queued: (.info, "withdrawal failed; it is repeated")
        case .parked: (.error, "withdrawal parked; it needs an operator")
        case .dead: (.error, "withdrawal abandoned")
        }
    }

    func metadata(of withdrawal: Withdrawal) -> Logger.Metadata {
        ["receipt": "\(withdrawal.id)", "provider": "\(withdrawal.provider)"]
    }
}

extension Transaction {
    /// Adds the audit entry `withdrawal.EVENT`.
    func audit(
        _ event: String, of withdrawal: Withdrawal, user localID: String?, reason: String? = nil,
        by origin: Origin? = nil
    ) throws {
        var detail: JSONObject = [
            "receipt": .string(withdrawal.id), "cause": .string(withdrawal.cause.rawValue),
            "client": .string(withdrawal.clientID),
        ]
        detail["reason"] = reason.map(JSONValue.string)
        try audit(
            "withdrawal." + event, of: localID, provider: withdrawal.provider, subjectHash: withdrawal.subjectHash,
            detail: detail, by: origin)
    }
}

import BrokerStore
import Foundation
import Logging
import ProviderKit
import Synchronization

/// Leaves a decision record for a request that was refused before the resolver decided, so that `broker explain` knows the
/// number its error page shows. For requests whose attempt or session was found only, and within a budget for each client
/// network: a stranger can begin attempts and have them refused at will.
final class RecordRefusal: Sendable {
    private let store: Store
    private let keys: KeyGenerator
    private let now: @Sendable () -> Date
    private let budget = Mutex(AttemptBudget())

    /// The rule's name in records of what the resolver was never asked.
    static let rule = "proof"

    init(store: Store, keys: KeyGenerator, now: @escaping @Sendable () -> Date) {
        self.store = store
        self.keys = keys
        self.now = now
    }

    /// Writes the record, unless the request has one of a refusal or its network's budget is empty. A store that does not
    /// answer is logged: the page matters more.
    ///
    /// - Parameters:
    ///   - error: Why the request was refused.
    ///   - provider: The provider's id in `plugins.json`.
    ///   - origin: The request.
    func callAsFunction(_ error: BrokerError, at provider: String, origin: Origin) async {
        let date = now()
        if let client = ClientNetwork.current, budget.withLock({ $0.take(client, at: date) }) != nil { return }
        let wireMessage = error.wireMessage
        let code = String(wireMessage.prefix { $0 != " " })
        let decision = Decision(
            key: keys.next(at: date), at: Timestamp(date), requestID: origin.requestID, provider: provider, issuer: "",
            subjectHash: "", rule: Self.rule, outcome: "refused " + code,
            evidence: JSONValue.object(["error": .string(wireMessage)]).serialized())
        do {
            try await store.write { transaction in
                let earlier = try transaction.decisions(requestID: decision.requestID, limit: 10)
                guard !earlier.contains(where: { $0.outcome.hasPrefix("refused") }) else { return }
                try transaction.append(decision)
            }
        } catch {
            Logger.current.warning("refusal not recorded", metadata: ["error": "\(error)"])
        }
    }
}

import BrokerStore
import Foundation
import Logging
import ProviderKit

extension AccountContext {
    /// Writes a decision record for a request that was refused before ``AccountResolver`` decided, so that `broker
    /// explain` finds the request id its error page shows. Only for requests whose attempt or session was found, and 60
    /// a minute for each client network: a stranger can begin attempts and have them refused at will.
    ///
    /// Writes the record, unless the request has a refusal's already or its network's limit is met. A store error is
    /// logged only: the error page is shown in any case.
    ///
    /// - Parameters:
    ///   - error: Why the request was refused.
    ///   - provider: The provider's id in `plugins.json`.
    ///   - origin: The request.
    func recordRefusal(_ error: BrokerError, at provider: String, origin: Origin) async {
        let date = now
        if let client = ClientNetwork.current,
            (try? RequestAdmission.current?.take(.recordedRefusals, of: .address(client))) == nil
        {
            return
        }
        let outcome = Decision.refused + error.code.rawValue
        let evidence = JSONValue.object(["error": .string(error.message)]).serialized()
        do {
            try await store.write(at: date) { transaction in
                let earlier = try transaction.decisions(requestID: origin.requestID, limit: 10)
                guard !earlier.contains(where: { $0.outcome.hasPrefix("refused") }) else { return }
                try transaction.append(
                    Decision(
                        key: transaction.nextKey(), at: transaction.now, requestID: origin.requestID,
                        provider: provider, issuer: "", subjectHash: "", rule: "proof", outcome: outcome,
                        evidence: evidence))
            }
        } catch {
            Logger.current.warning("refusal not recorded", metadata: ["error": "\(error)"])
        }
    }
}

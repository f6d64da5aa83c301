package import BrokerStore
import ProviderKit

extension Origin {
    /// An origin with a request id of its own, for work that no HTTP request started.
    package init(
        _ actorKind: AuditEntry.ActorKind, actor: String? = nil, device: ClientDevice = ClientDevice(),
        reason: String? = nil
    ) {
        self.init(
            actorKind, actor: actor, requestID: RequestID.make(), device: device, reason: reason)
    }
}

extension Transaction {
    /// Adds an audit entry with a detail.
    func audit(
        _ event: String, of localID: String?, provider: String? = nil, subjectHash: String? = nil,
        detail: JSONObject, by origin: Origin? = nil
    ) throws(StoreError) {
        try audit(
            event, of: localID, provider: provider, subjectHash: subjectHash,
            detail: AuditDetail(detail), by: origin)
    }
}

import BrokerStore
import ProviderKit

extension AuditEntry {
    /// What was done to a user, or to the broker when `localID` is nil, by whom `origin` says.
    init(
        _ event: String, of localID: String?, key: Int64, at now: Timestamp, _ origin: Origin,
        provider: String? = nil, subjectHash: String? = nil, detail: JSONObject = JSONObject()
    ) {
        self.init(
            key: key, at: now, actorKind: origin.actorKind, actor: origin.actor, event: event, localID: localID,
            provider: provider, subjectHash: subjectHash, requestID: origin.requestID,
            detail: JSONValue.object(detail).serialized())
    }
}

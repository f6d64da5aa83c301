package import BrokerStore

/// Who started a flow, for the audit.
package struct Origin: Sendable {
    package let actorKind: AuditEntry.ActorKind
    /// The admin's or client's name, as far as there is one.
    package let actor: String?
    package let requestID: String
    /// The device the request comes from, as far as it tells.
    package let device: ClientDevice

    package init(
        _ actorKind: AuditEntry.ActorKind, actor: String? = nil, requestID: String = RandomText.alphanumeric(16),
        device: ClientDevice = ClientDevice()
    ) {
        self.actorKind = actorKind
        self.actor = actor
        self.requestID = requestID
        self.device = device
    }
}

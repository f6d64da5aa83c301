/// The actor and the request that a change comes from: what ``Transaction/audit(_:of:provider:subjectHash:detail:by:)``
/// records with it.
package struct Origin: Sendable {
    package let actorKind: AuditEntry.ActorKind
    /// A user's local id, a client id, an administrator's name, if known.
    package let actor: String?
    package let requestID: String
    /// The device that sent the request, as far as it says.
    package let device: ClientDevice

    package init(
        _ actorKind: AuditEntry.ActorKind, actor: String? = nil, requestID: String,
        device: ClientDevice = ClientDevice()
    ) {
        self.actorKind = actorKind
        self.actor = actor
        self.requestID = requestID
        self.device = device
    }

    /// The same request with an actor that was found out since.
    package func acting(as actorKind: AuditEntry.ActorKind, _ actor: String?) -> Origin {
        Origin(actorKind, actor: actor, requestID: requestID, device: device)
    }
}

/// The actor and the request that a change comes from: what ``Transaction/audit(_:of:provider:subjectHash:detail:by:)``
/// records with it.
@usableFromInline
package struct Origin: Sendable {
    package let actorKind: AuditEntry.ActorKind
    /// A user's local id, a client id, an administrator's name, if known.
    package let actor: String?
    package let requestID: String
    /// The device that sent the request, as far as it says.
    package let device: ClientDevice
    /// The reason an administrator changes something, in their words.
    package let reason: String?

    package init(
        _ actorKind: AuditEntry.ActorKind, actor: String? = nil, requestID: String,
        device: ClientDevice = ClientDevice(), reason: String? = nil
    ) {
        self.actorKind = actorKind
        self.actor = actor
        self.requestID = requestID
        self.device = device
        self.reason = reason
    }

    /// The same request with an actor that was found out since.
    package func acting(as actorKind: AuditEntry.ActorKind, _ actor: String?) -> Origin {
        Origin(actorKind, actor: actor, requestID: requestID, device: device, reason: reason)
    }

    /// The same request with the reason that its administrator gives.
    package func because(of reason: String?) -> Origin {
        Origin(actorKind, actor: actor, requestID: requestID, device: device, reason: reason)
    }
}

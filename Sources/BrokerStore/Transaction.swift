import Foundation
import Synchronization

/// The store inside one transaction, lent to the closure of ``Store/write(at:by:_:)`` or ``Store/read(_:)``.
///
/// Each table's operations stand with the table, as an extension. SQL cannot be run from outside this module.
@usableFromInline
package struct Transaction: ~Copyable {
    /// Engines look here for what only they can do.
    let connection: any Connection
    private let context: TransactionContext
    /// The users whose words are written at the end.
    let searchChanges = Mutex(SearchChanges())

    init(on connection: any Connection, in context: TransactionContext = TransactionContext()) {
        self.connection = connection
        self.context = context
    }

    /// The moment that the transaction was given; the system's clock for a transaction that was given none.
    package var now: Timestamp { context.now }
    /// The recipients of events as this process knows them.
    var subscribers: EventSubscribers { context.subscribers }

    /// A private, time-ordered key for a new row. Only rows written by the run that commits keep theirs: the transaction
    /// may run again, and then draws new ones.
    package func nextKey() -> Int64 { context.keys.next(at: now.date) }

    /// Adds an entry to the audit, in the transaction that does what it records, and publishes it to the webhooks that
    /// subscribe to such an event.
    ///
    /// - Parameters:
    ///   - event: What was done, such as `identity.linked`.
    ///   - localID: The user it was done to; nil when it was done to the broker.
    ///   - provider: The provider concerned.
    ///   - subjectHash: Stands for the provider's subject.
    ///   - detail: What the event's name and the other arguments do not say.
    ///   - decision: The decision that it follows from, which has the same key; nil without one.
    ///   - origin: Who did it, when that is another than the transaction was given.
    /// - Throws: ``StoreError``.
    package func audit(
        _ event: String, of localID: String?, provider: String? = nil, subjectHash: String? = nil,
        detail: AuditDetail = AuditDetail(), after decision: Decision? = nil, by origin: Origin? = nil
    ) throws(StoreError) {
        let origin = origin ?? context.origin
        try append(
            AuditEntry(
                key: decision?.key ?? nextKey(), at: now, actorKind: origin?.actorKind ?? .system, actor: origin?.actor,
                event: event,
                localID: localID, provider: provider, subjectHash: subjectHash, requestID: origin?.requestID,
                detail: detail, address: origin?.device.addressPrefix, reason: origin?.reason))
        guard let localID, let kind = UserEvent.Kind(audited: event) else { return }
        var data = ["actor": (origin?.actorKind ?? .system).rawValue]
        data["provider"] = provider
        try publish(kind, of: localID, data)
    }
}

/// The moment, the origin and the keys of one transaction, the same at each repetition.
struct TransactionContext: Sendable {
    var keys = KeyGenerator()
    var subscribers = EventSubscribers()
    /// Nil for transactions that depend on no moment.
    var moment: Timestamp?
    var origin: Origin?

    var now: Timestamp { moment ?? Timestamp(Date()) }
}

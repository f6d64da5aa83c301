// Generated from `provider_events` in Sources/StoreSchema by scripts/generate. Do not edit.

package import StoreSchema

/// A message with an id of its sender, that was received: a second one with the same id has no effect. Senders are
/// providers with their events, and service accounts with their assertions.
package struct ReceivedEvent: Record {
    /// Private, time-ordered.
    package var key: Int64
    /// The id of the provider's entry, or `service-account:` with the id of the account.
    package var provider: String
    /// SHA-256 of the sender's id, for a provider's with its instance.
    package var eventHash: [UInt8]
    package var receivedAt: Timestamp
    /// The time until which the record is stored.
    package var expiresAt: Timestamp

    package init(key: Int64, provider: String, eventHash: [UInt8], receivedAt: Timestamp, expiresAt: Timestamp) {
        self.key = key
        self.provider = provider
        self.eventHash = eventHash
        self.receivedAt = receivedAt
        self.expiresAt = expiresAt
    }
}

extension ReceivedEvent {
    package static let table = TableDefinition.providerEvents
    package static let statements = RecordStatements(table)

    package init(reading row: inout Row) throws(StoreError) {
        key = try row.integer()
        provider = try row.text()
        eventHash = try row.blob()
        receivedAt = try row.time()
        expiresAt = try row.time()
    }

    package var values: [SQLValue] {
        [.integer(key), .text(provider), .blob(eventHash), .time(receivedAt), .time(expiresAt)]
    }
}

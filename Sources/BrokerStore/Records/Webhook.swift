// Generated from `webhooks` in Sources/StoreSchema by scripts/generate. Do not edit.

package import StoreSchema

/// A backend that gets events of users by HTTP.
package struct Webhook: Record {
    /// A sealed secret that signs beside its successor for a while.
    package struct PreviousSecret: Sendable, Hashable {
        package var sealed: [UInt8]
        package var until: Timestamp

        package init(sealed: [UInt8], until: Timestamp) {
            self.sealed = sealed
            self.until = until
        }
    }

    /// The reason and the time since when it gets nothing.
    package struct Disabling: Sendable, Hashable {
        package var at: Timestamp
        package var reason: String

        package init(at: Timestamp, reason: String) {
            self.at = at
            self.reason = reason
        }
    }

    /// Private, time-ordered.
    package var key: Int64
    /// Random, public.
    package var id: String
    package var url: String
    /// The types it gets, or ``everyEvent``.
    package var events: [String]
    package var sealedSecret: [UInt8]
    package var previousSecret: PreviousSecret?
    package var createdAt: Timestamp
    package var disabling: Disabling?

    package init(
        key: Int64, id: String, url: String, events: [String], sealedSecret: [UInt8],
        previousSecret: PreviousSecret? = nil, createdAt: Timestamp, disabling: Disabling? = nil
    ) {
        self.key = key
        self.id = id
        self.url = url
        self.events = events
        self.sealedSecret = sealedSecret
        self.previousSecret = previousSecret
        self.createdAt = createdAt
        self.disabling = disabling
    }
}

extension Webhook {
    package static let table = TableDefinition.webhooks
    package static let statements = RecordStatements(table)

    package init(reading row: inout Row) throws(StoreError) {
        key = try row.integer()
        id = try row.text()
        url = try row.text()
        events = try row.words()
        sealedSecret = try row.blob()
        let previousSecretSealed = try row.optionalBlob()
        let previousSecretUntil = try row.optionalTime()
        if let previousSecretSealed, let previousSecretUntil {
            previousSecret = PreviousSecret(sealed: previousSecretSealed, until: previousSecretUntil)
        } else {
            previousSecret = nil
        }
        createdAt = try row.time()
        let disablingAt = try row.optionalTime()
        let disablingReason = try row.optionalText()
        if let disablingAt, let disablingReason {
            disabling = Disabling(at: disablingAt, reason: disablingReason)
        } else {
            disabling = nil
        }
    }

    package var values: [SQLValue] {
        [
            .integer(key), .text(id), .text(url), .words(events), .blob(sealedSecret),
            .blob(orNull: previousSecret?.sealed), .time(orNull: previousSecret?.until), .time(createdAt),
            .time(orNull: disabling?.at), .text(orNull: disabling?.reason),
        ]
    }
}

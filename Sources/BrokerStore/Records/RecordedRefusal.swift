// Generated from `refusals` in Sources/StoreSchema by scripts/generate. Do not edit.

package import StoreSchema

/// The cause for which a request was refused, by the request's id. Only the newest are there. It says nothing of the
/// user.
package struct RecordedRefusal: Record {
    /// Private, time-ordered.
    package var key: Int64
    package var at: Timestamp
    package var requestID: String
    /// The template of the request's path.
    package var route: String
    /// The HTTP status of the answer.
    package var status: Int64
    /// The stable code of the cause.
    package var code: String
    /// The broker's own text for developers.
    package var text: String?
    /// The provider entry.
    package var provider: String?
    /// The OAuth client, a registered one.
    package var clientID: String?

    package init(
        key: Int64, at: Timestamp, requestID: String, route: String, status: Int64, code: String, text: String? = nil,
        provider: String? = nil, clientID: String? = nil
    ) {
        self.key = key
        self.at = at
        self.requestID = requestID
        self.route = route
        self.status = status
        self.code = code
        self.text = text
        self.provider = provider
        self.clientID = clientID
    }
}

extension RecordedRefusal {
    package static let table = TableDefinition.refusals
    package static let statements = RecordStatements(table)

    package init(reading row: inout Row) throws(StoreError) {
        key = try row.integer()
        at = try row.time()
        requestID = try row.text()
        route = try row.text()
        status = try row.integer()
        code = try row.text()
        text = try row.optionalText()
        provider = try row.optionalText()
        clientID = try row.optionalText()
    }

    package var values: [SQLValue] {
        [
            .integer(key), .time(at), .text(requestID), .text(route), .integer(status), .text(code),
            .text(orNull: text), .text(orNull: provider), .text(orNull: clientID),
        ]
    }
}

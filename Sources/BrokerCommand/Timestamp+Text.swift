import BrokerStore
import Foundation
import ProviderKit

extension Timestamp {
    /// ISO 8601, in UTC and to the second.
    var text: String { date.formatted(.iso8601) }

    /// For a column of a table: in UTC and to the minute.
    var minute: String { String(text.prefix(16)).replacing("T", with: " ") }

    var document: JSONValue { .string(text) }
}

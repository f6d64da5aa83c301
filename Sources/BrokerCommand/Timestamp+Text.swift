import Broker
import BrokerStore
import Foundation
import ProviderKit

extension Timestamp {
    /// For a column of a table: in UTC and to the minute.
    var minute: String { String(text.prefix(16)).replacing("T", with: " ") }

    var document: JSONValue { .string(text) }
}

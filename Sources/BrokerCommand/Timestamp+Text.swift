import BrokerStore
import Foundation
import ProviderKit

extension Timestamp {
    /// As ISO 8601 has it, in UTC and to the second.
    var text: String { date.formatted(.iso8601) }

    var document: JSONValue { .string(text) }
}

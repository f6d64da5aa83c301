import Broker
import BrokerStore
import ProviderKit

extension Timestamp {
    var document: JSONValue { .string(text) }
}

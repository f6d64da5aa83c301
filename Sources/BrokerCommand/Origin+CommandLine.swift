import Broker
import BrokerStore
import Foundation

extension Origin {
    /// The account that runs this program. It has access to the broker's store, so it acts as an administrator.
    static func commandLine(reason: String? = nil) -> Origin {
        Origin(.admin, actor: NSUserName(), reason: reason)
    }
}

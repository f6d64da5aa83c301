import Broker
import BrokerStore
import Foundation

extension Origin {
    /// Whoever runs this program: on the broker's host, with access to its store, they are an administrator.
    static func commandLine() -> Origin { Origin(.admin, actor: NSUserName()) }
}

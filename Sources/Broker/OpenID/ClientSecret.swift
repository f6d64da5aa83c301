import BrokerStore
import Crypto
import Foundation
import OAuth

/// A confidential client's secret: 256 random bits, shown once. The store has its hash.
package struct ClientSecret: Sendable, CustomStringConvertible, CustomReflectable {
    /// For the one time it is shown.
    package let text: String

    /// A new one. It begins with what scanners of leaked secrets can look for.
    static func generate() -> ClientSecret { ClientSecret(text: "bcs1_" + RandomText.secret()) }

    var hash: [UInt8] { RandomText.hash(of: text) }

    package var description: String { "•••" }
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension Client {
    /// Whether `secret` is the client's own, or the previous one while it is valid.
    func accepts(secret: String, at now: Timestamp) -> Bool {
        let hash = ClientSecret(text: secret).hash
        if let secretHash, secretHash == hash { return true }
        guard let previousSecret, now < previousSecret.until else { return false }
        return previousSecret.hash == hash
    }
}

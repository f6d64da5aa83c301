import Foundation

/// How many clients may be connected at once, and how many of those one client network may be.
package struct ConnectionLimit: Sendable, Hashable {
    package var total: Int
    package var share: Int

    package init(total: Int, share: Int) {
        self.total = total
        self.share = share
    }

    /// The store, the providers, logs and files.
    private static let reserve = 128

    /// What the process may open, less what it needs itself. A share is an eighth, but enough for an office behind one
    /// address.
    package static var current: ConnectionLimit {
        let files = sysconf(Int32(_SC_OPEN_MAX))
        let total = min(max((files > 0 ? files : 1024) - reserve, 16), 4096)
        return ConnectionLimit(total: total, share: min(max(total / 8, 64), total))
    }
}

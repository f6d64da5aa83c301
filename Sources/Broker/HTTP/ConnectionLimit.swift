import Foundation

/// The maximum number of client connections, in total and for one client network.
package struct ConnectionLimit: Sendable, Hashable {
    package var total: Int
    package var share: Int

    package init(total: Int, share: Int) {
        self.total = total
        self.share = share
    }

    /// Of a listener of the console: a part of ``reserve``, for a few people with a browser each.
    static let console = ConnectionLimit(total: 64, share: 32)

    /// File descriptors for the store, the providers, logs and files.
    private static let reserve = 128

    /// The process's limit of open files without ``reserve``. A share is an eighth, and at least 64, since an office may
    /// have one address.
    package static var current: ConnectionLimit {
        let files = sysconf(Int32(_SC_OPEN_MAX))
        let total = min(max((files > 0 ? files : 1024) - reserve, 16), 4096)
        return ConnectionLimit(total: total, share: min(max(total / 8, 64), total))
    }
}

import Foundation

/// How many clients may be connected at once: what the process may open, less what it needs itself.
enum ConnectionLimit {
    /// The store, the providers, logs and files.
    private static let reserve = 128

    static var current: Int {
        let files = sysconf(Int32(_SC_OPEN_MAX))
        return min(max((files > 0 ? files : 1024) - reserve, 16), 4096)
    }
}

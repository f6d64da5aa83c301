import Foundation

/// The limit of open files of this process.
enum OpenFiles {
    /// Raises the limit as far as the system allows: the store and the server of a project have about ten files, and
    /// many systems begin with a limit of 1024.
    static func raiseLimit() {
        #if canImport(Darwin)
            let resource = RLIMIT_NOFILE
        #else
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(resource, &limit)
    }
}

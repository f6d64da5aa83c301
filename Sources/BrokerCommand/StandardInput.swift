import Foundation

/// Whether a credential may come by standard input.
enum StandardInput {
    /// A terminal, `/dev/null`, or closed: nobody pipes anything in.
    case nobody
    /// A file or a pipe.
    case piped
    /// Something came, or has ended, over a connection that has no terminal at its end: SSH makes a pipe of whatever
    /// there is.
    case perhaps

    /// So many milliseconds a credential may take to come over SSH before it is taken for none.
    private static let patience: Int32 = 2000

    static func current(environment: [String: String] = ProcessInfo.processInfo.environment) -> StandardInput {
        guard fcntl(STDIN_FILENO, F_GETFD) != -1, isatty(STDIN_FILENO) == 0, kind != .typeCharacterSpecial else {
            return .nobody
        }
        guard LocalBrowser.isRemote(environment), kind != .typeRegular else { return .piped }
        var descriptor = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        return poll(&descriptor, 1, patience) > 0 ? .perhaps : .nobody
    }

    /// What it is on disk; `nil` for a pipe.
    private static var kind: FileAttributeType? {
        let path = URL(filePath: "/dev/fd/\(STDIN_FILENO)").resolvingSymlinksInPath().path
        return (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
    }
}

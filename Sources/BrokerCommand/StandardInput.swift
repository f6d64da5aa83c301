import Foundation

/// The kind of standard input, which decides whether a credential is read from it.
enum StandardInput {
    /// A terminal, `/dev/null`, or closed: there is no input.
    case empty
    /// A file or a pipe.
    case piped
    /// Input, or its end, over SSH without a terminal. SSH always makes standard input a pipe.
    case remote

    /// The time for input to arrive over SSH, in milliseconds.
    private static let patience: Int32 = 2000

    static func current(environment: [String: String] = ProcessInfo.processInfo.environment) -> StandardInput {
        guard fcntl(STDIN_FILENO, F_GETFD) != -1, isatty(STDIN_FILENO) == 0, kind != .typeCharacterSpecial else {
            return .empty
        }
        guard LocalBrowser.isRemote(environment), kind != .typeRegular else { return .piped }
        var descriptor = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        return poll(&descriptor, 1, patience) > 0 ? .remote : .empty
    }

    /// The file type of standard input; `nil` for a pipe.
    private static var kind: FileAttributeType? {
        let path = URL(filePath: "/dev/fd/\(STDIN_FILENO)").resolvingSymlinksInPath().path
        return (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
    }
}

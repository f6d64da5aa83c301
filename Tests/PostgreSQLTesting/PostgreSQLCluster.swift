import Foundation

/// A PostgreSQL server of one's own, gone with this object or with the process, however that ends.
package actor PostgreSQLCluster {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// What can happen to a server.
    package enum Event: String, Sendable {
        /// Every process of it ends at once, as in a power cut.
        case kill
        /// It stops without waiting for its clients.
        case stop
        case start
        /// A standby becomes the primary.
        case promote
    }

    /// Where its socket is.
    package nonisolated let folder: String
    /// The end of the pipe whose closing ends the server.
    private let leash: FileHandle
    private let answers: FileHandle

    /// Makes a server and waits until it takes connections; blocks meanwhile.
    ///
    /// - Parameters:
    ///   - primary: the folder of the server this one is to be a streaming standby of, if it is to be one.
    ///   - settings: `name=value` each.
    /// - Throws: ``Failure`` with what the server said, also when there is no PostgreSQL on this machine.
    package init(standbyOf primary: String? = nil, settings: [String] = []) throws {
        folder = Self.newFolder()
        let process = Process()
        process.executableURL = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "postgresql-cluster")
        process.arguments = [folder] + (primary.map { ["--standby-of", $0] } ?? []) + settings
        let (input, output, problems) = (Pipe(), Pipe(), Pipe())
        // Other children must not keep the server alive.
        for descriptor in [input.fileHandleForWriting.fileDescriptor, output.fileHandleForReading.fileDescriptor] {
            guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else { throw Failure(description: "fcntl: \(errno)") }
        }
        (process.standardInput, process.standardOutput, process.standardError) = (input, output, problems)
        try process.run()
        (leash, answers) = (input.fileHandleForWriting, output.fileHandleForReading)
        guard Self.line(answers) == "ready\n" else {
            let reason = String(bytes: problems.fileHandleForReading.availableData, encoding: .utf8) ?? ""
            throw Failure(description: "PostgreSQL did not start. \(reason)")
        }
    }

    deinit {
        try? leash.close()
    }

    /// Makes `event` happen and waits until it did.
    package func apply(_ event: Event) throws {
        try leash.write(contentsOf: Data((event.rawValue + "\n").utf8))
        guard Self.line(answers) == "done\n" else {
            throw Failure(description: "\(event.rawValue) did not work: see \(folder)/server.log")
        }
    }

    /// The connection string of one of its databases.
    package nonisolated func url(of database: String) -> String {
        // A whole suite shares two cores: a server that lets wait is not one that is gone.
        "postgresql:///\(database)?host=\(folder)&user=postgres&connect_timeout=30"
    }

    private static func line(_ answers: FileHandle) -> String? {
        String(bytes: answers.availableData, encoding: .utf8)
    }

    /// The path of a socket has hardly more than a hundred bytes, hence the short name.
    private static func newFolder() -> String {
        let parents = [ProcessInfo.processInfo.environment["TESTS_TMP"], "/tmp"].compactMap(\.self)
        let parent = parents.first { $0.utf8.count < 60 } ?? "/tmp"
        return "\(parent)/pg-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
    }
}

package import BrokerStore
import Foundation
import Synchronization

/// The PostgreSQL of this test process: started by the first test that needs it, gone with the process.
///
/// No server on the machine is a failure of the tests, not a reason to leave them out.
package actor PostgreSQLServer {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    package static let shared = PostgreSQLServer()

    private var started: Task<String, any Error>?
    /// The end of the pipe whose closing ends the server.
    private var leash: Pipe?
    private var templates: [String: Task<Void, any Error>] = [:]

    /// A new database with the schema of the broker in it, to be given back with ``drop(_:)``.
    ///
    /// - Returns: its connection string.
    package func newDatabase() async throws -> String {
        try await newDatabase(like: "template_schema") { url in
            await (try Store.open(postgreSQL: url)).close()
        }
    }

    /// A new database like the one that `prepare` made in an empty one, once for each `template`.
    package func newDatabase(
        like template: String, _ prepare: @escaping @Sendable (String) async throws -> Void
    ) async throws -> String {
        let folder = try await folder()
        if templates[template] == nil {
            templates[template] = Task {
                try await Self.administer(in: folder, "CREATE DATABASE \(template)")
                try await prepare(Self.url(of: template, in: folder))
            }
        }
        try await templates[template]?.value
        return try await create("TEMPLATE \(template)", in: folder)
    }

    /// A new database with nothing in it, to be given back with ``drop(_:)``.
    package func newEmptyDatabase() async throws -> String {
        try await create("", in: try await folder())
    }

    /// Removes a database whoever may still be connected.
    package func drop(_ url: String) async throws {
        let folder = try await folder()
        guard let name = url.split(separator: "?").first?.split(separator: "/").last else { return }
        try await Self.administer(in: folder, "DROP DATABASE \(name) WITH (FORCE)")
    }

    private func create(_ options: String, in folder: String) async throws -> String {
        let name = "test_\(String(UInt64.random(in: 0 ... .max), radix: 36))"
        try await Self.administer(in: folder, "CREATE DATABASE \(name) \(options)")
        return Self.url(of: name, in: folder)
    }

    private static func url(of name: String, in folder: String) -> String {
        "postgresql:///\(name)?host=\(folder)&user=postgres"
    }

    private static func administer(in folder: String, _ sql: String) async throws {
        let url = url(of: "postgres", in: folder)
        try await Task.detached { try RawPostgreSQL(url).run(sql) }.value
    }

    /// The folder of the server's socket; starts the server if there is none yet.
    private func folder() async throws -> String {
        if let started { return try await started.value }
        let leash = Pipe()
        self.leash = leash
        let task = Task.detached { try Self.start(holding: leash) }
        started = task
        return try await task.value
    }

    private static func start(holding leash: Pipe) throws -> String {
        let folder = try newFolder()
        let process = Process()
        process.executableURL = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "postgresql-cluster")
        process.arguments = [
            folder, "fsync=off", "full_page_writes=off", "shared_buffers=64MB", "autovacuum_naptime=10s",
        ]
        // Other children must not keep the server alive.
        let end = leash.fileHandleForWriting.fileDescriptor
        guard fcntl(end, F_SETFD, FD_CLOEXEC) == 0 else { throw Failure(description: "fcntl: \(errno)") }
        let (output, problems) = (Pipe(), Pipe())
        process.standardInput = leash
        process.standardOutput = output
        process.standardError = problems
        try process.run()
        let answer = output.fileHandleForReading.availableData
        guard String(bytes: answer, encoding: .utf8) == "ready\n" else {
            let reason = String(bytes: problems.fileHandleForReading.availableData, encoding: .utf8) ?? ""
            throw Failure(description: "PostgreSQL did not start. \(reason)")
        }
        return folder
    }

    /// The path of a socket has hardly more than a hundred bytes, hence the short name.
    private static func newFolder() throws -> String {
        let parents = [ProcessInfo.processInfo.environment["BROKER_TEST_TMP"], "/tmp"].compactMap(\.self)
        let parent = parents.first { $0.utf8.count < 60 } ?? "/tmp"
        return "\(parent)/pg-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
    }
}

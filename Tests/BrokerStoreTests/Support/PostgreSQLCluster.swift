import Foundation
import Subprocess

/// A PostgreSQL server of our own, reachable through a socket in a temporary folder only.
struct PostgreSQLCluster {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let folder: String
    private let binaries: String

    /// Makes a cluster, lends it to `body`, stops and removes it.
    static func run<T>(_ body: (PostgreSQLCluster) async throws -> T) async throws -> T {
        let binaries = try await command("pg_config", ["--bindir"]).trimmingCharacters(in: .whitespacesAndNewlines)
        let cluster = PostgreSQLCluster(folder: try makeFolder(), binaries: binaries)
        do {
            try await cluster.start()
            let result = try await body(cluster)
            try await cluster.stop()
            return result
        } catch {
            try? await cluster.stop()
            throw error
        }
    }

    /// Feeds `script` to psql, which stops at the first error.
    ///
    /// - Returns: what psql printed.
    func psql(_ script: String) async throws -> String {
        let file = "\(folder)/script-\(randomText(8)).sql"
        try script.write(toFile: file, atomically: false, encoding: .utf8)
        return try await Self.command(
            "\(binaries)/psql",
            ["-X", "-q", "-v", "ON_ERROR_STOP=1", "-h", folder, "-U", "postgres", "-d", "postgres", "-f", file])
    }

    private func start() async throws {
        try await asServer("initdb", ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"])
        try await asServer(
            "pg_ctl",
            ["-D", data, "-w", "-l", "\(data)/log", "-o", "-F -c listen_addresses='' -k \(folder)", "start"])
    }

    private func stop() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        guard FileManager.default.fileExists(atPath: "\(data)/postmaster.pid") else { return }
        try await asServer("pg_ctl", ["-D", data, "-w", "-m", "immediate", "stop"])
    }

    private var data: String { "\(folder)/data" }

    /// PostgreSQL refuses to run as root, so root lends it another user.
    private func asServer(_ program: String, _ arguments: [String]) async throws {
        let path = "\(binaries)/\(program)"
        guard geteuid() == 0 else {
            _ = try await Self.command(path, arguments)
            return
        }
        _ = try await Self.command("runuser", ["-u", Self.serverUser, "--", path] + arguments)
    }

    private static var serverUser: String { getpwnam("postgres") == nil ? "nobody" : "postgres" }

    /// The path of a socket has hardly more than a hundred bytes, hence the short name.
    private static func makeFolder() throws -> String {
        let parents = [ProcessInfo.processInfo.environment["BROKER_TEST_TMP"], "/tmp"].compactMap(\.self)
        let parent = parents.first { $0.utf8.count < 60 } ?? "/tmp"
        let folder = "\(parent)/pg-\(randomText(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        if geteuid() == 0, let user = getpwnam(serverUser) {
            guard chown(folder, user.pointee.pw_uid, user.pointee.pw_gid) == 0 else {
                throw Failure(description: "\(folder) could not be given to \(serverUser)")
            }
        }
        return folder
    }

    private static func command(_ name: String, _ arguments: [String]) async throws -> String {
        let result = try await Subprocess.run(
            .name("env"), arguments: .init([name] + arguments), output: .string(limit: 1 << 20),
            error: .string(limit: 1 << 20))
        guard result.terminationStatus.isSuccess else {
            throw Failure(description: "\(name): \(result.standardError) \(result.standardOutput)")
        }
        return result.standardOutput
    }
}

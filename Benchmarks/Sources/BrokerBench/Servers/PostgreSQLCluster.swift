import BenchmarkLoad
import Foundation

/// A PostgreSQL of our own, with a socket in its folder and no port; other clusters of the machine are left alone.
final class PostgreSQLCluster {
    private let folder: String
    private let log: String
    /// The program that starts the server, and ends and removes it when its standard input does.
    private let holder: ServerProcess
    private let programs: String
    private var databases = 0

    /// Has `program` make and start it in a new folder of `parent`.
    ///
    /// - Throws: ``BenchmarkFailure`` with what it said when it could not.
    init(_ program: String, in parent: String) throws {
        folder = parent + "/broker-pg-" + UUID().uuidString.prefix(8)
        log = folder + ".log"
        let output = try Program.run("/usr/bin/env", ["pg_config", "--bindir"])
        programs = String(decoding: output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        holder = try ServerProcess(program, [folder], log: log) { $0.starts(with: "ready".utf8) ? 0 : nil }
    }

    /// Makes an empty database.
    ///
    /// - Returns: its connection URL.
    func makeDatabase() throws -> String {
        databases += 1
        let name = "broker_\(databases)"
        try Program.run(programs + "/createdb", ["-h", folder, "-U", "postgres", name])
        return "postgresql:///\(name)?host=\(folder)&user=postgres"
    }

    /// The server's processes, which come and go with connections.
    var processes: [Int32] {
        guard let text = try? String(contentsOfFile: folder + "/data/postmaster.pid", encoding: .utf8),
            let postmaster = text.split(separator: "\n").first.flatMap({ Int32($0) })
        else { return [] }
        return ProcessTree.identifiers(of: postmaster)
    }

    func stop() {
        holder.stop()
        try? FileManager.default.removeItem(atPath: log)
    }
}

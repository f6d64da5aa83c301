import Foundation
import PostgreSQLTesting
import Testing

extension PostgreSQLCluster {
    /// Kills one of the processes that work for clients: the server throws all of them out and recovers by itself.
    nonisolated func killBackend() throws {
        let rows = try RawPostgreSQL(url(of: "postgres")).run(
            "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()")
        let pid = try #require(rows.randomElement()?[0].flatMap { pid_t($0) }, "no broker is connected")
        try #require(kill(pid, SIGKILL) == 0)
    }
}

import Foundation
import PostgreSQLTesting
import Testing

extension PostgreSQLCluster {
    /// Kills one of the processes that work for clients: the server throws all of them out and recovers by itself.
    nonisolated func killBackend() throws {
        let connection = try RawPostgreSQL(url(of: "postgres"))
        let rows = try connection.run(
            "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()")
        let pid = try #require(rows.randomElement()?[0].flatMap { pid_t($0) }, "no broker is connected")
        try #require(kill(pid, SIGKILL) == 0)
        // Thrown out as well, this connection shows that the server has noticed.
        for _ in 0..<1500 { guard (try? connection.run("SELECT pg_sleep(0.02)")) != nil else { return } }
        Issue.record("the server goes on without the process")
    }
}

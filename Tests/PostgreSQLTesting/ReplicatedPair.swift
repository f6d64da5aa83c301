import Foundation

/// A primary and its synchronous streaming standby, which has every commit before it is acknowledged.
package struct ReplicatedPair: Sendable {
    package let primary: PostgreSQLCluster
    package let standby: PostgreSQLCluster

    /// Makes both and waits until commits wait for the standby.
    package static func start() async throws -> ReplicatedPair {
        let common = ["fsync=off", "shared_buffers=32MB", "wal_level=replica", "max_wal_senders=4"]
        let pair = try await Task.detached {
            let primary = try PostgreSQLCluster(settings: common)
            return ReplicatedPair(
                primary: primary, standby: try PostgreSQLCluster(standbyOf: primary.folder, settings: common))
        }.value
        try await pair.demandStandby()
        return pair
    }

    /// libpq's way of naming both: whichever takes writes.
    package var url: String {
        "postgresql://\(Self.encoded(primary.folder)),\(Self.encoded(standby.folder))/postgres?user=postgres"
            + "&target_session_attrs=read-write"
    }

    private func demandStandby() async throws {
        try await Task.detached {
            let database = try RawPostgreSQL(primary.url(of: "postgres"))
            try database.run("ALTER SYSTEM SET synchronous_standby_names = '*'")
            try database.run("SELECT pg_reload_conf()")
            // A commit from here on waits for the standby; this one tells that it does so already.
            let deadline = ContinuousClock.now.advanced(by: .seconds(30))
            while try database.run("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'").isEmpty {
                guard ContinuousClock.now < deadline else {
                    throw PostgreSQLCluster.Failure(description: "the standby does not follow")
                }
                try await Task.sleep(for: .milliseconds(50))
            }
        }.value
    }

    private static func encoded(_ folder: String) -> String {
        folder.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? folder
    }
}

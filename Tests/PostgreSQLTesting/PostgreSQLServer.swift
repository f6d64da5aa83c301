import BrokerStore
import NIOPosix

/// The PostgreSQL that the tests of this process share: started by the first that needs it, gone with the process.
///
/// No server on the machine is a failure of the tests, not a reason to leave them out.
package actor PostgreSQLServer {
    package static let shared = PostgreSQLServer()

    private var started: Task<PostgreSQLCluster, any Error>?
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
        let cluster = try await cluster()
        if templates[template] == nil {
            templates[template] = Task {
                try await Self.administer(cluster, "CREATE DATABASE \(template)")
                try await prepare(cluster.url(of: template))
            }
        }
        try await templates[template]?.value
        return try await Self.create("TEMPLATE \(template)", in: cluster)
    }

    /// A new database with nothing in it, to be given back with ``drop(_:)``.
    package func newEmptyDatabase() async throws -> String {
        try await Self.create("", in: try await cluster())
    }

    /// Removes a database, even with open connections.
    package func drop(_ url: String) async throws {
        guard let name = url.split(separator: "?").first?.split(separator: "/").last else { return }
        try await Self.administer(try await cluster(), "DROP DATABASE \(name) WITH (FORCE)")
    }

    private static func create(_ options: String, in cluster: PostgreSQLCluster) async throws -> String {
        let name = "test_\(String(UInt64.random(in: 0 ... .max), radix: 36))"
        try await administer(cluster, "CREATE DATABASE \(name) \(options)")
        return cluster.url(of: name)
    }

    private static func administer(_ cluster: PostgreSQLCluster, _ sql: String) async throws {
        // Making and dropping databases takes a while, and there are no more threads for all tests than processors.
        _ = try await NIOThreadPool.singleton.runIfActive { try RawPostgreSQL(cluster.url(of: "postgres")).run(sql) }
    }

    private func cluster() async throws -> PostgreSQLCluster {
        if let started { return try await started.value }
        let task = Task {
            try await NIOThreadPool.singleton.runIfActive {
                try PostgreSQLCluster(settings: [
                    "fsync=off", "full_page_writes=off", "shared_buffers=64MB", "autovacuum_naptime=10s",
                ])
            }
        }
        started = task
        return try await task.value
    }
}

/// What a run was asked for.
struct Settings: Sendable {
    enum DatabaseKind: String, Sendable, CaseIterable {
        case sqlite, postgresql
    }

    /// Where the bare server runs its handlers.
    enum Executor: String, Sendable, CaseIterable, Encodable {
        /// Swift's thread pool.
        case pool
        /// NIO's event loops, installed as the global executor.
        case eventLoops = "event-loops"

        var other: Executor { self == .pool ? .eventLoops : .pool }
    }

    let broker: String
    /// Another build of the broker, measured in the same rounds.
    let baseline: String?
    /// The programs of the yardsticks.
    let bareServer: String
    let nioServer: String
    let epollServer: String
    /// The library that counts allocations.
    let allocationCounter: String
    /// The library that a broker needs under Valgrind.
    let mainThreadKeeper: String
    /// Of the bare route that ratios are taken with.
    let executor: Executor
    let rounds: Int
    let seconds: Double
    let sessions: Int
    let regimes: Set<CaseName.Regime>
    /// Part of the name of the operations to measure; all when absent.
    let only: String?
    let database: DatabaseKind
    /// The program that holds a PostgreSQL cluster; needed for that database only.
    let postgreSQLCluster: String?
    /// The folder of scripts that run other servers.
    let peers: String?
    /// How many brokers share a store.
    let brokers: Int
    /// A folder in memory.
    let memoryFolder: String
    /// A folder on a disk.
    let diskFolder: String

    var usesDisk: Bool { !regimes.isDisjoint(with: [.durability, .latency]) }
}

/// What a run was asked for.
struct Settings: Sendable {
    enum DatabaseKind: String, Sendable, CaseIterable {
        case sqlite, postgresql
    }

    let broker: String
    let bareServer: String
    let rounds: Int
    let seconds: Double
    let sessions: Int
    let regimes: Set<CaseName.Regime>
    let database: DatabaseKind
    /// The program that holds a PostgreSQL cluster; needed for that database only.
    let postgreSQLCluster: String?
    /// How many brokers share a store.
    let brokers: Int
    /// A folder in memory.
    let memoryFolder: String
    /// A folder on a disk.
    let diskFolder: String

    var usesDisk: Bool { !regimes.isDisjoint(with: [.durability, .latency]) }
}

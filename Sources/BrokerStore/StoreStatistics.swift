/// Counts of what a store did since it was opened.
package struct StoreStatistics: Sendable, Hashable {
    /// Transactions made durable. Smaller than ``writes`` when concurrent writes shared one.
    package let commits: Int
    /// Closures of ``Store/write(_:)`` that ran and were answered.
    package let writes: Int
    /// Closures of ``Store/read(_:)`` that ran and were answered.
    package let reads: Int
    /// Times the write-ahead log was copied into the database file in the background.
    package let checkpoints: Int
}

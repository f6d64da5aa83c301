/// A stretch of rows in the order of their keys, looked through for those that an age makes due: no index of their ages has
/// to be written.
package struct Stretch<Key: Sendable & Hashable>: Sendable, Hashable {
    /// The key of its last row.
    package let end: Key
    /// The number of rows of which something is to be removed.
    package let due: Int
    /// Whether there may be more rows.
    package let isFull: Bool

    /// - Returns: nil when there are no rows.
    init?(_ rows: [(key: Key, isDue: Bool)], limit: Int) {
        guard let last = rows.last else { return nil }
        end = last.key
        due = rows.count(where: \.isDue)
        isFull = rows.count >= limit
    }
}

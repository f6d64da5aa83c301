/// Values by key, in memory of a bounded size: those that came in before the last half of ``capacity`` are forgotten first.
/// A capacity of 0 remembers none, and one of 1 the last two.
package struct BoundedMemory<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The most values that are remembered.
    package let capacity: Int
    private var recent: [Key: Value] = [:]
    private var earlier: [Key: Value] = [:]

    package init(capacity: Int) {
        self.capacity = capacity
    }

    /// The value of a key.
    package subscript(_ key: Key) -> Value? { recent[key] ?? earlier[key] }

    /// The value of a key, which counts as one that just came in.
    package mutating func renew(_ key: Key) -> Value? {
        if let value = recent[key] { return value }
        guard let value = earlier.removeValue(forKey: key) else { return nil }
        insert(value, at: key)
        return value
    }

    package mutating func insert(_ value: Value, at key: Key) {
        guard capacity > 0 else { return }
        if recent[key] == nil, recent.count >= max(1, capacity / 2) { (earlier, recent) = (recent, [:]) }
        recent[key] = value
    }
}

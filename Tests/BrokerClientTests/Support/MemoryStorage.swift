import BrokerClient
import Synchronization

/// A storage in memory that fails as a test says and writes down what happens.
final class MemoryStorage: SessionStorage {
    enum Operation: Sendable, Hashable { case load, save, remove }

    private struct State {
        var items: [StorageKey: StoredItem] = [:]
        var log: [Operation] = []
        var failures: [Operation: BrokerAuthError] = [:]
    }

    private let state = Mutex(State())

    /// The stored sessions.
    var items: [StoredItem] { all.filter { $0.key.service == StorageKey.sessionService } }
    /// The sign-ins that wait for their redirect.
    var pending: [StoredItem] { all.filter { $0.key.service == StorageKey.pendingSignInService } }
    /// Another storage with the same items, as a device has them when the process ends.
    var copy: MemoryStorage {
        let copy = MemoryStorage()
        for item in all { copy.put(item) }
        return copy
    }
    private var all: [StoredItem] { state.withLock { Array($0.items.values) } }
    var log: [Operation] { state.withLock { $0.log } }

    /// The stored session and what outlives it as text.
    var text: String { all.map { String(decoding: $0.content, as: UTF8.self) }.joined(separator: "\n") }

    /// The stored content of a service as text.
    func text(of service: String) -> String? {
        all.first { $0.key.service == service }.map { String(decoding: $0.content, as: UTF8.self) }
    }

    func fail(_ operation: Operation, with error: BrokerAuthError?) {
        state.withLock { $0.failures[operation] = error }
    }

    func put(_ item: StoredItem) { state.withLock { $0.items[item.key] = item } }

    func load(_ key: StorageKey) async throws(BrokerAuthError) -> StoredItem? {
        try note(.load)
        return state.withLock { $0.items[key] }
    }

    func save(_ item: StoredItem) async throws(BrokerAuthError) {
        try note(.save)
        put(item)
    }

    func remove(_ key: StorageKey) async throws(BrokerAuthError) {
        try note(.remove)
        state.withLock { $0.items[key] = nil }
    }

    private func note(_ operation: Operation) throws(BrokerAuthError) {
        let failure = state.withLock { state in
            state.log.append(operation)
            return state.failures[operation]
        }
        if let failure { throw failure }
    }
}

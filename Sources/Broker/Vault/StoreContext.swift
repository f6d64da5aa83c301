package import BrokerStore
package import Foundation

/// The context of the vault, which every other context is made of: the store with its clock, and the keys of what is
/// sealed in it.
package final class StoreContext: StoreLayer {
    package let store: Store
    package let masterKey: MasterKey
    /// The one clock of everything that reads or writes the store.
    package let clock: @Sendable () -> Date
    /// The grants of providers at rest.
    let vault: GrantVault

    /// - Parameters:
    ///   - store: The store.
    ///   - masterKey: The master key of the configuration.
    ///   - clock: The clock.
    package init(_ store: Store, _ masterKey: MasterKey, clock: @escaping @Sendable () -> Date = { Date() }) {
        self.store = store
        self.masterKey = masterKey
        self.clock = clock
        vault = GrantVault(masterKey)
    }

    package var stored: StoreContext { self }
}

/// A context, or a part of one, that reads and writes the store.
package protocol StoreLayer: Sendable {
    var stored: StoreContext { get }
}

extension StoreLayer {
    package var store: Store { stored.store }
    package var masterKey: MasterKey { stored.masterKey }
    package var clock: @Sendable () -> Date { stored.clock }
    /// The present, in the precision of the store.
    package var now: Timestamp { Timestamp(stored.clock()) }

    /// Runs a transaction at the present moment.
    ///
    /// - Parameters:
    ///   - origin: Who causes the change, for the audit.
    ///   - body: The transaction. It may run again.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws, or a store's error; nothing was written then.
    func write<Value: Sendable>(
        by origin: Origin? = nil, _ body: @escaping @Sendable (borrowing Transaction) throws -> Value
    ) async throws -> Value {
        try await store.write(at: now, by: origin, body)
    }
}

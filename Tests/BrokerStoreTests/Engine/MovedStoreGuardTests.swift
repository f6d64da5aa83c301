import Testing

@testable import BrokerStore

/// The guard remembers the transfers it read. Here they change without the triggers of a real move, so that nothing but
/// the guard can refuse.
@Suite("The guard of a moved store")
struct MovedStoreGuardTests {
    private struct Refusal: Error {}

    private static let switching = Transfer(
        role: .outgoing, id: "copy", phase: .switching, other: "elsewhere", revision: 0, changedAt: .noon)

    /// The first refusals of a write, a read and a point read.
    private static func refusals(of store: Store) async -> [StoreError.Kind?] {
        let user = User.sample()
        return [
            await failure(StoreError.self) { try await store.addUser() }?.kind,
            await failure(StoreError.self) { _ = try await store.user(user) }?.kind,
            await failure(StoreError.self) { _ = try await store.pointRead { tx in try tx.user(key: user.key) } }?.kind,
        ]
    }

    @Test func `sees each change of another process at once`() async throws {
        try await withStoreFile { store, path in
            let mover = try await Store.open(sqlite: path, for: .transfer)
            for _ in 0..<3 {
                #expect(await Self.refusals(of: store) == [nil, nil, nil])

                try await mover.write { tx in _ = try tx.insert(Self.switching) }
                #expect(await Self.refusals(of: store) == [.moved, nil, nil])

                let moved = try await mover.change(Self.switching, at: .noon) { $0.phase = .moved }
                #expect(await Self.refusals(of: store) == [.moved, .moved, .moved])

                try await mover.write { tx in try tx.delete(moved) }
            }
            #expect(await Self.refusals(of: store) == [nil, nil, nil])
            await mover.close()
        }
    }

    @Test func `sees a change of its own connection`() async throws {
        try await withStoreFile { store, _ in
            try await store.addUser()
            try await store.write { tx in _ = try tx.insert(Self.switching) }

            #expect(await Self.refusals(of: store) == [.moved, nil, nil])
        }
    }

    @Test func `sees a change in the transaction that makes it, and forgets it with that transaction`() async throws {
        try await withStore { store in
            _ = await failure(Refusal.self) {
                try await store.write { tx in
                    _ = try tx.insert(Self.switching)
                    #expect(try tx.transfers() == [Self.switching])
                    throw Refusal()
                }
            }

            #expect(await Self.refusals(of: store) == [nil, nil, nil])
        }
    }

    @Test func `looks anew for a read that looks itself first`() async throws {
        var options = SQLiteOptions()
        options.readers = 1
        try await withStoreFile(options) { store, path in
            try await store.ping()
            let mover = try await Store.open(sqlite: path, for: .transfer)
            try await mover.write { tx in _ = try tx.insert(Self.switching) }
            await mover.close()

            let refusal = await failure(StoreError.self) {
                try await store.read { tx in try tx.refuseIfMoved(for: .starting) }
            }

            #expect(refusal?.kind == .moved)
        }
    }
}

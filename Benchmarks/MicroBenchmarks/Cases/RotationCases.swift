import BrokerStore
import Foundation

/// The rotation of a refresh token in the store, beside the same SQL without any of us.
struct RotationCases {
    static let shapes = [
        RotationShape(.full, callers: 16), RotationShape(.normal, callers: 16), RotationShape(.full, callers: 1),
        RotationShape(.normal, callers: 1),
    ]

    let folder: BenchmarkFolder
    let sessions: Int

    /// - Returns: the cases, and the stores to close when they are done.
    func all() async throws -> (cases: [BenchmarkCase], stores: [Store]) {
        var cases: [BenchmarkCase] = []
        var stores: [Store] = []
        for synchronous in [SQLiteOptions.Synchronous.full, .normal] {
            let shapes = Self.shapes.filter { $0.synchronous == synchronous }
            let (store, ring) = try await settled(folder.file("store-\(synchronous.rawValue).sqlite"), synchronous)
            cases += shapes.map { rotating($0, store, ring) }
            stores.append(store)

            let path = folder.file("raw-\(synchronous.rawValue).sqlite")
            let (other, rawRing) = try await settled(path, synchronous)
            await other.close()
            for shape in shapes {
                cases.append(RawRotation(path: path, shape: shape, isUpdateOnly: true, sessions: rawRing).benchmark)
                cases.append(RawRotation(path: path, shape: shape, isUpdateOnly: false, sessions: rawRing).benchmark)
            }
        }
        return (cases, stores)
    }

    private func settled(
        _ path: String, _ synchronous: SQLiteOptions.Synchronous
    ) async throws -> (Store, Ring<Session>) {
        var options = SQLiteOptions()
        options.synchronous = synchronous
        let store = try await Store.open(sqlite: path, options: options)
        return (store, Ring(try await Population.settle(sessions, in: store).map(\.session)))
    }

    private func rotating(_ shape: RotationShape, _ store: Store, _ ring: Ring<Session>) -> BenchmarkCase {
        .callers(shape.callers, shape.storeName, in: .store) {
            let (place, session) = ring.take()
            let rotation = try await store.rotate(
                sessionID: session.id, generation: session.generation, at: Timestamp(Date()),
                idleSince: session.createdAt, createdSince: session.createdAt)
            guard case .rotated(let facts) = rotation else { throw BenchmarkFailure("a session did not rotate") }
            ring.put(facts.session, at: place)
        }
    }
}

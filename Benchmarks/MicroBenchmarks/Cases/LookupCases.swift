import BrokerStore
import Foundation

/// The facts of a session, as every request with a token reads them, beside the same SQL without any of us.
struct LookupCases {
    let folder: BenchmarkFolder
    let sessions: Int

    /// - Returns: the cases, and the store to close when they are done.
    func all() async throws -> (cases: [BenchmarkCase], store: Store) {
        let path = folder.file("lookup.sqlite")
        let store = try await Store.open(sqlite: path)
        let ring = Ring(try await Population.settle(sessions, in: store).map(\.session))
        let cases = [1, 16].flatMap { callers in
            [
                looking(.pointRead(callers), callers, ring) { session in
                    try await store.pointRead { tx in try tx.sessionFacts(id: session.id) }
                },
                looking(.read(callers), callers, ring) { session in
                    try await store.read { tx in try tx.sessionFacts(id: session.id) }
                },
            ]
        }
        return (cases + [raw(path, ring)], store)
    }

    private func looking(
        _ name: CaseName, _ callers: Int, _ ring: Ring<Session>,
        _ read: @escaping @Sendable (Session) async throws -> SessionFacts?
    ) -> BenchmarkCase {
        .callers(callers, name, in: .store) {
            guard try await read(ring.take().value) != nil else { throw BenchmarkFailure("a session was not found") }
        }
    }

    private func raw(_ path: String, _ ring: Ring<Session>) -> BenchmarkCase {
        BenchmarkCase(.rawLookup, in: .rawStore) { duration in
            let database = try RawDatabase(path, .full)
            let statement = try database.statement(Identity.ofSession)
            var operations = 0
            let watch = Stopwatch()
            while watch.isBefore(duration) {
                let session = ring.take().value
                try database.execute("BEGIN")
                try statement.run([.text(session.id)])
                try database.execute("ROLLBACK")
                operations += 1
            }
            return try watch.stop(after: operations)
        }
    }
}

extension CaseName {
    static let rawLookup: CaseName = "one statement, one view"

    static func pointRead(_ callers: Int) -> CaseName { "Store.pointRead of a session, \(callers) at once" }
    static func read(_ callers: Int) -> CaseName { "Store.read of a session, \(callers) at once" }
}

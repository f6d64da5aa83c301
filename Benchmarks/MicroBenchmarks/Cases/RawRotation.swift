import BrokerStore
import Foundation

/// A bare group-commit loop on one thread: the store's own SQL, without queue, continuation, savepoints and types.
struct RawRotation: Sendable {
    let path: String
    let shape: RotationShape
    /// Whether only the session is updated, or the user and the identities are read as well, as a rotation does.
    let isUpdateOnly: Bool
    let sessions: Ring<Session>

    var benchmark: BenchmarkCase {
        BenchmarkCase(isUpdateOnly ? shape.rawUpdateName : shape.rawRotationName, in: .rawStore) { duration in
            let database = try RawDatabase(path, shape.synchronous)
            let (update, others) = try statements(of: database)
            var operations = 0
            let watch = Stopwatch()
            while watch.isBefore(duration) {
                try database.execute("BEGIN IMMEDIATE")
                for _ in 0..<shape.callers { try rotate(update, others) }
                try database.execute("COMMIT")
                operations += shape.callers
            }
            return try watch.stop(after: operations)
        }
    }

    private func statements(of database: RawDatabase) throws(BenchmarkFailure) -> (RawStatement, [RawStatement]) {
        let update = try database.statement(Session.rotation)
        guard !isUpdateOnly else { return (update, []) }
        return (update, [try database.statement(TokenIdentity.ofSession)])
    }

    private func rotate(_ update: RawStatement, _ others: [RawStatement]) throws(BenchmarkFailure) {
        var (place, session) = sessions.take()
        let now = Timestamp(Date()).milliseconds
        let since = session.createdAt.milliseconds
        let rows = try update.run(
            [.text(session.id), .integer(session.generation), .integer(now), .integer(since), .integer(since)])
        guard rows == 1 else { throw BenchmarkFailure("a session did not rotate") }
        for statement in others { _ = try statement.run([.text(session.id)]) }
        session.generation += 1
        sessions.put(session, at: place)
    }
}

import Foundation

/// What a disk gives a single writer that shares each commit among so many updates, with nothing of the broker around
/// it: one prepared `UPDATE … RETURNING` on a random key in a file of its own, write-ahead log, `synchronous=FULL`.
package final class RawGroupCommit {
    /// What a run came to.
    package struct Outcome: Sendable {
        package let updates: Int
        package let commits: Int
        package let wall: Duration
    }

    private let database: RawDatabase
    private let update: RawStatement
    private let ids: [String]
    private var generations: [Int64]
    private var next = 0

    /// Makes a file with `rows` sessions in it.
    ///
    /// - Throws: ``RawDatabaseError``.
    package init(path: String, rows: Int) throws(RawDatabaseError) {
        database = try RawDatabase(path)
        ids = (0..<max(rows, 1)).map { _ in Self.randomID() }
        generations = ids.map { _ in 1 }
        try database.execute(Self.table)
        try database.execute("BEGIN IMMEDIATE")
        let insert = try database.statement("INSERT INTO sessions VALUES ($1, $2, $3, 1, 0)")
        for (key, id) in ids.enumerated() { try insert.run([.integer(Int64(key)), .text(id), .integer(Int64(key))]) }
        try database.execute("COMMIT")
        update = try database.statement(
            """
            UPDATE sessions SET generation = generation + 1, rotated_at = $3 WHERE id = $1 AND generation = $2
            RETURNING key
            """)
    }

    /// Commits again and again for so long; blocks.
    ///
    /// - Throws: ``RawDatabaseError``.
    package func run(updatesPerCommit: Int, for duration: Duration) throws(RawDatabaseError) -> Outcome {
        let start = ContinuousClock.now
        var commits = 0
        while ContinuousClock.now - start < duration {
            try database.execute("BEGIN IMMEDIATE")
            for _ in 0..<updatesPerCommit { try updateNext() }
            try database.execute("COMMIT")
            commits += 1
        }
        return Outcome(updates: commits * updatesPerCommit, commits: commits, wall: ContinuousClock.now - start)
    }

    private func updateNext() throws(RawDatabaseError) {
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        let rows = try update.run([.text(ids[next]), .integer(generations[next]), .integer(now)])
        guard rows == 1 else { throw RawDatabaseError(description: "a session was not updated") }
        generations[next] += 1
        next = (next + 1) % ids.count
    }

    /// As the broker's table has it, without what a rotation does not touch.
    private static let table = """
        CREATE TABLE sessions (
            key bigint PRIMARY KEY, id text NOT NULL UNIQUE, user_key bigint NOT NULL, generation bigint NOT NULL,
            rotated_at bigint
        ) WITHOUT ROWID
        """

    private static func randomID() -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
        return String((0..<22).map { _ in letters[Int.random(in: letters.indices)] })
    }
}

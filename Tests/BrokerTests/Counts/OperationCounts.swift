import Foundation
import PostgreSQLTesting

/// What one operation costs the store, in counts that do not depend on the machine.
struct OperationCounts: Sendable, Hashable, Codable {
    /// SQL statements, without those that begin and end transactions.
    var statements = 0
    var readTransactions = 0
    /// Each has a commit to itself, since operations are measured one after the other.
    var writeTransactions = 0
    /// On SQLite: pages written to the write-ahead log, 4 120 bytes each.
    var walFrames: Int?
    /// On SQLite: growth of the rows and index entries, in bytes, without the space that pages leave free.
    var bytesKept: Int?
    /// On PostgreSQL: how often the answer waits for the server.
    var roundTrips: Int?

    /// Those of one operation, from what the store had counted before and after it.
    static func - (after: OperationCounts, before: OperationCounts) -> OperationCounts {
        OperationCounts(
            statements: after.statements - before.statements,
            readTransactions: after.readTransactions - before.readTransactions,
            writeTransactions: after.writeTransactions - before.writeTransactions,
            walFrames: difference(after.walFrames, before.walFrames),
            bytesKept: difference(after.bytesKept, before.bytesKept),
            roundTrips: difference(after.roundTrips, before.roundTrips))
    }

    /// The median of each count, since an insertion may split a page or make a number a byte longer.
    static func median(of several: [OperationCounts]) -> OperationCounts {
        func median(_ count: (OperationCounts) -> Int?) -> Int? {
            let sorted = several.compactMap(count).sorted()
            return sorted.isEmpty ? nil : sorted[sorted.count / 2]
        }
        return OperationCounts(
            statements: median(\.statements) ?? 0, readTransactions: median(\.readTransactions) ?? 0,
            writeTransactions: median(\.writeTransactions) ?? 0, walFrames: median(\.walFrames),
            bytesKept: median(\.bytesKept), roundTrips: median(\.roundTrips))
    }

    /// What of these counts is more than `recorded`, by name; what was not recorded is more than nothing.
    func growth(over recorded: OperationCounts?) -> [String] {
        let counts: [(String, KeyPath<OperationCounts, Int?>)] = [
            ("statements", \.ofStatements), ("read transactions", \.ofReadTransactions),
            ("write transactions", \.ofWriteTransactions), ("WAL frames", \.walFrames), ("bytes kept", \.bytesKept),
            ("round trips", \.roundTrips),
        ]
        return counts.compactMap { name, path in
            guard let count = self[keyPath: path], count > recorded?[keyPath: path] ?? -1 else { return nil }
            return "\(count) \(name), recorded \(recorded?[keyPath: path].map(String.init) ?? "none")"
        }
    }

    private static func difference(_ after: Int?, _ before: Int?) -> Int? {
        after.flatMap { after in before.map { after - $0 } }
    }

    private var ofStatements: Int? { statements }
    private var ofReadTransactions: Int? { readTransactions }
    private var ofWriteTransactions: Int? { writeTransactions }
}

/// The counts in `Benchmarks/Counts.json`: by engine, then by operation.
struct RecordedCounts {
    private static let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Benchmarks/Counts.json")

    private var engines: [String: [String: OperationCounts]] = [:]

    subscript(_ engine: TestEngine) -> [String: OperationCounts] {
        get { engines[engine.rawValue] ?? [:] }
        set { engines[engine.rawValue] = newValue }
    }

    /// - Throws: when the file cannot be read.
    static func read() throws -> RecordedCounts {
        RecordedCounts(
            engines: try JSONDecoder().decode([String: [String: OperationCounts]].self, from: Data(contentsOf: url)))
    }

    /// - Throws: when the file cannot be written.
    func write() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        try (encoder.encode(engines) + Data("\n".utf8)).write(to: Self.url)
    }
}

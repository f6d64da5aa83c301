import ArgumentParser
import BrokerStore
import ProviderKit

struct StoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Verify, back up, restore and move the database, without the master key.",
        subcommands: [Verify.self, Backup.self, Restore.self, Erasures.self, Copy.self])
}

extension TableDigest {
    /// The digest for `--json`.
    var document: JSONValue {
        ["table": .string(table), "rows": .number(JSONNumber(rows)), "sha256": .string(sha256)]
    }
}

extension Int {
    /// The number of rows as text.
    var rowsText: String { self == 1 ? "1 row" : "\(self) rows" }
}

extension TransferRefusal {
    /// The error code for scripts.
    var commandCode: String {
        switch self {
        case .sourceIsNoSQLiteFile: "SOURCE_IS_NOT_SQLITE"
        case .sameStore: "SAME_STORE"
        case .targetIsNotEmpty: "TARGET_NOT_EMPTY"
        case .differentSchemas: "DIFFERENT_SCHEMAS"
        case .anotherCopy: "ANOTHER_COPY"
        case .continuedElsewhere: "CONTINUED_ELSEWHERE"
        case .movedAlready: "MOVED_ALREADY"
        case .notMoving: "NOT_MOVING"
        case .withdrawing: "WITHDRAWING"
        case .tablesDiffer: "TABLES_DIFFER"
        }
    }
}

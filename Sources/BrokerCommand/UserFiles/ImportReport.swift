import Broker
import Foundation
import ProviderKit

/// The report of an import: one JSON object in each line, for every user with something that is not imported.
final class ImportReport {
    private let handle: FileHandle?
    private var buffer: [UInt8] = []
    /// The first refused users, for a command without `--output`.
    private(set) var firstRefusals: [String] = []

    private static let shownRefusals = 10

    /// - Parameter path: The file, which only its owner can read; nil for no file. An earlier one is replaced.
    /// - Throws: ``CommandFailure``.
    init(_ path: String?) throws(CommandFailure) {
        guard let path else {
            handle = nil
            return
        }
        guard let handle = PrivateFiles.writer(path, replacing: true) else {
            throw CommandFailure(code: "CANNOT_WRITE", "the report \(path) cannot be written")
        }
        self.handle = handle
    }

    /// Adds a user, unless everything of it was imported.
    func add(_ user: ForeignUser, _ result: ImportUserPage.Result?, outcome: String) throws {
        let dropped = user.dropped + (result?.dropped ?? [])
        if let message = result?.message, firstRefusals.count < Self.shownRefusals {
            firstRefusals.append("\(user.localID): \(message)\(result?.conflictsWith.map { " (\($0))" } ?? "")")
        }
        guard handle != nil, !dropped.isEmpty || !["created", "replaced", "unchanged"].contains(outcome) else { return }
        var row = JSONObject([("localId", .string(user.localID)), ("outcome", .string(outcome))])
        row["code"] = result?.code.map(JSONValue.string)
        row["message"] = result?.message.map(JSONValue.string)
        row["conflictsWith"] = result?.conflictsWith.map(JSONValue.string)
        if !dropped.isEmpty { row["dropped"] = .array(dropped.map(JSONValue.string)) }
        row.append(to: &buffer)
        buffer.append(0x0A)
        if buffer.count >= 1 << 16 { try flush() }
    }

    func flush() throws {
        guard !buffer.isEmpty else { return }
        try handle?.write(contentsOf: buffer)
        buffer.removeAll(keepingCapacity: true)
    }
}

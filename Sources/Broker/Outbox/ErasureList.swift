package import BrokerStore
package import Foundation
package import ProviderKit

/// The list of erasures of a SQLite store: a file with the local ids of deleted users and the times of their deletion,
/// from which `broker store restore` deletes the users of an earlier backup again.
///
/// It is beside the data folder, so that a backup of that folder does not have it: it would be as old as the users in the
/// backup. It is made of the audit, so a deletion by a process that was killed is not lost.
package struct ErasureList: StoreLayer {
    package let stored: StoreContext
    private let path: String
    /// As that of audit entries; nil keeps lines without limit.
    private let retention: Duration?
    /// The place in the audit behind which the next turn looks; nil before the first one.
    private var position: Int64?
    /// The lines of entries behind it.
    private var recent: Set<Erasure> = []

    package static let interval = Duration.seconds(1)
    /// A transaction commits within this time after it drew its keys.
    private static let overlap = Duration.seconds(600)
    private static let pageSize = 500

    package init(_ stored: StoreContext, path: String, retention: Duration?) {
        self.stored = stored
        self.path = path
        self.retention = retention
    }

    /// Appends the deletions that the list does not have yet. The first turn compares all of the audit with it, and
    /// removes lines by their age.
    ///
    /// - Throws: ``ConfigurationError`` when the file cannot be read or written, or a store's error.
    package mutating func turn() async throws {
        let isFirst = position == nil
        let known = isFirst ? try prune() : recent
        var missing: [Erasure] = []
        let horizon = KeyGenerator.firstKey(at: now.advanced(by: .zero - Self.overlap))
        var (later, after) = (Set<Erasure>(), position ?? 0)
        while true {
            let page = try await store.read { [after] in try $0.erasures(after: after, limit: Self.pageSize) }
            for (key, erasure) in page {
                after = key
                if key > horizon { later.insert(erasure) }
                if !known.contains(erasure), !isAged(erasure) { missing.append(erasure) }
            }
            guard page.count == Self.pageSize else { break }
        }
        do {
            try append(missing)
        } catch {
            // A part of a line may be there: the next turn begins with the file as it is.
            position = nil
            throw error
        }
        (recent, position) = (later, horizon)
    }

    private func isAged(_ erasure: Erasure) -> Bool {
        guard let retention else { return false }
        return erasure.at < now.advanced(by: .zero - retention)
    }

    /// Removes the lines that are older than the retention, and one that a crash has cut off.
    ///
    /// - Returns: The lines that stay.
    private func prune() throws -> Set<Erasure> {
        guard let bytes = FileManager.default.contents(atPath: path) else { return [] }
        let listed = try Self.parse([UInt8](bytes), source: path)
        let kept = listed.filter { !isAged($0) }
        if kept.count < listed.count || bytes.last.map({ $0 != 0x0A }) == true {
            let draft = path + ".new"
            unlink(draft)
            try write(kept, to: draft)
            guard rename(draft, path) == 0 else { throw failure() }
        }
        return Set(kept)
    }

    private func append(_ erasures: [Erasure]) throws {
        guard !erasures.isEmpty else { return }
        let folder = URL(filePath: path).deletingLastPathComponent().path
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw failure() }
        try write(erasures, to: path)
    }

    /// Appends lines to a file, and returns when they are on disk.
    private func write(_ erasures: [Erasure], to file: String) throws {
        let descriptor = open(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure() }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            // One write: other brokers of this store append as well.
            try handle.write(contentsOf: Self.text(of: erasures))
            try handle.synchronize()
        } catch {
            throw failure()
        }
    }

    private func failure() -> ConfigurationError {
        ConfigurationError(
            path, "the list of erasures cannot be written: \(String(cString: strerror(errno))).",
            fix: "Make its folder, writable for the broker alone: a restore needs the list.")
    }
}

extension ErasureList {
    /// The list as text: a JSON object in each line.
    package static func text(of erasures: [Erasure]) -> Data {
        var bytes: [UInt8] = []
        for erasure in erasures {
            document(of: erasure).append(to: &bytes)
            bytes.append(0x0A)
        }
        return Data(bytes)
    }

    /// An erasure as JSON.
    package static func document(of erasure: Erasure) -> JSONObject {
        JSONObject([("localId", .string(erasure.localID)), ("at", .string(erasure.at.millisecondText))])
    }

    /// Reads a list. A last line that a crash has cut off is passed over.
    ///
    /// - Throws: ``ConfigurationError`` with the number of a line that is none of a list.
    package static func parse(_ bytes: [UInt8], source: String) throws(ConfigurationError) -> [Erasure] {
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        var erasures: [Erasure] = []
        for (index, line) in lines.enumerated() where !line.isEmpty {
            if let erasure = Erasure(line) {
                erasures.append(erasure)
            } else if index < lines.count - 1 || !line.starts(with: beginning.prefix(line.count)) {
                throw ConfigurationError(source, "line \(index + 1) is none of a list of erasures.")
            }
        }
        return erasures
    }

    /// How every line begins.
    private static let beginning = Array(#"{"localId":""#.utf8)
}

extension Erasure {
    /// Reads a line of a list.
    fileprivate init?(_ line: ArraySlice<UInt8>) {
        guard let value = try? JSONValue(parsing: line), let localID = value["localId"]?.string,
            let moment = value["at"]?.string.flatMap(Timestamp.init(dateText:))
        else { return nil }
        self.init(localID: localID, at: moment)
    }
}

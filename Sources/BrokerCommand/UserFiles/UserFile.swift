import ArgumentParser
import Foundation
import ProviderKit

/// A file of users, read in pages: never more than a page and a part of the file are in memory.
final class UserFile {
    private let format: UserFileFormat
    private let handle: FileHandle
    private var reader: (any RecordReader)?
    private var isAtEnd = false
    /// The number of users read.
    private(set) var count = 0
    /// The number of bytes read, and the size of the file.
    private(set) var offset = 0
    let size: Int

    private static let partSize = 1 << 20
    /// The number of bytes from which on a page has no more users, so that a request over HTTP has a bounded size.
    private static let pageSize = 4 << 20

    /// - Throws: ``CommandFailure``.
    init(_ path: String, _ format: UserFileFormat) throws(CommandFailure) {
        guard let handle = FileHandle(forReadingAtPath: path), let size = try? handle.seekToEnd(),
            (try? handle.seek(toOffset: 0)) != nil
        else {
            throw CommandFailure(
                code: "NO_FILE", "\(path) cannot be read: pass a file, since it is read twice",
                exitCode: .validationFailure)
        }
        self.format = format
        self.handle = handle
        self.size = Int(size)
    }

    deinit {
        try? handle.close()
    }

    /// The next users; empty at the end of the file.
    ///
    /// - Throws: ``CommandFailure``.
    func page(of limit: Int) throws(CommandFailure) -> [ForeignUser] {
        var users: [ForeignUser] = []
        let end = offset + Self.pageSize
        while users.count < limit, users.isEmpty || offset < end, let record = try nextRecord() {
            users.append(try format.user(record))
            count += 1
        }
        return users
    }

    private func nextRecord() throws(CommandFailure) -> JSONObject? {
        do {
            while true {
                if let record = try reader?.next(isLast: isAtEnd) { return record }
                guard !isAtEnd else { return nil }
                let part = [UInt8](try handle.read(upToCount: Self.partSize) ?? Data())
                isAtEnd = part.isEmpty
                offset += part.count
                if reader == nil { reader = recordReader(beginning: part) }
                reader?.append(part)
            }
        } catch {
            let reason =
                switch error {
                case let error as UserFileError: error.reason
                case let error as JSONParseError: "\(error)"
                default: "it cannot be read on"
                }
            throw CommandFailure(
                code: "INVALID_FILE", "the file is damaged or of another format after \(count) users: \(reason)",
                exitCode: .validationFailure)
        }
    }
}

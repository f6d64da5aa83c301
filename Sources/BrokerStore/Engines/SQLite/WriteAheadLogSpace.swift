import CSQLite
import Foundation

/// Space on the disk for the write-ahead log, which is allocated before its pages come.
///
/// A file system that lengthens a file writes to its own journal as well when it is waited for: on ext4 a commit then takes
/// more than twice as long. A log that has started over is not lengthened; this is for its first pages.
struct WriteAheadLogSpace {
    /// The log becomes longer by as much as it has, within these bounds, in bytes.
    private static let (least, most) = (1 << 20, 8 << 20)

    private let path: String?
    /// The bytes of the log after the last commit.
    private var length = 0
    /// The bytes that have space; `max` when there is none to be had.
    private var end = 0

    /// For the log of a connection, whose file is there as long as the connection is open.
    init(_ connection: SQLiteConnection) {
        path = sqlite3_filename_wal(sqlite3_db_filename(connection.handle, "main")).map { String(cString: $0) }
    }

    /// Takes the length of the log, in pages, after a commit, and makes sure that the next commits have space.
    mutating func follow(_ pages: Int) {
        let length = SQLiteOptions.logBytes(pages)
        // It started over: it may have been cut, and the disk may have space again.
        if length < self.length { end = 0 }
        self.length = length
        guard let path, length + Self.least / 4 > end else { return }
        end = Self.extend(path, to: length + min(max(length, Self.least), Self.most)) ?? .max
    }

    /// Opens and closes the file, which releases no lock of this process: SQLite has those on other files.
    ///
    /// - Returns: The bytes that have space; nil where none could be allocated, which SQLite can do without.
    private static func extend(_ path: String, to end: Int) -> Int? {
        let file = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { return nil }
        let size = Int(status.st_size)
        guard size < end else { return size }
        return csqlite_allocate(file, size, end - size) == 0 ? end : nil
    }
}

import CSQLite
import Foundation
import Synchronization

/// A disk for one SQLite file and its write-ahead log, which can be slow and can fail.
///
/// SQLite reaches its files by a table of functions, its VFS. Here that table is copied, with some functions replaced, and
/// SQLite uses the copy for files that are opened from now on.
final class TestDisk: Sendable {
    private struct State {
        var waiting = 0
        var mostWaiting = 0
        var pagesOffDisk = 0
        var mostPagesOffDisk = 0
    }

    /// A file that SQLite has open, whose functions were replaced.
    private struct File {
        let disk: TestDisk
        let original: Methods
        let isLog: Bool
    }

    /// The functions of a kind of files, which SQLite never changes.
    private struct Methods: Hashable, @unchecked Sendable {
        let pointer: UnsafePointer<sqlite3_io_methods>
    }

    private static let disks = Mutex<[String: TestDisk]>([:])
    /// By the address of SQLite's record of each.
    private static let files = Mutex<[UInt: File]>([:])
    /// The functions in use, by those they stand for: the database and its log have different ones.
    private static let replacements = Mutex<[Methods: Methods]>([:])

    private let path: String
    private let delay: Duration
    private let isSlow = Atomic(false)
    private let isFailing = Atomic(false)
    private let state = Mutex(State())

    /// For a file that no one has opened yet.
    init(_ path: String, delay: Duration = .zero) {
        self.path = path
        self.delay = delay
        _ = Self.isInstalled
        Self.disks.withLock { $0[path] = self }
    }

    /// Begins to make reads wait.
    func begin() { isSlow.store(true, ordering: .relaxed) }

    /// From now on what was written to the database file does not reach the disk.
    func fail() { isFailing.store(true, ordering: .relaxed) }

    /// Is a good and fast one again, and forgets the file.
    func end() {
        isSlow.store(false, ordering: .relaxed)
        isFailing.store(false, ordering: .relaxed)
        Self.disks.withLock { $0[path] = nil }
    }

    /// The most reads that waited at the same time.
    var mostWaiting: Int { state.withLock(\.mostWaiting) }

    /// The writes to the database file, without its log, that were not followed by a wait for the disk.
    var pagesOffDisk: Int { state.withLock(\.pagesOffDisk) }
    /// The most of them that there ever were.
    var mostPagesOffDisk: Int { state.withLock(\.mostPagesOffDisk) }

    private func wait() {
        guard isSlow.load(ordering: .relaxed) else { return }
        state.withLock { state in
            state.waiting += 1
            state.mostWaiting = max(state.mostWaiting, state.waiting)
        }
        let (seconds, attoseconds) = delay.components
        Thread.sleep(forTimeInterval: Double(seconds) + Double(attoseconds) / 1e18)
        state.withLock { $0.waiting -= 1 }
    }

    private func countPage() {
        state.withLock { state in
            state.pagesOffDisk += 1
            state.mostPagesOffDisk = max(state.mostPagesOffDisk, state.pagesOffDisk)
        }
    }

    private static func disk(of name: String) -> TestDisk? {
        let path = name.hasSuffix("-wal") ? String(name.dropLast(4)) : name
        return disks.withLock { $0[path] }
    }

    private static let isInstalled: Bool = {
        guard let original = sqlite3_vfs_find(nil) else { return false }
        let copy = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        copy.initialize(to: original.pointee)
        copy.pointee.zName = UnsafePointer(strdup("slow"))
        copy.pointee.pNext = nil
        copy.pointee.xOpen = { vfs, name, file, flags, outFlags in
            // SQLite's own, of which this is a copy.
            let code = sqlite3_vfs_find("unix")?.pointee.xOpen(vfs, name, file, flags, outFlags) ?? SQLITE_CANTOPEN
            guard code == SQLITE_OK, let name, let file, let disk = TestDisk.disk(of: String(cString: name)) else {
                return code
            }
            TestDisk.replaceFunctions(of: file, isLog: flags & SQLITE_OPEN_WAL != 0, by: disk)
            return code
        }
        return sqlite3_vfs_register(copy, 1) == SQLITE_OK
    }()

    /// What is not replaced stays SQLite's own.
    private static func replaceFunctions(
        of file: UnsafeMutablePointer<sqlite3_file>, isLog: Bool, by disk: TestDisk
    ) {
        guard let pointer = file.pointee.pMethods else { return }
        let original = Methods(pointer: pointer)
        files.withLock { $0[UInt(bitPattern: file)] = File(disk: disk, original: original, isLog: isLog) }
        file.pointee.pMethods = replacement(of: original).pointer
    }

    private static func replacement(of original: Methods) -> Methods {
        replacements.withLock { replacements in
            if let known = replacements[original] { return known }
            let copy = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
            copy.initialize(to: original.pointer.pointee)
            copy.pointee.xRead = { file, bytes, count, offset in
                guard let known = TestDisk.files.withLock({ $0[UInt(bitPattern: file)] }) else {
                    return SQLITE_IOERR
                }
                known.disk.wait()
                return known.original.pointer.pointee.xRead(file, bytes, count, offset)
            }
            copy.pointee.xWrite = { file, bytes, count, offset in
                guard let known = TestDisk.files.withLock({ $0[UInt(bitPattern: file)] }) else {
                    return SQLITE_IOERR
                }
                if !known.isLog { known.disk.countPage() }
                return known.original.pointer.pointee.xWrite(file, bytes, count, offset)
            }
            copy.pointee.xSync = { file, flags in
                guard let known = TestDisk.files.withLock({ $0[UInt(bitPattern: file)] }) else {
                    return SQLITE_IOERR
                }
                guard !known.isLog else { return known.original.pointer.pointee.xSync(file, flags) }
                guard !known.disk.isFailing.load(ordering: .relaxed) else { return SQLITE_IOERR | (4 << 8) }
                let code = known.original.pointer.pointee.xSync(file, flags)
                if code == SQLITE_OK { known.disk.state.withLock { $0.pagesOffDisk = 0 } }
                return code
            }
            copy.pointee.xClose = { file in
                let known = TestDisk.files.withLock { $0.removeValue(forKey: UInt(bitPattern: file)) }
                return known?.original.pointer.pointee.xClose(file) ?? SQLITE_IOERR
            }
            let replacement = Methods(pointer: UnsafePointer(copy))
            replacements[original] = replacement
            return replacement
        }
    }
}

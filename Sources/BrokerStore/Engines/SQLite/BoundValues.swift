/// The memory of the texts and blobs that are bound to the statement a connection runs: SQLite reads them here and
/// makes no copies of its own.
///
/// One connection runs one statement at a time, and a statement gets new values for each run.
final class BoundValues {
    private var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1024, alignment: 1)
    private var used = 0

    deinit {
        memory.deallocate()
    }

    /// Forgets the values before and makes room for `values`, which keep their places until the next call.
    func makeRoom(for values: [SQLValue]) {
        used = 0
        var needed = 0
        for value in values {
            switch value {
            case .text(let text): needed += text.utf8.count
            case .blob(let bytes): needed += bytes.count
            case .integer, .null: break
            }
        }
        guard needed > memory.count else { return }
        memory.deallocate()
        memory = .allocate(byteCount: max(needed, memory.count * 2), alignment: 1)
    }

    /// Copies one of the values and returns its place: never nil, which SQLite would bind as null.
    func place(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let place = UnsafeMutableRawBufferPointer(rebasing: memory[used..<used + bytes.count])
        place.copyMemory(from: bytes)
        used += bytes.count
        return UnsafeRawBufferPointer(place)
    }
}

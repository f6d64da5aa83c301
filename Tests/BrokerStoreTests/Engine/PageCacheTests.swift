import CSQLite
import Testing

// One test after another: each sets the methods below, which are one variable of C.
@Suite("Page cache of SQLite", .serialized)
struct PageCacheTests {
    /// A cache over one that only remembers the truncations it was asked for.
    private final class Cache {
        private let methods = csqlite_cache_methods(
            sqlite3_pcache_methods2(
                iVersion: 1, pArg: nil, xInit: nil, xShutdown: nil,
                xCreate: { _, _, _ in
                    let truncation = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
                    truncation.initialize(to: 0)
                    return OpaquePointer(truncation)
                },
                xCachesize: { _, _ in }, xPagecount: { _ in 0 },
                xFetch: { _, _, isCreating in
                    isCreating == 0 ? nil : UnsafeMutablePointer(bitPattern: MemoryLayout<sqlite3_pcache_page>.stride)
                },
                xUnpin: { _, _, _ in }, xRekey: { _, _, _, _ in },
                xTruncate: { cache, first in cache.map { UnsafeMutablePointer<UInt32>($0).pointee = first } },
                xDestroy: { $0.map { UnsafeMutablePointer<UInt32>($0).deallocate() } }, xShrink: { _ in }))
        private let cache: OpaquePointer?

        init() { cache = methods.xCreate(4096, 0, 1) }

        func fetch(_ number: UInt32) { _ = methods.xFetch(cache, number, 1) }

        func look(for number: UInt32) { _ = methods.xFetch(cache, number, 0) }

        func move(_ from: UInt32, _ to: UInt32) { methods.xRekey(cache, nil, from, to) }

        /// Whether the cache below was asked to remove the pages from `first` on.
        func truncates(from first: UInt32) -> Bool {
            guard let cache else { return false }
            // The cache begins with the pointer to the one below.
            let below = UnsafeRawPointer(cache).load(as: UnsafeMutablePointer<UInt32>.self)
            below.pointee = 0
            methods.xTruncate(cache, first)
            return below.pointee == first
        }

        deinit { methods.xDestroy(cache) }
    }

    private static let lockPage: UInt32 = 262_145

    @Test func `pages behind the end are removed once`() {
        let cache = Cache()
        for number in 1...9 { cache.fetch(UInt32(number)) }
        cache.look(for: 50)

        #expect(!cache.truncates(from: 10))
        #expect(cache.truncates(from: 9))
        #expect(!cache.truncates(from: 9))
        cache.fetch(9)
        #expect(cache.truncates(from: 5))
    }

    @Test func `a page that was moved behind the end and back has no page looked at`() {
        let cache = Cache()
        for number in 1...9 { cache.fetch(UInt32(number)) }
        for (from, to) in [(4, Self.lockPage), (7, 4), (Self.lockPage, 7)] { cache.move(from, to) }

        #expect(!cache.truncates(from: 10))
    }

    @Test(arguments: [
        [[4, lockPage]], [[4, lockPage], [7, lockPage + 1], [lockPage, 4]], [[4, 12], [7, 11], [11, 7]],
    ])
    func `a page that stays behind the end is removed`(moves: [[UInt32]]) {
        let cache = Cache()
        for number in 1...9 { cache.fetch(UInt32(number)) }
        for move in moves { cache.move(move[0], move[1]) }

        #expect(cache.truncates(from: 10))
        #expect(!cache.truncates(from: 10))
    }
}

import Foundation
import Testing

@testable import BrokerCommand

@Suite("Unused pages")
struct UnusedPagesTests {
    @Test func `mappings of files go unless something was written to them`() {
        let smaps = """
            5589c0000000-5589c0200000 r-xp 00000000 08:01 1234                       /usr/bin/broker
            Size:               2048 kB
            Anonymous:             0 kB
            VmFlags: rd ex mr mw me
            5589c0200000-5589c0300000 r--p 00200000 08:01 1234                       /usr/lib/patched by a debugger
            Anonymous:             4 kB
            5589c0300000-5589c0400000 rw-p 00300000 08:01 1234                       /usr/bin/broker
            Anonymous:             0 kB
            7f0000000000-7f0000100000 r--s 00000000 08:01 99                         /var/lib/broker/broker.sqlite-shm
            Anonymous:             0 kB
            7f0000200000-7f0000300000 r--p 00000000 00:00 0
            Anonymous:             0 kB
            7f0000400000-7f0000500000 r--p 00000000 08:01 77                         /usr/lib/with a space.so
            Anonymous:             0 kB
            7fff00000000-7fff00002000 r-xp 00000000 00:00 0                          [vdso]
            Anonymous:             0 kB
            """

        let ranges = UnusedPages.ranges(of: Data(smaps.utf8))

        #expect(ranges == [0x5589_c000_0000..<0x5589_c020_0000, 0x7f00_0040_0000..<0x7f00_0050_0000])
    }

    #if os(Linux)
        @Test func `those of all libraries go, and the program runs without them`() throws {
            // The stack is behind everything that a program maps.
            let smaps = try UnusedPages.smaps()
            try #require(String(decoding: smaps, as: UTF8.self).contains("[stack]"))
            let before = try Self.residentLibraries(in: smaps)

            UnusedPages.release()

            #expect(try Self.residentLibraries(in: UnusedPages.smaps()) < before)
        }

        /// The kilobytes of libraries' code that are mapped, of those that nothing was written to.
        private static func residentLibraries(in smaps: Data) throws -> Int {
            var (sum, isCode) = (0, false)
            for line in String(decoding: smaps, as: UTF8.self).split(separator: "\n") {
                if line.contains(" r-xp ") { isCode = line.contains(".so") }
                if isCode, line.hasPrefix("Rss:") {
                    sum += try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) })
                    isCode = false
                }
            }
            return sum
        }
    #endif
}

import Foundation
import Testing

@testable import BrokerCommand

@Suite("Pages of the start")
struct StartupPagesTests {
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

        let ranges = StartupPages.ranges(of: Data(smaps.utf8))

        #expect(ranges == [0x5589_c000_0000..<0x5589_c020_0000, 0x7f00_0040_0000..<0x7f00_0050_0000])
    }

    #if os(Linux)
        @Test func `the program goes on without them`() throws {
            let smaps = try #require(FileManager.default.contents(atPath: "/proc/self/smaps"))

            StartupPages.release()

            #expect(!StartupPages.ranges(of: smaps).isEmpty)
        }
    #endif
}

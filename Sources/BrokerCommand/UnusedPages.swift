import Foundation
import ServiceLifecycle

/// The pages of code and constants that are mapped and not in use.
///
/// The kernel maps 64 KB around each page that is touched, so a start and each burst of requests leave most of the program
/// mapped, of which little is used again.
enum UnusedPages {
    /// Releases them when the work that follows a start is over, and then every five minutes.
    struct Releases: Service {
        func run() async {
            await cancelWhenGracefulShutdown {
                var pause = Duration.seconds(10)
                while (try? await Task.sleep(for: pause)) != nil {
                    release()
                    pause = .seconds(300)
                }
            }
        }
    }

    /// Has the kernel take all such pages out of the process. It maps those that are used again from its cache of the files.
    ///
    /// Only mappings without any page of the process's own: what a debugger or the dynamic linker has written stays.
    static func release() {
        #if os(Linux)
            guard let smaps = try? smaps() else { return }
            for range in ranges(of: smaps) {
                guard let start = UnsafeMutableRawPointer(bitPattern: range.lowerBound) else { continue }
                // Where it fails the pages stay.
                _ = madvise(start, Int(range.count), MADV_DONTNEED)
            }
        #endif
    }

    #if os(Linux)
        /// All of `/proc/self/smaps`. `FileManager.contents` and `Data(contentsOf:)` take the first short read, which the kernel
        /// makes after some 4 KB, for the end of a file without a size.
        static func smaps() throws -> Data {
            try FileHandle(forReadingFrom: URL(filePath: "/proc/self/smaps")).readToEnd() ?? Data()
        }
    #endif

    /// The mappings of files in a text of the form of `/proc/self/smaps` that nothing was ever written to.
    static func ranges(of smaps: Data) -> [Range<UInt>] {
        var (found, last): ([Range<UInt>], Range<UInt>?) = ([], nil)
        for line in [UInt8](smaps).split(separator: UInt8(ascii: "\n")) {
            if line.starts(with: "Anonymous:".utf8) {
                let size = line.dropFirst("Anonymous:".utf8.count).first { $0 != UInt8(ascii: " ") }
                if let range = last, size == UInt8(ascii: "0") { found.append(range) }
                last = nil
            } else if let first = line.first, !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) {
                last = readOnlyFile(line)
            }
        }
        return found
    }

    /// The addresses of a mapping, from its first line; nil unless it is a private one of a file that is not written to.
    private static func readOnlyFile(_ line: ArraySlice<UInt8>) -> Range<UInt>? {
        let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
        guard fields.count == 6, ["r-xp", "r--p"].contains(where: { fields[1].elementsEqual($0.utf8) }),
            fields[5].first(where: { $0 != UInt8(ascii: " ") }) == UInt8(ascii: "/")
        else { return nil }
        let bounds = fields[0].split(separator: UInt8(ascii: "-"))
            .compactMap { UInt(String(decoding: $0, as: UTF8.self), radix: 16) }
        guard bounds.count == 2, bounds[0] < bounds[1] else { return nil }
        return bounds[0]..<bounds[1]
    }
}

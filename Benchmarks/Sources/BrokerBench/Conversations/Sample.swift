import NIOCore
import Synchronization

/// Which answers are read to the end: one in a hundred, so that the client's checks cost little.
final class Sample: Sendable {
    private let answers = Atomic<Int>(0)

    var isDue: Bool { answers.wrappingAdd(1, ordering: .relaxed).oldValue % 100 == 0 }
}

extension ByteBuffer {
    /// The text of the first member of this name in compact JSON, found without parsing; for text without escapes, such
    /// as tokens.
    func firstValue(of name: String) -> String? {
        let start = Array("\"\(name)\":\"".utf8)
        let quote = UInt8(ascii: "\"")
        return withUnsafeReadableBytes { bytes in
            var rest = bytes[...]
            while let found = rest.firstIndex(of: quote) {
                rest = rest[found...]
                guard !rest.starts(with: start) else {
                    let value = rest.dropFirst(start.count)
                    return value.firstIndex(of: quote).map { String(decoding: value[..<$0], as: UTF8.self) }
                }
                rest = rest.dropFirst()
            }
            return nil
        }
    }
}

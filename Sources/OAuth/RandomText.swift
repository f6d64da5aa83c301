import Crypto
package import Foundation
import JOSE
import Locks
import StrictJSON

/// Random text from the system's generator.
package enum RandomText {
    /// 256 bits as base64url: for everything whose knowledge is a right.
    package static func secret() -> String {
        Base64URL.encode(RandomBytes.draw(32))
    }

    /// SHA-256 of a secret, for storage: it suffices for so many random bits.
    package static func hash(of secret: String) -> [UInt8] { SHA256.hash(data: secret.utf8Bytes).byteArray }

    /// Letters and digits, 5.95 bits each.
    package static func alphanumeric(_ count: Int) -> String {
        String(unsafeUninitializedCapacity: count) { buffer in
            var bytes = RandomBytes(ahead: 32)
            fill(buffer[..<count], from: &bytes)
            return count
        }
    }

    /// `count` letters and digits of which eight say the time and the others are random: those of later milliseconds stand
    /// after earlier ones in an index, so that new entries are neighbours. For names, not for secrets.
    package static func timeOrdered(_ count: Int, at now: Date = Date()) -> String {
        String(unsafeUninitializedCapacity: count) { buffer in
            // Eight digits hold the time until the year 8889.
            let milliseconds = now.timeIntervalSince1970 * 1000
            var rest = milliseconds > 0 ? UInt64(min(milliseconds, 218_340_105_584_895)) : 0
            for index in (0..<8).reversed() {
                buffer[index] = orderedAlphabet[Int(rest % 62)]
                rest /= 62
            }
            bytesOfNames.withLock { fill(buffer[8..<count], from: &$0) }
            return count
        }
    }

    /// Fills a buffer with random letters and digits.
    private static func fill(_ letters: Slice<UnsafeMutableBufferPointer<UInt8>>, from bytes: inout RandomBytes) {
        var letters = letters
        var index = letters.startIndex
        while index < letters.endIndex {
            let byte = bytes.next()
            // Bytes above the last whole multiple of 62 would favour the first letters.
            guard byte < 248 else { continue }
            letters[index] = alphabet[Int(byte) % alphabet.count]
            index += 1
        }
    }

    /// The time that a text of ``timeOrdered(_:at:)`` says, which was made before `now`; nil for another text.
    package static func time(ofOrdered text: String, count: Int, before now: Date) -> Date? {
        guard text.utf8.count == count, text.utf8.allSatisfy(alphabet.contains) else { return nil }
        var milliseconds: UInt64 = 0
        for byte in text.utf8.prefix(8) {
            guard let digit = orderedAlphabet.firstIndex(of: byte) else { return nil }
            milliseconds = milliseconds * 62 + UInt64(digit)
        }
        let time = Double(milliseconds) / 1000
        // No broker ran before 2020, and clocks may differ by a day.
        guard time > 1_577_836_800, time < now.timeIntervalSince1970 + 86_400 else { return nil }
        return Date(timeIntervalSince1970: time)
    }

    /// Shared by all names. Secrets have a supply of their own, so that the memory holds none before it is needed.
    private static let bytesOfNames = Mutex(RandomBytes(ahead: 256))

    /// In the order of the bytes.
    private static let orderedAlphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
}

/// Bytes of the system's generator, drawn several at once: a call costs more than the bytes.
private struct RandomBytes {
    private var drawn: [UInt8] = []
    private var used = 0
    private let ahead: Int

    /// - Parameter ahead: The number of bytes of one call, at most 256.
    init(ahead: Int) { self.ahead = ahead }

    mutating func next() -> UInt8 {
        if used == drawn.count { (drawn, used) = (Self.draw(ahead), 0) }
        defer { used += 1 }
        return drawn[used]
    }

    /// At most 256 bytes, in one call.
    static func draw(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, drawn in
            #if canImport(Darwin)
                // Apps may not call getentropy there.
                arc4random_buf(buffer.baseAddress, count)
            #else
                guard getentropy(buffer.baseAddress, count) == 0 else {
                    preconditionFailure("The system has no randomness.")
                }
            #endif
            drawn = count
        }
    }
}

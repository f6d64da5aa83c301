import Foundation

/// Writes PNG files, right and wrong ones.
enum PNGSample {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    static let end = chunk("IEND", [])
    /// One grey pixel, deflated.
    static let data = chunk("IDAT", [0x78, 0x9C, 0x63, 0x68, 0x00, 0x00, 0x00, 0x82, 0x00, 0x81])

    /// A grey picture of one pixel.
    static let smallest = file([header(), data, end])

    static func file(_ chunks: [[UInt8]]) -> [UInt8] { signature + chunks.joined() }

    static func header(
        width: Int = 1, height: Int = 1, depth: UInt8 = 8, color: UInt8 = 0, further: [UInt8] = [0, 0, 0]
    ) -> [UInt8] {
        chunk("IHDR", bytes(width) + bytes(height) + [depth, color] + further)
    }

    static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let checked = Array(type.utf8) + content
        return bytes(content.count) + checked + bytes(Int(checksum(checked)))
    }

    private static func bytes(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// CRC-32, bit by bit.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~UInt32(0)) { register, byte in
            (0..<8).reduce(register ^ UInt32(byte)) { value, _ in
                value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
            }
        }
    }
}

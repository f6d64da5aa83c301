import Crypto
import Foundation
import JOSE

/// The form of a file: a line with the digest of the content, and the content. A file that was cut short or overwritten is
/// told from a whole one.
enum StorageFrame {
    private static let prefix = "broker-session-1 "

    static func bytes(of content: Data) -> Data {
        Data("\(prefix)\(SHA256.hexadecimalHash(of: content))\n".utf8) + content
    }

    /// The content; `nil` when the file is damaged.
    static func content(of bytes: Data) -> Data? {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let content = Data(bytes[bytes.index(after: end)...])
        guard bytes[..<end].elementsEqual("\(prefix)\(SHA256.hexadecimalHash(of: content))".utf8) else { return nil }
        return content
    }
}

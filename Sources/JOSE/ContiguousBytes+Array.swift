package import Foundation

extension ContiguousBytes {
    /// The bytes of a digest or a code. `Array(digest)` copies them one by one, by calls of generic code.
    package var byteArray: [UInt8] { withUnsafeBytes { Array($0) } }
}

package import Crypto
package import Foundation

extension SHA256 {
    /// The digest in lower-case hexadecimal.
    package static func hexadecimalHash(of data: Data) -> String {
        hash(data: data).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}

package import Crypto
package import Foundation
import ProviderKit

extension SHA256 {
    /// The digest in lower-case hexadecimal.
    package static func hexadecimalHash(of data: Data) -> String {
        Hexadecimal.encode(hash(data: data))
    }
}

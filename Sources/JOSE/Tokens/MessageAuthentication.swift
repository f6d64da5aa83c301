import Crypto
import Foundation
package import ProviderKit

/// HMAC-SHA256 over raw bytes (RFC 2104), as webhooks are signed with it.
package enum MessageAuthentication {
    /// Whether `code` is the code of `message`, compared in constant time.
    package static func isValid(_ code: [UInt8], of message: [UInt8], key: Secret) -> Bool {
        HMAC<SHA256>.isValidAuthenticationCode(
            code, authenticating: message, using: SymmetricKey(data: Data(key.reveal().utf8)))
    }
}

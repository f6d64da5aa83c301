import Crypto
import Foundation

/// The secret of a webhook, with which its deliveries are signed (Standard Webhooks).
package struct WebhookSecret: Sendable, CustomStringConvertible {
    private let key: [UInt8]

    private static let prefix = "whsec_"

    private init(key: [UInt8]) {
        self.key = key
    }

    /// A new secret of 256 bits.
    static func generate() -> WebhookSecret {
        WebhookSecret(key: SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) })
    }

    /// `whsec_` and the key in Base64, for the receiver's configuration.
    package var text: String { Self.prefix + Data(key).base64EncodedString() }

    package var description: String { "•••" }

    /// One element of the header `webhook-signature`: the version, a comma, and HMAC-SHA-256 over
    /// `<webhook-id>.<webhook-timestamp>.<body>` in Base64.
    func signature(id: String, timestamp: Int64, body: [UInt8]) -> String {
        let code = HMAC<SHA256>.authenticationCode(
            for: Data("\(id).\(timestamp).".utf8) + Data(body), using: SymmetricKey(data: Data(key)))
        return "v1," + Data(code).base64EncodedString()
    }

    /// The secret as the webhook's row has it.
    func sealed(by sealer: Sealer, webhook id: String) throws -> [UInt8] {
        try sealer.seal(key, row: Self.row(id))
    }

    /// - Throws: ``SealError``.
    init(opening sealed: [UInt8], webhook id: String, with sealer: Sealer) throws(SealError) {
        key = try sealer.open(sealed, row: Self.row(id))
    }

    /// The row that a seal is bound to, as `SealedColumn` has it.
    private static func row(_ id: String) -> [String] { ["webhooks", id] }
}

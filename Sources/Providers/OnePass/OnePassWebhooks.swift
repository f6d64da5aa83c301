import Foundation
import ProviderKit

/// The signatures of 1Pass's webhooks, in both formats. They cover the body alone; the time beside them is not signed.
struct OnePassWebhooks: Sendable {
    /// The shared keys by their names (`kid`).
    let keys: [String: Secret]
    /// The shared secret of the older format, where it is accepted.
    let legacySecret: Secret?
    /// The maximum difference in seconds between the signature's time and the clock.
    let tolerance: Int

    /// Whether any signature can be verified.
    var areAccepted: Bool { !keys.isEmpty || legacySecret != nil }

    /// Verifies the signature of a message.
    ///
    /// - Returns: The name of the key; `nil` for the older format.
    /// - Throws: ``ProviderError`` with fault ``ProviderError/Fault/credential``.
    func verify(_ message: ProviderMessage, with tokens: any TokenService, now: Date) throws(ProviderError) -> String? {
        guard let header = message.header("X-Logi-Signature") else {
            throw .webhook("the message has no single X-Logi-Signature")
        }
        if header.hasPrefix("sha256=") {
            guard let legacySecret else {
                throw .webhook("options.webhookSecret is not set: older signatures are refused")
            }
            let time = message.header("X-Logi-Timestamp")
            try check(header.dropFirst(7), time, legacySecret, message, tokens, now)
            return nil
        }
        let fields = try Self.fields(of: header)
        guard let keyID = fields["kid"], let key = keys[keyID] else {
            throw .webhook("the signature's kid is not in options.webhookKeys")
        }
        try check((fields["v1"] ?? "")[...], fields["t"], key, message, tokens, now)
        return keyID
    }

    private func check(
        _ signature: Substring, _ time: String?, _ key: Secret, _ message: ProviderMessage,
        _ tokens: any TokenService, _ now: Date
    ) throws(ProviderError) {
        guard let code = Self.bytes(ofHexadecimal: signature),
            tokens.isValid(hmac: code, of: message.body, key: key)
        else { throw .webhook("the signature does not match") }
        guard let seconds = time.flatMap({ Int64($0) }), (0...4_102_444_800).contains(seconds) else {
            throw .webhook("the signature has no time")
        }
        guard abs(Double(seconds) - now.timeIntervalSince1970) <= Double(tolerance) else {
            throw .webhook("the signature's time differs by more than options.webhookTolerance")
        }
    }

    /// `t=…,kid=…,v1=…`, each once.
    private static func fields(of header: String) throws(ProviderError) -> [String: String] {
        var fields: [String: String] = [:]
        for field in header.split(separator: ",", omittingEmptySubsequences: false) {
            let parts = field.trimmingCharacters(in: .whitespaces).split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, fields.updateValue(parts[1], forKey: parts[0]) == nil else {
                throw .webhook("X-Logi-Signature is malformed")
            }
        }
        return fields
    }

    private static func bytes(ofHexadecimal text: Substring) -> [UInt8]? {
        let digits = text.utf8.map { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
            default: nil
            }
        }
        guard digits.count == 64 else { return nil }
        return stride(from: 0, to: 64, by: 2).reduce(into: [UInt8]?([])) { bytes, index in
            guard let high = digits[index], let low = digits[index + 1] else { return bytes = nil }
            bytes?.append(high << 4 | low)
        }
    }
}

extension ProviderError {
    /// The refusal of a webhook.
    static func webhook(_ reason: String) -> ProviderError {
        ProviderError(.credential, at: .verifyNotification, reason)
    }
}

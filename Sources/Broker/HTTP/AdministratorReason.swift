import Foundation
import HTTPTypes

/// The reason that an administrator gives for a change, for the audit: the header `X-Broker-Reason`, percent-encoded UTF-8
/// (RFC 3986 §2.1).
package enum AdministratorReason {
    package static let header = "X-Broker-Reason"
    private static let name = HTTPField.Name.known(header)
    /// In bytes of UTF-8: with the other columns of its audit entry, 2 KB.
    package static let longest = 500

    /// The reason without control characters, cut to ``longest``; nil if nothing is left.
    package static func cleaned(_ text: String) -> String? {
        let scalars = text.unicodeScalars.filter { $0.properties.generalCategory != .control }
        var cleaned = String(String.UnicodeScalarView(scalars)).trimmingCharacters(in: .whitespaces)[...]
        cleaned = cleaned.prefix(longest)
        while cleaned.utf8.count > longest { cleaned.removeLast() }
        return cleaned.isEmpty ? nil : String(cleaned)
    }

    /// The value of the header for a reason.
    package static func encoded(_ reason: String) -> String {
        reason.addingPercentEncoding(withAllowedCharacters: .alphanumerics.intersection(.urlHostAllowed)) ?? ""
    }

    /// The reason of a request. A value that is not encoded is taken as it is.
    static func of(_ fields: HTTPFields) -> String? {
        guard let value = fields[name] else { return nil }
        return cleaned(value.removingPercentEncoding ?? value)
    }
}

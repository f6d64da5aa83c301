import StrictJSON

/// Bearer credentials in the `Authorization` header (RFC 6750 §2.1).
package enum BearerCredentials {
    /// The fault of a request without readable credentials.
    package enum Malformed: Error, CustomStringConvertible {
        case severalHeaders
        case malformedToken

        package var description: String {
            switch self {
            case .severalHeaders: "There is more than one Authorization header."
            case .malformedToken: "Authorization: Bearer must have one token, and nothing after it."
            }
        }
    }

    /// The token of a request, unverified.
    ///
    /// - Parameter headers: The values of all `Authorization` headers.
    /// - Returns: `nil` without a header, or with credentials of another scheme.
    /// - Throws: ``Malformed``.
    package static func token(in headers: [String]) throws(Malformed) -> String? {
        guard headers.count <= 1 else { throw .severalHeaders }
        guard let header = headers.first?.utf8 else { return nil }
        let space = UInt8(ascii: " ")
        let scheme = header.prefix { $0 != space }
        guard String(Substring(scheme)).lowercasedASCII.hasSameBytes(as: "bearer") else { return nil }
        let token = header[scheme.endIndex...].drop { $0 == space }
        let text = String(Substring(token))
        guard isToken(text) else { throw .malformedToken }
        return text
    }

    /// The value of an `Authorization` header that sends a token.
    package static func header(_ token: String) -> String { "Bearer " + token }

    /// Whether the text is a `b64token`.
    package static func isToken(_ text: String) -> Bool {
        let padding = text.utf8.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        let letters = text.utf8.dropLast(padding)
        return !letters.isEmpty && letters.allSatisfy(isLetter)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"), UInt8(ascii: "+"), UInt8(ascii: "/"):
            true
        default: false
        }
    }
}

/// A URI taken apart at its delimiters and at nothing else (RFC 3986 §3): no decoding, no normalising, no guessing.
struct URIParts: Sendable {
    let scheme: String
    /// The authority between `//` and the path; `nil` without `//`.
    let authority: String?
    let path: String
    /// The query after the first `?`.
    let query: String?

    /// - Returns: `nil` when it begins with no scheme (RFC 3986 §3.1).
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(bytes[..<colon]) else { return nil }
        scheme = String(decoding: bytes[..<colon], as: UTF8.self)
        var rest = bytes[(colon + 1)...]
        if rest.starts(with: "//".utf8) {
            let start = rest.startIndex + 2
            let end = rest[start...].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
            authority = String(decoding: rest[start..<end], as: UTF8.self)
            rest = rest[end...]
        } else {
            authority = nil
        }
        let mark = rest.firstIndex(of: UInt8(ascii: "?"))
        path = String(decoding: rest[..<(mark ?? rest.endIndex)], as: UTF8.self)
        query = mark.map { String(decoding: rest[($0 + 1)...], as: UTF8.self) }
    }

    /// Host and port of an authority without user information; `nil` when the port is none.
    static func hostAndPort(_ authority: String) -> (host: String, port: Int?)? {
        let bytes = Array(authority.utf8)
        // The colons of a bracketed IPv6 address belong to it.
        let bracket = bytes.lastIndex(of: UInt8(ascii: "]")) ?? bytes.startIndex
        guard !bytes.isEmpty, let colon = bytes[bracket...].firstIndex(of: UInt8(ascii: ":")) else {
            return (authority, nil)
        }
        let digits = bytes[(colon + 1)...]
        guard (1...5).contains(digits.count), digits.allSatisfy(isDigit), digits.first != UInt8(ascii: "0"),
            let port = Int(String(decoding: digits, as: UTF8.self)), port <= 65_535
        else { return nil }
        return (String(decoding: bytes[..<colon], as: UTF8.self), port)
    }

    static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Letters of either case; who wants lower case only says so with a reason of its own. An underscore passes here for
    /// the same purpose.
    private static func isScheme(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, isLetter(first) else { return false }
        return bytes.allSatisfy { isLetter($0) || isDigit($0) || "+-._".utf8.contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}

import HTTPTypes
import Hummingbird

/// The cookies of a request, read as bytes.
///
/// Split at the byte `;` and nowhere else: parsers that work on text also split where Unicode sees an equivalent of it,
/// and a cookie of a sibling's page would pass for one of ours. What other applications of this host have set is let
/// through unread, since it is none of this broker's business.
struct RequestCookies: Sendable {
    private let pairs: [(name: Substring.UTF8View, value: Substring.UTF8View)]

    /// - Throws: ``CookieError/severalHeaders``: browsers send one (RFC 6265 §5.4).
    init(_ request: Request) throws(CookieError) {
        let headers = request.headers[values: .cookie]
        guard headers.count <= 1 else { throw .severalHeaders }
        self.init(header: headers.first ?? "")
    }

    init(header: String) {
        pairs = header[...].utf8.split(separator: UInt8(ascii: ";")).compactMap { part in
            let pair = Self.trimmed(part)
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            return (Self.trimmed(pair[..<equals]), Self.trimmed(pair[pair.index(after: equals)...]))
        }
    }

    /// The value of a cookie; `nil` when there is none.
    ///
    /// - Throws: ``CookieError`` when the request has it twice, as after an attacker planted a second one, or when the
    ///   broker cannot have set its value.
    func value(of name: CookieName) throws(CookieError) -> String? {
        let hits = pairs.filter { $0.name.elementsEqual(name.text.utf8) }
        guard hits.count <= 1 else { throw .planted(name.text) }
        return try hits.first.map { hit throws(CookieError) in try Self.text(of: hit.value, in: name) }
    }

    /// The values of the first cookies whose names are `stem` and a suffix each, in the order of their names.
    ///
    /// - Throws: ``CookieError`` when a value is none this broker could have set.
    func values(ofThoseWith stem: CookieName, atMost limit: Int) throws(CookieError) -> [String] {
        let prefix = (stem.text + "-").utf8
        let hits = pairs.filter { $0.name.starts(with: prefix) }
            .sorted { $0.name.lexicographicallyPrecedes($1.name) }.prefix(limit)
        return try hits.map { hit throws(CookieError) in try Self.text(of: hit.value, in: stem) }
    }

    private static func text(of value: Substring.UTF8View, in name: CookieName) throws(CookieError) -> String {
        guard value.allSatisfy(SetCookie.isAllowed) else { throw .planted(name.text) }
        return String(Substring(value))
    }

    /// Without the blanks around it, which are no part of a cookie.
    private static func trimmed(_ bytes: Substring.UTF8View) -> Substring.UTF8View {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        guard let start = bytes.firstIndex(where: { !isBlank($0) }),
            let end = bytes.lastIndex(where: { !isBlank($0) })
        else { return bytes.prefix(0) }
        return bytes[start...end]
    }
}

/// The reason a request's cookies are refused.
enum CookieError: Error, Equatable {
    case severalHeaders
    /// The cookie of this name is there twice, or carries what this broker never writes.
    case planted(String)
}

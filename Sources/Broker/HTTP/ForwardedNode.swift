/// One hop of `X-Forwarded-For`: a bare address, as most proxies write it, or a node of RFC 7239 §6.
///
/// A port and quotes do not count: the same client would be another one with each connection.
enum ForwardedNode: Sendable, Hashable {
    /// An IP address, and its text without port, brackets and zone.
    case address(String, IPAddressBytes)
    /// The proxy does not know its client, or does not tell (RFC 7239 §6.2).
    case unknown
    /// An obfuscated identifier (RFC 7239 §6.3), or any other text, which stands for one client.
    case name(String)

    /// Reads one element of the list.
    ///
    /// - Returns: Nil for an empty element, which means nothing (RFC 9110 §5.6.1.2).
    init?(_ element: Substring) {
        let text = Self.unquoted(Self.trimmed(element))
        guard !text.isEmpty else { return nil }
        // A bare IPv6 address comes first: its last group is no port.
        let nodes = [text] + (Self.withoutPort(text).map { [$0] } ?? [])
        for node in nodes {
            let bare = Self.bareAddress(node)
            guard let bytes = IPAddressBytes(bare) else { continue }
            self = .address(bare, bytes)
            return
        }
        let name = String(nodes.last ?? text)
        self = name.lowercased() == "unknown" ? .unknown : .name(name)
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while let first = text.utf8.first, isBlank(first) { text.removeFirst() }
        while let last = text.utf8.last, isBlank(last) { text.removeLast() }
        return text
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    private static func unquoted(_ text: Substring) -> Substring {
        guard text.utf8.count >= 2, text.first == "\"", text.last == "\"" else { return text }
        return trimmed(text.dropFirst().dropLast())
    }

    /// The text before `:port`; nil without one. A port is a number, or obfuscated as a name is (RFC 7239 §6).
    private static func withoutPort(_ text: Substring) -> Substring? {
        guard let colon = text.lastIndex(of: ":"), colon > text.startIndex,
            text.first != "[" || text[..<colon].last == "]"
        else { return nil }
        let port = text[text.index(after: colon)...].utf8
        let isNumber = port.count <= 5 && port.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard isNumber || port.first == UInt8(ascii: "_") else { return nil }
        return text[..<colon]
    }

    /// The text of an address without the brackets of RFC 3986 §3.2.2 and the zone of RFC 4007 §11.
    private static func bareAddress(_ node: Substring) -> String {
        let isBracketed = node.first == "[" && node.last == "]"
        return String((isBracketed ? node.dropFirst().dropLast() : node).prefix { $0 != "%" })
    }
}

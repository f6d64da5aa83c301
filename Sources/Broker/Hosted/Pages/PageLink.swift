/// The target of a link or a form of a page. Callers give paths of the broker and registered addresses of apps; what a
/// browser would run instead of open becomes the broker's own start.
struct PageLink: Sendable {
    let href: String

    init(_ address: String) {
        href = Self.isSafe(address) ? address : "/"
    }

    private static func isSafe(_ address: String) -> Bool {
        // Browsers drop white space and control characters before they look for the scheme.
        guard address.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return false }
        guard let colon = address.utf8.firstIndex(of: UInt8(ascii: ":")) else { return true }
        let scheme = address.utf8[..<colon]
        guard !scheme.contains(where: { "/?#".utf8.contains($0) }) else { return true }
        return !runnable.contains(String(decoding: scheme, as: UTF8.self).lowercased())
    }

    /// Schemes whose addresses are programs or documents of the caller's making.
    private static let runnable: Set<String> = [
        "", "blob", "data", "file", "filesystem", "javascript", "vbscript", "view-source",
    ]
}

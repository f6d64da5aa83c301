/// The name of a cookie of this broker's.
///
/// On https it begins with `__Host-`, so that a browser takes it from this host alone, never from a sibling (RFC 6265bis
/// §4.1.3.2); on plain http, which is this machine, browsers would refuse that.
struct CookieName: Sendable, Hashable {
    let text: String
    /// Whether it travels over TLS only.
    let isSecure: Bool

    init(_ name: String, publicURL: String) {
        isSecure = publicURL.utf8.starts(with: "https://".utf8)
        text = isSecure ? "__Host-" + name : name
    }
}

/// A cookie that a response sets: never readable to scripts, sent along from other sites by links only, and for
/// this host alone.
struct SetCookie: Sendable {
    let name: CookieName
    let value: String
    /// Seconds it lasts; `nil` lasts as long as the browser runs.
    let maxAge: Int?

    /// - Parameters:
    ///   - name: Which one.
    ///   - value: Printable ASCII without `"`, `,`, `;` and `\` (RFC 6265 §4.1.1).
    ///   - maxAge: Seconds it lasts.
    init(_ name: CookieName, to value: String, maxAge: Int?) {
        assert(value.utf8.allSatisfy(Self.isAllowed))
        self.name = name
        self.value = value
        self.maxAge = maxAge
    }

    /// Takes a cookie from the browser.
    static func removing(_ name: CookieName) -> SetCookie { SetCookie(name, to: "", maxAge: 0) }

    /// The value of the header `Set-Cookie`.
    var header: String {
        var text = "\(name.text)=\(value); Path=/; HttpOnly; SameSite=Lax"
        if name.isSecure { text += "; Secure" }
        if let maxAge { text += "; Max-Age=\(maxAge)" }
        return text
    }

    static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\\"): false
        case 0x21...0x7E: true
        default: false
        }
    }
}

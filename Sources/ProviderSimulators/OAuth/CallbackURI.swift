import Foundation

/// A redirect URI: where the browser goes back to, with an answer in it.
struct CallbackURI: Sendable, Hashable {
    /// The fields' place in the answer (OAuth 2.0 Multiple Response Types §2.1, Form Post Response Mode).
    enum Place: String, Sendable, Hashable {
        case query, fragment
        case formPost = "form_post"
    }

    let text: String

    init(_ text: String) {
        self.text = text
    }

    /// Sends the browser there; whatever the registered URI's own query says stays.
    func redirect(carrying fields: KeyValuePairs<String, String?>, in place: Place = .query) -> SimulatorResponse {
        redirect(carrying: FormFields(fields), in: place)
    }

    /// Sends the browser there with fields that are at hand already.
    func redirect(carrying fields: FormFields, in place: Place = .query) -> SimulatorResponse {
        let separator = place == .fragment ? "#" : text.contains("?") ? "&" : "?"
        return .redirect(to: text + separator + fields.encoded)
    }

    /// Whether the two are the same, byte by byte.
    func equals(_ registered: String) -> Bool { text.hasSameBytes(as: registered) }

    /// Whether the two differ in nothing but the port of a loopback address (RFC 8252 §7.3), which `localhost`, a name,
    /// is not.
    func equalsIgnoringLoopbackPort(_ registered: String) -> Bool {
        guard let wanted = URLComponents(string: text), let known = URLComponents(string: registered),
            let host = wanted.host, Self.loopbackAddresses.contains(host), host == known.host
        else { return equals(registered) }
        var moved = wanted
        moved.port = known.port
        return moved.string.map { $0.hasSameBytes(as: registered) } ?? false
    }

    private static let loopbackAddresses: Set<String> = ["127.0.0.1", "::1", "[::1]"]
}

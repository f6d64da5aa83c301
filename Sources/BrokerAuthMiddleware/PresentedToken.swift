import HTTPTypes
import Hummingbird
import OAuth

/// The token of a request, unverified. Its text is in no description.
struct PresentedToken: Sendable {
    /// The part of the request that carries it.
    enum Carrier: Sendable, Hashable {
        /// `Authorization: Bearer` (RFC 6750 §2.1).
        case header
        /// The session cookie.
        case cookie
    }

    let carrier: Carrier
    let text: String
}

extension PresentedToken {
    /// The token of a request: that of the header, else that of the cookie. Tokens in URLs and bodies are never read. nil
    /// without a token, or with another scheme than `Bearer`.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - cookie: The name of the session cookie; nil where none is accepted.
    /// - Throws: ``BrokerAuthRefusal/invalidRequest(_:)`` when there are several, or when it is none.
    init?(in request: Request, cookie: String?) throws(BrokerAuthRefusal) {
        if let text = try Self.bearer(of: request.headers[values: .authorization]) {
            self.init(carrier: .header, text: text)
        } else if let cookie, let text = try Self.cookie(cookie, in: request.headers[values: .cookie]) {
            self.init(carrier: .cookie, text: text)
        } else {
            return nil
        }
    }

    private static func bearer(of headers: [String]) throws(BrokerAuthRefusal) -> String? {
        do {
            return try BearerCredentials.token(in: headers)
        } catch {
            throw .invalidRequest(error.description)
        }
    }

    /// Split at the byte `;` and nowhere else: parsers that work on text also split where Unicode sees an equivalent of
    /// it, and a cookie of a sibling's page would pass for ours.
    private static func cookie(_ name: String, in headers: [String]) throws(BrokerAuthRefusal) -> String? {
        let pairs = headers.flatMap { $0.utf8.split(separator: UInt8(ascii: ";")) }
        let values = pairs.compactMap { pair -> Substring? in
            let pair = pair.drop { $0 == UInt8(ascii: " ") }
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")), pair[..<equals].elementsEqual(name.utf8)
            else { return nil }
            return Substring(pair[pair.index(after: equals)...])
        }
        // Two can only be there after someone planted the second.
        guard values.count <= 1 else { throw .invalidRequest("The session cookie is there twice.") }
        guard let value = values.first, !value.isEmpty else { return nil }
        return String(value)
    }
}

extension PresentedToken: CustomStringConvertible, CustomReflectable {
    var description: String { "•••" }
    var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

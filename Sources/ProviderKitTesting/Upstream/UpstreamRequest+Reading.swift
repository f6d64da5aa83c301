import Foundation
public import ProviderKit

extension UpstreamRequest {
    /// The value of a form field in the body; `nil` when there is none.
    public func formValue(_ name: String) -> String? {
        form.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }

    /// The value of a parameter of the URL's query; `nil` when there is none.
    public func queryValue(_ name: String) -> String? {
        query.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }

    /// The fields of the form, texts of the JSON body and parameters of the query.
    var parameters: [(name: String, value: String)] { (document?.namedTexts ?? form) + query }

    /// The first of the ``parameters`` with this name.
    func value(named name: String) -> String? { parameters.first { $0.name.utf8.elementsEqual(name.utf8) }?.value }

    /// The values of the ``parameters`` and header fields, these also without their scheme.
    var values: [String] {
        parameters.map(\.value) + [secretSegment?.reveal()].compactMap(\.self)
            + headers.flatMap { field in
                [field.value] + field.value.split(separator: " ", maxSplits: 1).dropFirst().map(String.init)
            }
    }

    /// Whether the body is neither a form nor JSON.
    var isOpaque: Bool {
        body.map { !$0.isEmpty } ?? false && document == nil && FormEncoding.decode(body ?? []) == nil
    }

    /// Whether one of the ``parameters`` has this name and value.
    func carries(_ name: String, _ value: String) -> Bool {
        parameters.contains { $0.name.utf8.elementsEqual(name.utf8) && $0.value.utf8.elementsEqual(value.utf8) }
    }

    /// The token of a `Bearer` authorization (RFC 6750 §2.1); `nil` when there is none.
    public var bearerToken: String? {
        authorization("Bearer ")
    }

    /// Whether a parameter or header field has the token as its whole value.
    func contains(token: String) -> Bool { values.contains { $0.utf8.elementsEqual(token.utf8) } }

    /// The client id and the secret of a `Basic` authorization (RFC 6749 §2.3.1), both decoded.
    var basicPair: (clientID: String, secret: String)? {
        guard let pair = authorization("Basic ").flatMap({ Data(base64Encoded: $0) }).map({ Self.text(Array($0)) }),
            let colon = pair.firstIndex(of: ":")
        else { return nil }
        return (Self.unescaped(String(pair[..<colon])), Self.unescaped(String(pair[pair.index(after: colon)...])))
    }

    /// The request without its URL, but with the secrets that the URL hides, unescaped, for searching.
    var contents: String {
        let basic = authorization("Basic ").flatMap { Data(base64Encoded: $0) }.map { Self.text(Array($0)) }
        let values =
            headers.map(\.value) + form.map(\.value) + [basic, basic.map(Self.unescaped)].compactMap(\.self)
            + secretQuery.map { $0.value.reveal() } + [secretSegment?.reveal()].compactMap(\.self)
        return ([Self.text(body ?? [])] + values).joined(separator: "\n")
    }

    /// The URL, escaped and unescaped, for searching.
    var address: String { url + "\n" + Self.unescaped(url) }

    private var document: JSONValue? { body.flatMap { try? JSONValue(parsing: $0) } }

    private var form: [(name: String, value: String)] { FormEncoding.decode(body ?? []) ?? [] }

    private var query: [(name: String, value: String)] {
        FormEncoding.decode(sentURL.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst()) ?? []
    }

    private func authorization(_ scheme: String) -> String? {
        headers.first { $0.name.lowercased() == "authorization" && $0.value.hasPrefix(scheme) }
            .map { String($0.value.dropFirst(scheme.count)) }
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private static func unescaped(_ text: String) -> String { text.removingPercentEncoding ?? text }
}

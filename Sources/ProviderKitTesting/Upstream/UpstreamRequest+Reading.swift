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

    /// Whether a field of the form, member of the JSON body or parameter of the query has this value.
    func carries(_ name: String, _ value: String) -> Bool {
        let member = body.flatMap { try? JSONValue(parsing: $0) }?[name]?.string
        return [formValue(name), member, queryValue(name)].contains { $0?.utf8.elementsEqual(value.utf8) == true }
    }

    /// The token of a `Bearer` authorization (RFC 6750 §2.1); `nil` when there is none.
    public var bearerToken: String? {
        authorization("Bearer ")
    }

    /// Whether a field, member or header has the token as its whole value.
    func contains(token: String) -> Bool {
        let members = body.flatMap { try? JSONValue(parsing: $0) }?.object?.compactMap(\.value.string) ?? []
        let values = form.map(\.value) + members + headers.map(\.value) + [bearerToken].compactMap(\.self)
        return values.contains { $0.utf8.elementsEqual(token.utf8) }
    }

    /// The request without its URL, unescaped, for searching.
    var contents: String {
        let basic = authorization("Basic ").flatMap { Data(base64Encoded: $0) }.map { Self.text(Array($0)) }
        let values = headers.map(\.value) + form.map(\.value) + [basic, basic.map(Self.unescaped)].compactMap(\.self)
        return ([Self.text(body ?? [])] + values).joined(separator: "\n")
    }

    /// The URL, escaped and unescaped, for searching.
    var address: String { url + "\n" + Self.unescaped(url) }

    private var form: [(name: String, value: String)] { FormEncoding.decode(body ?? []) ?? [] }

    private var query: [(name: String, value: String)] {
        FormEncoding.decode(url.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst()) ?? []
    }

    private func authorization(_ scheme: String) -> String? {
        headers.first { $0.name.lowercased() == "authorization" && $0.value.hasPrefix(scheme) }
            .map { String($0.value.dropFirst(scheme.count)) }
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private static func unescaped(_ text: String) -> String { text.removingPercentEncoding ?? text }
}

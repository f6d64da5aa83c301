import HTTPTypes
import HummingbirdCore

/// A request to a handler.
struct Request: Sendable {
    let head: HTTPRequest
    let body: RequestBody

    var method: HTTPRequest.Method { head.method }
    var headers: HTTPFields { head.headerFields }
    /// What follows the question mark of the target; empty without one.
    var query: Substring.UTF8View { (head.path ?? "").utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst() }
}

extension HTTPFields {
    /// What the subscript returns, which joins even a single value by calls of generic code.
    func value(of name: HTTPField.Name) -> String? {
        let values = self[values: name]
        return values.count > 1 ? self[name] : values.first
    }
}

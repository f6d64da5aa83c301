/// A request as it arrived, for tests that look at what a client really sent.
public struct RecordedRequest: Sendable {
    /// One header field, its name in lower case.
    public struct Header: Sendable, Hashable {
        /// The field's name in lower case.
        public let name: String
        /// The field's value, unchanged.
        public let value: String
    }

    /// `GET`, `POST`, …
    public let method: String
    /// The path, without the query, as sent.
    public let path: String
    /// The query, as sent; empty when there is none.
    public let query: String
    /// The header fields in the order they were sent.
    public let headers: [Header]
    /// The body's bytes.
    public let body: [UInt8]

    /// The first value of a header field; `name` in any case.
    public func header(_ name: String) -> String? {
        let name = name.lowercased()
        return headers.first { $0.name == name }?.value
    }

    /// The body as text.
    public var text: String { String(decoding: body, as: UTF8.self) }
}

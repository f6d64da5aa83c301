/// The client device of a request, stored with a session so that its user recognises the session. No decision depends
/// on it, because the client controls its values.
package struct ClientDevice: Sendable, Equatable {
    /// `User-Agent` (RFC 9110 §10.1.5), cut to ``maximumLength`` bytes.
    package let userAgent: String?
    /// The IP address of the client, or of the first hop that is no trusted proxy.
    package let address: String?

    package init(userAgent: String? = nil, address: String? = nil) {
        self.userAgent = userAgent.flatMap {
            $0.isEmpty ? nil : String(decoding: $0.utf8.prefix(Self.maximumLength), as: UTF8.self)
        }
        self.address = address
    }

    /// Browsers send up to 200 bytes.
    private static let maximumLength = 256
}

package import ProviderKit

/// The audience of a token (RFC 7519 §4.1.3): at least one name.
package struct Audience: Sendable {
    /// The names, in the token's order.
    package let names: [String]

    /// Reads a claim: a string, or an array of strings that is not empty.
    ///
    /// - Throws: ``JOSEError`` for anything else.
    package init(_ value: JSONValue) throws(JOSEError) {
        if let name = value.string {
            names = [name]
            return
        }
        guard let elements = value.array, !elements.isEmpty else {
            throw JOSEError(.invalidClaim, "aud is neither a string nor an array of strings")
        }
        names = elements.compactMap(\.string)
        guard names.count == elements.count else {
            throw JOSEError(.invalidClaim, "aud has an element that is not a string")
        }
    }

    /// Whether `name` is among the names, byte by byte.
    package func contains(_ name: String) -> Bool { names.contains { $0.hasSameBytes(as: name) } }
}

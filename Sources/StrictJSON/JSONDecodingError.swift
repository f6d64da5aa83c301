/// A document that does not have the shape of the decoded type.
public struct JSONDecodingError: Error, Sendable, Hashable {
    /// The kind of fault.
    public enum Kind: Sendable, Hashable {
        /// A member that the type does not have; `nearest` is the most similar known name.
        case unknownName(nearest: String?)
        /// A required member or element is missing.
        case missing
        /// A value has the wrong JSON type.
        case wrongType(expected: String, found: String)
        /// A value has the right type but is not valid.
        case invalid(reason: String)
    }

    /// The JSON Pointer of the value, such as `/providers/0/options/clientId` (RFC 6901).
    public let path: String

    /// The fault.
    public let kind: Kind

    /// Makes an error.
    public init(path: String, kind: Kind) {
        self.path = path
        self.kind = kind
    }
}

extension JSONDecodingError: CustomStringConvertible {
    /// The place and the fault, on one line.
    public var description: String { "\(path.isEmpty ? "the document" : path): \(problem)" }

    private var problem: String {
        switch kind {
        case .unknownName(let nearest?): "unknown name; did you mean \"\(nearest)\"?"
        case .unknownName(nil): "unknown name"
        case .missing: "missing"
        case .wrongType(let expected, let found): "expected \(expected), found \(found)"
        case .invalid(let reason): reason
        }
    }
}

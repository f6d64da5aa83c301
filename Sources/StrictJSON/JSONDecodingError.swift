/// Why a document does not have the shape a type asks for.
public struct JSONDecodingError: Error, Sendable, Hashable {
    /// What is wrong.
    public enum Kind: Sendable, Hashable {
        /// A member nobody asks for; `nearest` is the name that was probably meant.
        case unknownName(nearest: String?)
        /// A member or element that must be there is not.
        case missing
        /// A value of one kind stands where another must be.
        case wrongType(expected: String, found: String)
        /// A value of the right kind that means nothing here.
        case invalid(reason: String)
    }

    /// Where, as a JSON Pointer such as `/providers/0/options/clientId` (RFC 6901).
    public let path: String

    /// What is wrong there.
    public let kind: Kind

    /// Makes an error.
    public init(path: String, kind: Kind) {
        self.path = path
        self.kind = kind
    }
}

extension JSONDecodingError: CustomStringConvertible {
    /// The place and what is wrong there, on one line.
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

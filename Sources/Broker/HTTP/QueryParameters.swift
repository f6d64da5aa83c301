import Hummingbird
import ProviderKit

/// The parameters of a request that comes from a browser or an OAuth client, read strictly: what is there twice, is no
/// UTF-8 or hides control characters refuses the request, so that no later parser reads it in another way.
///
/// A parameter without a value counts as absent (RFC 6749 §3.1).
struct QueryParameters: Sendable, Equatable {
    /// Every name is printable ASCII, so keys that are equal have the same bytes.
    private let values: [String: String]

    static let maximumCount = 64

    /// The parameters of the request's URL.
    ///
    /// - Throws: ``ParameterError``.
    init(queryOf request: Request) throws(ParameterError) {
        // A client that sends a fragment has taken its URL apart in another way than this broker would.
        guard request.head.path?.utf8.contains(UInt8(ascii: "#")) != true else { throw .malformed }
        try self.init(encoded: request.query)
    }

    /// The parameters in bytes of the form `name=value&…`.
    ///
    /// - Parameters:
    ///   - bytes: The form.
    ///   - hasLines: Whether a value may have several lines.
    /// - Throws: ``ParameterError``.
    init(encoded bytes: some Collection<UInt8>, withLines hasLines: Bool = false) throws(ParameterError) {
        guard let pairs = FormEncoding.decode(bytes), pairs.count <= Self.maximumCount else { throw .malformed }
        var values: [String: String] = [:]
        for (name, value) in pairs {
            guard !name.isEmpty, name.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .malformed }
            guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || hasLines && Self.isOfLines($0) }) else {
                throw .malformed
            }
            guard values.updateValue(value, forKey: name) == nil else { throw .repeated }
        }
        self.values = values
    }

    /// A tab, or a part of a line's end.
    private static func isOfLines(_ byte: UInt8) -> Bool { [0x09, 0x0A, 0x0D].contains(byte) }

    /// A parameter's value, unless it is absent or empty.
    subscript(name: String) -> String? {
        values[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Everything that was sent with a value.
    var byName: [String: String] { values.filter { !$0.value.isEmpty } }

    /// The same in no order.
    var all: [(name: String, value: String)] { byName.map { (name: $0.key, value: $0.value) } }
}

/// The reason parameters are not read.
enum ParameterError: Error, Equatable {
    /// They are no form of UTF-8 text without control characters, or too many.
    case malformed
    /// A name stands there twice (RFC 6749 §3.1 forbids it).
    case repeated
    /// The body has another type than `application/x-www-form-urlencoded`, or a content encoding.
    case wrongContentType
    /// The body is larger than ``FormBody/maximumSize``.
    case tooLarge

    /// The problem, as a text for the developer.
    var text: String {
        switch self {
        case .malformed: "The parameters are malformed."
        case .repeated: "A parameter is sent twice."
        case .wrongContentType: "Send application/x-www-form-urlencoded."
        case .tooLarge: "The body is too large."
        }
    }
}

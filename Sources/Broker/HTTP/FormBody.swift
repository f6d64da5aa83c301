import HTTPTypes
import Hummingbird
import NIOCore

/// A body of the type `application/x-www-form-urlencoded`, as pages, OAuth clients and identity providers post it.
struct FormBody: Sendable {
    /// The body as it was received, for callers that forward it unchanged.
    let bytes: [UInt8]
    let parameters: QueryParameters

    static let maximumSize = 64 << 10

    /// Reads the body.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - hasLines: Whether a value may have several lines.
    /// - Throws: ``ParameterError``, or an error of the transport when the client goes away.
    init(of request: Request, withLines hasLines: Bool = false) async throws {
        guard !request.headers.contains(.contentEncoding), Self.isForm(request.headers.value(of: .contentType)) else {
            throw ParameterError.wrongContentType
        }
        do {
            bytes = try await request.body(upTo: Self.maximumSize)
        } catch is NIOTooManyBytesError {
            throw ParameterError.tooLarge
        }
        parameters = try QueryParameters(encoded: bytes, withLines: hasLines)
    }

    /// With any parameters of the type: the form is UTF-8 whatever they say.
    private static func isForm(_ type: String?) -> Bool {
        guard let type else { return false }
        let bytes = type.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") && $0 != 0x09 }
        return bytes.map { $0 | 0x20 }.elementsEqual("application/x-www-form-urlencoded".utf8.map { $0 | 0x20 })
    }
}

import Crypto
import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore

/// A public document or picture, encoded once for everyone who reads it.
struct PublicDocument: Sendable {
    /// The document as text.
    var json: String { String(buffer: body) }
    private let body: ByteBuffer
    private let fields: HTTPFields
    private let entityTag: String

    /// - Parameters:
    ///   - json: The document.
    ///   - lifetime: The seconds for which caches may keep it.
    init(_ json: String, lifetime: Int) {
        self.init(ByteBuffer(string: json), "application/json; charset=utf-8", lifetime: lifetime)
    }

    /// A picture. Opened by itself, as a document, it can do nothing (CSP 3 §6.3.2).
    ///
    /// - Parameters:
    ///   - picture: Its bytes.
    ///   - mediaType: Its type.
    ///   - lifetime: The seconds for which caches may keep it.
    init(picture: [UInt8], _ mediaType: String, lifetime: Int) {
        self.init(
            ByteBuffer(bytes: picture), mediaType, lifetime: lifetime,
            with: [
                .contentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; sandbox",
                Self.resourcePolicy: "same-origin",
            ])
    }

    private init(_ body: ByteBuffer, _ mediaType: String, lifetime: Int, with further: HTTPFields = [:]) {
        self.body = body
        entityTag = "\"\(Data(SHA256.hash(data: Data(body.readableBytesView)).prefix(16)).base64EncodedString())\""
        var fields: HTTPFields = [
            .contentType: mediaType, .contentLength: String(body.readableBytes),
            .cacheControl: "public, max-age=\(lifetime)", .eTag: entityTag,
        ]
        fields.append(contentsOf: further)
        self.fields = fields
    }

    private static let resourcePolicy = HTTPField.Name.known("Cross-Origin-Resource-Policy")

    /// The document, or 304 to a client that has it (RFC 9110 §13.1.2).
    func response(to request: Request) -> Response {
        guard let known = request.headers[.ifNoneMatch], names(known) else {
            return Response(status: .ok, headers: fields, body: body)
        }
        return Response(status: .notModified, headers: fields)
    }

    /// Whether a list of entity tags has this one, by weak comparison (RFC 9110 §8.8.3.2).
    private func names(_ list: String) -> Bool {
        list.split(separator: ",").contains { element in
            let tag = element.trimmingCharacters(in: .whitespaces)
            return tag == "*" || tag.trimmingPrefix("W/") == entityTag
        }
    }
}

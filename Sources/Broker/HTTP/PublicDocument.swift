import Crypto
import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore

/// A public JSON document, encoded once for everyone who reads it.
struct PublicDocument: Sendable {
    /// The document as text.
    let json: String
    private let body: ByteBuffer
    private let fields: HTTPFields
    private let entityTag: String

    /// - Parameters:
    ///   - json: The document.
    ///   - lifetime: The seconds for which caches may keep it.
    init(_ json: String, lifetime: Int) {
        self.json = json
        body = ByteBuffer(string: json)
        entityTag = "\"\(Data(SHA256.hash(data: Data(json.utf8)).prefix(16)).base64EncodedString())\""
        fields = [
            .contentType: "application/json; charset=utf-8", .contentLength: String(body.readableBytes),
            .cacheControl: "public, max-age=\(lifetime)", .eTag: entityTag,
        ]
    }

    /// The document, or 304 to a client that has it (RFC 9110 §13.1.2).
    func response(to request: Request) -> Response {
        guard let known = request.headers[.ifNoneMatch], names(known) else {
            return Response(status: .ok, headers: fields, body: .init(byteBuffer: body))
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

import Foundation
import JOSE
import NIOHTTP1
import StrictJSON

/// Keys as they were fetched, with what is needed to fetch them again.
struct FetchedKeys: Sendable {
    let keys: IssuerKeys
    let discovery: FetchedDocument
    let document: FetchedDocument

    /// Seconds until they are fetched again: of both documents the shorter.
    var lifetime: Int { min(discovery.lifetime, document.lifetime) }

    /// Fetches discovery and keys.
    ///
    /// - Parameters:
    ///   - source: Where.
    ///   - connection: Sends the requests.
    ///   - previous: What is there already: an unchanged document is not sent again.
    /// - Throws: ``KeyFailure``, or an error of the connection.
    init(from source: KeySource, _ connection: BrokerConnection, previous: FetchedKeys?) async throws {
        discovery = try await FetchedDocument(source.discoveryURL, connection, previous: previous?.discovery)
        let name = discovery.content["issuer"]?.string ?? ""
        guard let issuer = source.issuers.first(where: { $0.name.hasSameBytes(as: name) }) else {
            throw KeyFailure(reason: "the discovery document names another issuer than the configured one")
        }
        guard let url = source.keysURL ?? discovery.content["jwks_uri"]?.string, source.issuerURL.isOrigin(of: url)
        else {
            throw KeyFailure(reason: "jwks_uri leads away from the issuer")
        }
        document = try await FetchedDocument(url, connection, previous: previous?.document)
        let set = try KeySet(importing: document.content)
        guard !set.keys.isEmpty else { throw KeyFailure(reason: "the key document has no usable key") }
        keys = IssuerKeys(tokenIssuer: issuer.tokenIssuer, algorithms: issuer.algorithms, keys: set)
    }
}

/// A failed fetch of keys.
struct KeyFailure: Error, CustomStringConvertible {
    let reason: String
    var description: String { reason }
}

/// A JSON document with its validator (RFC 9110 §8.8).
struct FetchedDocument: Sendable {
    let url: String
    let content: JSONValue
    let entityTag: String?
    /// The `max-age` of `Cache-Control` in seconds; 0 when it says none, or not to keep the document.
    let lifetime: Int

    init(_ url: String, _ connection: BrokerConnection, previous: FetchedDocument?) async throws {
        let known = previous.flatMap { $0.url == url ? $0 : nil }
        let answer = try await connection.get(url, knowing: known?.entityTag)
        self.url = url
        lifetime = Self.lifetime(answer.headers["Cache-Control"])
        switch (answer.status, known) {
        case (200, _):
            content = try JSONValue(parsing: answer.body)
            entityTag = answer.headers.first(name: "ETag")
        case (304, let known?): (content, entityTag) = (known.content, known.entityTag)
        default: throw KeyFailure(reason: "status \(answer.status)")
        }
    }

    private static func lifetime(_ cacheControl: [String]) -> Int {
        let directives = cacheControl.flatMap { $0.split(separator: ",") }
            .map { $0.trimmingCharacters(in: .whitespaces).lowercasedASCII }
        guard !directives.contains("no-store"), !directives.contains("no-cache") else { return 0 }
        let ages = directives.filter { $0.hasPrefix("max-age=") }.map { Int($0.dropFirst(8)) ?? 0 }
        return max(0, ages.min() ?? 0)
    }
}

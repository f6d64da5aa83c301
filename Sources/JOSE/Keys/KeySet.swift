package import ProviderKit

/// The public keys of one issuer at one time (RFC 7517 §5).
///
/// There is no default key: an unknown key id has no key.
package struct KeySet: Sendable {
    /// The maximum number of keys.
    package static let maximumCount = 100

    /// The keys, in the order of their publication.
    package let keys: [JSONWebKey]

    /// The reasons why keys of an imported document are not in the set.
    package let ignored: [JOSEError]

    private let positions: [ExactName: Int]

    /// Makes a set.
    ///
    /// - Throws: ``JOSEError`` when a key has no id, when two keys have the same id, or when there are more than
    ///   ``maximumCount``.
    package init(_ keys: [JSONWebKey]) throws(JOSEError) {
        try self.init(keys, ignored: [])
    }

    /// Reads a document with a member `keys`.
    ///
    /// Unsupported keys are skipped and recorded in ``ignored`` (RFC 7517 §5). A token signed with one of them then
    /// names an unknown key.
    ///
    /// - Throws: ``JOSEError`` when the document is not a set, when it has more than ``maximumCount`` keys, or when
    ///   two different keys have the same id.
    package init(importing value: JSONValue) throws(JOSEError) {
        guard let documents = value["keys"]?.array else { throw JOSEError(.malformedKey, "no array called keys") }
        try Self.checkCount(documents.count)
        var keys: [JSONWebKey] = []
        var ignored: [JOSEError] = []
        for document in documents {
            do throws(JOSEError) {
                let key = try JSONWebKey(importing: document)
                guard key.keyID != nil else { throw JOSEError(.unsupportedKey, "key without kid") }
                keys.append(key)
            } catch {
                ignored.append(error)
            }
        }
        try self.init(keys, ignored: ignored)
    }

    private init(_ keys: [JSONWebKey], ignored: [JOSEError]) throws(JOSEError) {
        try Self.checkCount(keys.count)
        var accepted: [JSONWebKey] = []
        var positions: [ExactName: Int] = [:]
        for key in keys {
            guard let keyID = key.keyID else { throw JOSEError(.malformedKey, "key without kid") }
            guard let position = positions[ExactName(keyID)] else {
                positions[ExactName(keyID)] = accepted.count
                accepted.append(key)
                continue
            }
            guard accepted[position].thumbprint == key.thumbprint else {
                throw JOSEError(.malformedKey, "two keys with one kid")
            }
        }
        self.keys = accepted
        self.ignored = ignored
        self.positions = positions
    }

    /// The key with this id, compared byte by byte, or nil.
    package subscript(_ keyID: String) -> PublicVerificationKey? {
        webKey(keyID)?.key
    }

    /// The published key with this id, compared byte by byte, or nil.
    func webKey(_ keyID: String) -> JSONWebKey? { positions[ExactName(keyID)].map { keys[$0] } }

    /// The thumbprint of the key with this id, compared byte by byte, or nil.
    package func thumbprint(of keyID: String) -> String? { webKey(keyID)?.thumbprint }

    /// The JWK Set document for publication.
    package var jsonValue: JSONValue { ["keys": .array(keys.map(\.jsonValue))] }

    private static func checkCount(_ count: Int) throws(JOSEError) {
        guard count <= maximumCount else { throw JOSEError(.malformedKey, "more than \(maximumCount) keys") }
    }
}

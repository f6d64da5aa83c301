import BrokerStore
package import JOSE
import ProviderKit

/// The signing keys during a span of time: the active, the verifying and the published ones.
package final class SigningKeySnapshot: Sendable {
    /// Every key whose tokens are valid or will be, in the order of their activation.
    package let published: [SigningKey]
    /// For verifying the broker's own tokens.
    package let verification: KeySet
    /// Keys whose last token has expired, for `id_token_hint`.
    let retired: KeySet
    /// The public keys as a JWK Set (RFC 7517 §5).
    let jwks: PublicDocument
    /// The RSA keys' certificates by key id. Google's Admin SDKs for Go and Java read this document, and give up on all
    /// of it at the first certificate of another kind.
    let certificates: PublicDocument
    let span: Range<Timestamp>
    /// Of rotations once a month, those of four years.
    private static let rememberedKeys = 96
    private let active: [StoredSigningKey.Algorithm: SigningKey]

    /// - Parameters:
    ///   - schedule: Where each key is in its life.
    ///   - opened: The keys of the schedule, by id.
    ///   - now: The moment.
    /// - Throws: ``ConfigurationError`` when an algorithm has no key to sign with; JOSE's error for unusable rows.
    init(_ schedule: SigningKeySchedule, _ opened: [String: SigningKey], at now: Timestamp) throws {
        var active: [StoredSigningKey.Algorithm: SigningKey] = [:]
        for algorithm in StoredSigningKey.Algorithm.allCases {
            guard let row = schedule.active(algorithm, at: now), let key = opened[row.kid] else {
                throw ConfigurationError("the store", "has no active \(algorithm.rawValue) signing key.")
            }
            active[algorithm] = key
        }
        self.active = active
        published = schedule.published(at: now).compactMap { opened[$0.kid] }
        span = schedule.span(around: now)
        let document: JSONValue = ["keys": .array(published.map(\.publicJWK))]
        verification = try KeySet(importing: document)
        let ended = schedule.rows.filter { schedule.phase(of: $0, at: now) == .ended }.suffix(Self.rememberedKeys)
        // Only hints need these keys, so a missing one does not prevent the start.
        let remembered = ended.compactMap { try? JSONValue(parsing: $0.publicJWK.utf8) }
        retired = try (try? KeySet(importing: ["keys": .array(remembered)])) ?? KeySet(importing: ["keys": []])
        jwks = PublicDocument(document.serialized(), lifetime: SigningKeySchedule.documentLifetime)
        let certified = published.filter { $0.algorithm == .rs256 }
        certificates = PublicDocument(
            JSONObject(certified.map { ($0.id, .string($0.certificate)) }).serialized(),
            lifetime: SigningKeySchedule.documentLifetime)
    }

    /// The key new tokens of an algorithm are signed with.
    ///
    /// - Throws: ``InternalError/signingKeyMissing(_:)``.
    func active(_ algorithm: StoredSigningKey.Algorithm) throws(InternalError) -> SigningKey {
        guard let key = active[algorithm] else { throw InternalError.signingKeyMissing(algorithm) }
        return key
    }
}

package import BrokerStore

/// The phases of the signing keys of one family, which follow from their rows and the time alone: next, active, retired.
///
/// Of the keys of one algorithm the one that activated last signs; those before it are retired, those after it are next.
/// So there is always exactly one that signs, whatever the clock does, and no timer has to write anything.
package struct SigningKeySchedule: Sendable {
    /// The phase of a key's life.
    package enum Phase: String, Sendable, CaseIterable {
        /// Published, and will sign.
        case next
        /// Published, and signs.
        case active
        /// Published, for the tokens it has signed.
        case retired
        /// No longer published: its last token has expired.
        case ended
        /// Not published, since it may be compromised.
        case revoked
    }

    /// The tolerated difference between hosts: their clocks, and the seconds until each has seen a change.
    private static let margin: Int64 = 60
    /// Seconds verifiers may cache a key document.
    package static let documentLifetime = 3600
    /// The number of keys of one algorithm in a document.
    private static let mostPublished = 50
    /// How long before it signs a key is published: as long as verifiers may keep a key document.
    package static let publishedAhead = Duration.seconds(Int64(documentLifetime) + margin)
    /// How long after its retirement a key stays published: as long as the tokens live that it has signed. Keys of Identity
    /// Toolkit also sign session cookies.
    package static func publishedAfter(_ family: StoredSigningKey.Family) -> Duration {
        switch family {
        case .identityToolkit: .seconds(SessionCookie.longestLifetime + margin)
        case .oidc: .seconds(TokenRules.lifetime + margin)
        }
    }

    /// In the order of their activation.
    package let rows: [StoredSigningKey]

    package init(_ rows: [StoredSigningKey]) {
        self.rows = rows.sorted { ($0.activatesAt.milliseconds, $0.key) < ($1.activatesAt.milliseconds, $1.key) }
    }

    /// The key of `algorithm` that signs at `now`; nil if all are revoked.
    package func active(_ algorithm: StoredSigningKey.Algorithm, at now: Timestamp) -> StoredSigningKey? {
        let usable = rows.filter { $0.algorithm == algorithm && $0.state != .revoked }
        // A clock that was set back must not leave the broker without a key.
        return usable.last { $0.activatesAt <= now } ?? usable.first
    }

    package func phase(of row: StoredSigningKey, at now: Timestamp) -> Phase {
        guard row.state != .revoked else { return .revoked }
        if active(row.algorithm, at: now)?.kid == row.kid { return .active }
        if row.activatesAt > now { return .next }
        guard let end = publicationEnd(of: row) else { return .retired }
        return now < end ? .retired : .ended
    }

    /// The keys of `algorithm` that are in this phase at `now`.
    package func rows(
        _ algorithm: StoredSigningKey.Algorithm, _ phase: Phase, at now: Timestamp
    ) -> [StoredSigningKey] {
        rows.filter { $0.algorithm == algorithm && self.phase(of: $0, at: now) == phase }
    }

    /// The keys that are published at `now`: of each algorithm the newest, so that a document never has more keys than
    /// verifiers take.
    package func published(at now: Timestamp) -> [StoredSigningKey] {
        let published = rows.filter { [.next, .active, .retired].contains(phase(of: $0, at: now)) }
        return StoredSigningKey.Algorithm.allCases.flatMap { algorithm in
            published.filter { $0.algorithm == algorithm }.suffix(Self.mostPublished)
        }
    }

    /// When a retired key is published no more; nil as long as nothing has retired it.
    package func publicationEnd(of row: StoredSigningKey) -> Timestamp? {
        row.retiresAt?.advanced(by: Self.publishedAfter(row.family))
    }

    /// The span around `now` in which every key stays where it is.
    func span(around now: Timestamp) -> Range<Timestamp> {
        let moments = rows.flatMap { [$0.activatesAt, publicationEnd(of: $0)].compactMap(\.self) }
        let start = moments.filter { $0 <= now }.max() ?? Timestamp(milliseconds: .min)
        let end = moments.filter { $0 > now }.min() ?? Timestamp(milliseconds: .max)
        return start..<end
    }
}

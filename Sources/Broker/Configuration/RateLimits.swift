import ProviderKit

/// How often callers may do what costs the broker work before they have proven anything, and what they may do with a
/// proof. All count per minute; nil is no limit.
package struct RateLimits: Sendable, Hashable {
    /// Requests of one address, or one /64 of IPv6, that prove nothing.
    package var unprovenRequests: Int? = 600
    /// Those of one /48 of IPv6, which is 65 536 networks of one site or of many customers.
    package var unprovenRequestsPerSite: Int? = 600 * fewestAddressesPerSite
    /// Refused proofs of one address or of one user.
    package var failures: Int? = 60
    /// Unproven requests of one address with one API key.
    package var requestsPerAPIKey: Int? = 600
    /// Requests with a signature of this broker for one user.
    package var requestsPerUser: Int? = 600
    /// Requests with one client secret, admin credential or service account.
    package var requestsPerCredential: Int? = 60_000
    /// Refreshes of one session.
    package var refreshes: Int? = 10
    /// Unsuccessful look-ups of one user code.
    package var failuresPerUserCode: Int? = 10
    /// Questions of one address about one e-mail address.
    package var identifierQueries: Int? = 5

    package init() {}

    /// A site may send at least as much as this number of its addresses.
    package static let fewestAddressesPerSite = 20

    /// No limits.
    package static let off: RateLimits = {
        var limits = RateLimits()
        (limits.unprovenRequests, limits.failures, limits.requestsPerAPIKey) = (nil, nil, nil)
        (limits.requestsPerUser, limits.requestsPerCredential, limits.refreshes) = (nil, nil, nil)
        (limits.failuresPerUserCode, limits.identifierQueries, limits.unprovenRequestsPerSite) = (nil, nil, nil)
        return limits
    }()
}

extension RateLimits {
    /// `rateLimits` of `broker.json`.
    static let keys = DeclaredObject<RateLimits>(
        [
            limit("unprovenRequestsPerAddress", \.unprovenRequests, "requests of one address that prove nothing"),
            .integer(
                site, 1...1_000_000_000, orZero: noLimit,
                "those of one /48 of IPv6; at least \(fewestAddressesPerSite) times unprovenRequestsPerAddress"
            ) { $0.unprovenRequestsPerSite = $1 }.initially(inWords: "\(fewestAddressesPerSite) times that") {
                .integer($0.unprovenRequestsPerSite ?? 0)
            },
            limit("failuresPerAddress", \.failures, "refused proofs of one address or of one user"),
            limit("requestsPerAPIKey", \.requestsPerAPIKey, "unproven requests of one address with one API key"),
            limit("requestsPerUser", \.requestsPerUser, "requests with a signature of this broker for one user"),
            limit(
                "requestsPerCredential", \.requestsPerCredential,
                "requests with one client secret, admin credential or service account"),
            limit("refreshesPerSession", \.refreshes, "refreshes of one session"),
            limit("failuresPerUserCode", \.failuresPerUserCode, "unsuccessful look-ups of one user code"),
            limit(
                "identifierQueriesPerAddress", \.identifierQueries,
                "questions of one address about one e-mail address"),
        ]
    ) { (limits, present, place) throws(ConfigurationError) in
        let least = limits.unprovenRequests.map { $0 * fewestAddressesPerSite }
        guard present.contains(site) else {
            limits.unprovenRequestsPerSite = least
            return
        }
        guard (limits.unprovenRequestsPerSite ?? .max) >= least ?? 1 else {
            throw place.below([site]).error(
                "must be at least \(fewestAddressesPerSite) times unprovenRequestsPerAddress.",
                fix: "Write 0 \(noLimit).")
        }
    }

    private static let site = "unprovenRequestsPerSite"
    private static let noLimit = "for no limit"

    private static func limit(
        _ name: String, _ member: any WritableKeyPath<RateLimits, Int?> & Sendable, _ text: String
    ) -> DeclaredKey<RateLimits> {
        .integer(name, 1...10_000_000, orZero: noLimit, initially: RateLimits()[keyPath: member] ?? 0, text) {
            $0[keyPath: member] = $1
        }
    }
}

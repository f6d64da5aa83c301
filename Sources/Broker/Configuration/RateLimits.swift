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
    struct Entry: Decodable {
        let unprovenRequestsPerAddress: Int?
        let unprovenRequestsPerSite: Int?
        let failuresPerAddress: Int?
        let requestsPerAPIKey: Int?
        let requestsPerUser: Int?
        let requestsPerCredential: Int?
        let refreshesPerSession: Int?
        let failuresPerUserCode: Int?
        let identifierQueriesPerAddress: Int?
    }

    /// - Throws: ``ConfigurationError`` for a number out of range.
    init(_ entry: Entry?, in path: String) throws(ConfigurationError) {
        self.init()
        guard let entry else { return }
        try set(\.unprovenRequests, entry.unprovenRequestsPerAddress, "unprovenRequestsPerAddress", path)
        try setSite(entry.unprovenRequestsPerSite, path)
        try set(\.failures, entry.failuresPerAddress, "failuresPerAddress", path)
        try set(\.requestsPerAPIKey, entry.requestsPerAPIKey, "requestsPerAPIKey", path)
        try set(\.requestsPerUser, entry.requestsPerUser, "requestsPerUser", path)
        try set(\.requestsPerCredential, entry.requestsPerCredential, "requestsPerCredential", path)
        try set(\.refreshes, entry.refreshesPerSession, "refreshesPerSession", path)
        try set(\.failuresPerUserCode, entry.failuresPerUserCode, "failuresPerUserCode", path)
        try set(\.identifierQueries, entry.identifierQueriesPerAddress, "identifierQueriesPerAddress", path)
    }

    private mutating func setSite(_ value: Int?, _ path: String) throws(ConfigurationError) {
        let least = unprovenRequests.map { $0 * Self.fewestAddressesPerSite }
        guard let value else {
            unprovenRequestsPerSite = least
            return
        }
        guard value == 0 || ((least ?? 1)...1_000_000_000).contains(value) else {
            throw ConfigurationError(
                path, at: "/rateLimits/unprovenRequestsPerSite",
                "must be at least \(Self.fewestAddressesPerSite) times unprovenRequestsPerAddress.",
                fix: "Write 0 for no limit.")
        }
        unprovenRequestsPerSite = value == 0 ? nil : value
    }

    private mutating func set(
        _ member: WritableKeyPath<RateLimits, Int?>, _ value: Int?, _ name: String, _ path: String
    ) throws(ConfigurationError) {
        guard let value else { return }
        guard (0...10_000_000).contains(value) else {
            throw ConfigurationError(
                path, at: "/rateLimits/\(name)", "must be between 0 and 10000000.", fix: "Write 0 for no limit.")
        }
        self[keyPath: member] = value == 0 ? nil : value
    }
}

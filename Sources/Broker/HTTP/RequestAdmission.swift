import BrokerStore
import JOSE
import ProviderKit
import Synchronization

/// The verified caller of the current task's request, and the limits it counts against.
///
/// A request that proves something counts against that and never against its address; all others count against their
/// address, before their work begins where the path takes no proof, and at the end otherwise. Refused proofs count as
/// failures. A token of ours proves its user once its session was found valid; one that has expired, or whose session has
/// ended, is no proof and no failure. Outside of requests there is no admission, and nothing is limited.
final class RequestAdmission: Sendable {
    /// That of the request that this task answers.
    @TaskLocal static var current: RequestAdmission?

    /// The client's network, behind trusted proxies.
    let network: ClientNetwork?
    private let limiter: RateLimiter
    private let state = Mutex(State())
    /// What the flows have noted.
    let outcome = Mutex(RequestOutcome())

    private struct State {
        /// Whether the request was counted against its address.
        var isCounted = false
        /// Whether a refused proof of it was counted.
        var hasFailed = false
        var apiKey: String?
        var isProven = false
        var hasCredential = false
        /// The user or session whose failures are counted.
        var user: RateKey?
        /// The session whose refreshes were looked at.
        var refreshed: (session: String, key: RateKey)?
        /// The holders of what was proven; most requests have one.
        var subjects: [RateKey] = []

        mutating func isNew(_ subject: RateKey) -> Bool {
            guard !subjects.contains(subject) else { return false }
            subjects.append(subject)
            return true
        }
    }

    init(_ network: ClientNetwork?, _ limiter: RateLimiter) {
        self.network = network
        self.limiter = limiter
    }

    /// Nil where no address is known or the address tells nothing.
    private var address: RateKey? { network.flatMap { limiter.counts($0) ? limiter.key(.address($0)) : nil } }

    /// The address's /48 of IPv6; nil where ``address`` is, and for IPv4.
    private var site: RateKey? {
        guard let network, limiter.counts(network) else { return nil }
        return network.site.map { limiter.key(.site($0)) }
    }

    /// The app that calls, at this address; nil where ``address`` is. Requests that prove something need neither.
    private var apiKey: RateKey? {
        guard let network, limiter.counts(network), let apiKey = state.withLock(\.apiKey) else { return nil }
        return limiter.key(.apiKey(apiKey, network))
    }

    /// Whether the caller has proven anything.
    var isProven: Bool { state.withLock(\.isProven) }

    /// Whether the caller has shown a client secret, an admin credential or a service account.
    var hasCredential: Bool { state.withLock(\.hasCredential) }

    /// Counts the request against its address, unless that was done or it has proven something.
    ///
    /// - Throws: ``BrokerError/tooManyAttempts(retryAfter:)``.
    func countUnproven() throws(BrokerError) {
        let counts = state.withLock { state in
            guard !state.isProven, !state.isCounted else { return false }
            state.isCounted = true
            return true
        }
        guard counts, let address else { return }
        let site = site
        if let seconds = limiter.isFull(.failures, address) { throw refused(.failures, seconds) }
        try checkSite(site)
        if let apiKey, let seconds = limiter.take(.requestsPerAPIKey, apiKey) {
            throw refused(.requestsPerAPIKey, seconds)
        }
        if let seconds = limiter.take(.unprovenRequests, address) { throw refused(.unprovenRequests, seconds) }
        // Last, so that what one network is refused does not fill its neighbours' limit.
        if let site { _ = limiter.take(.unprovenRequestsPerSite, site) }
    }

    private func checkSite(_ site: RateKey?) throws(BrokerError) {
        guard let site, let seconds = limiter.isFull(.unprovenRequestsPerSite, site) else { return }
        throw refused(.unprovenRequestsPerSite, seconds)
    }

    /// Counts a preflight against its address, by a limit of its own: browsers send preflights without any proof before
    /// requests that have one, so a full address must not refuse those of its signed-in users.
    ///
    /// - Throws: ``BrokerError/tooManyAttempts(retryAfter:)``.
    func countPreflight() throws(BrokerError) {
        guard let address, let seconds = limiter.take(.preflights, address) else { return }
        throw refused(.preflights, seconds)
    }

    /// Notes the app that calls: what it does not prove counts against it at this address.
    func identify(apiKey: String) { state.withLock { $0.apiKey = apiKey } }

    /// Refuses a request of an address that is at a limit, without counting it.
    ///
    /// - Throws: ``BrokerError/tooManyAttempts(retryAfter:)``.
    func checkAddress() throws(BrokerError) {
        let counts = state.withLock { !$0.isProven && !$0.isCounted }
        guard counts, let address else { return }
        if let seconds = limiter.isFull(.failures, address) { throw refused(.failures, seconds) }
        if let apiKey, let seconds = limiter.isFull(.requestsPerAPIKey, apiKey) {
            throw refused(.requestsPerAPIKey, seconds)
        }
        if let seconds = limiter.isFull(.unprovenRequests, address) { throw refused(.unprovenRequests, seconds) }
        try checkSite(site)
    }

    /// Notes a proof that has a limit of its own elsewhere, such as a provider's signature.
    func prove() { state.withLock { $0.isProven = true } }

    /// Notes that the caller has shown a token of a user's valid session, and counts the request against the user. A
    /// request with a credential counts against that alone: backends act for many users.
    ///
    /// - Throws: ``BrokerError/tooManyAttempts(retryAfter:)``.
    func prove(user: String) throws(BrokerError) { try prove(holder: limiter.key(.user(user))) }

    /// The same for a custom token. No session of it can end, so it counts at its sender's address only: a caller who has got
    /// hold of one does not use up what the user has elsewhere.
    func prove(customTokenOf user: String) throws(BrokerError) {
        let network = network.flatMap { limiter.counts($0) ? $0 : nil }
        try prove(holder: limiter.key(.customToken(user, network)))
    }

    /// Whether no token of a user would prove anything more.
    func hasProven(user: String) -> Bool {
        let key = limiter.key(.user(user))
        return state.withLock { $0.hasCredential || $0.subjects.contains(key) }
    }

    /// The same for the cookie of a browser's session.
    func prove(webSession: String) throws(BrokerError) { try prove(holder: limiter.key(.session(webSession))) }

    private func prove(holder key: RateKey) throws(BrokerError) {
        let isNew = state.withLock { state in
            state.isProven = true
            guard !state.hasCredential else { return false }
            state.user = key
            return state.isNew(key)
        }
        guard isNew else { return }
        if let seconds = limiter.isFull(.failures, key) { throw refused(.failures, seconds) }
        if let seconds = limiter.take(.requestsPerUser, key) { throw refused(.requestsPerUser, seconds) }
    }

    /// Notes a client secret, an admin credential or a service account.
    ///
    /// - Parameter credential: Its kind and id.
    /// - Throws: ``BrokerError/tooManyAttempts(retryAfter:)``.
    func prove(credential: String) throws(BrokerError) {
        let key = limiter.key(.credential(credential))
        let isNew = state.withLock { state in
            (state.isProven, state.hasCredential) = (true, true)
            return state.isNew(key)
        }
        guard isNew, let seconds = limiter.take(.requestsPerCredential, key) else { return }
        throw refused(.requestsPerCredential, seconds)
    }

    /// Refuses a refresh of a session that has too many, without counting it.
    ///
    /// - Throws: ``BrokerError/tooManyAttempts(retryAfter:)``.
    func checkRefresh(of session: String) throws(BrokerError) {
        let key = limiter.key(.session(session))
        state.withLock { $0.refreshed = (session, key) }
        if let seconds = limiter.isFull(.refreshes, key) { throw refused(.refreshes, seconds) }
    }

    /// Notes a valid refresh token that ``checkRefresh(of:)`` let pass, and counts the refresh against its session.
    func prove(refreshOf session: String) {
        prove()
        let known = state.withLock(\.refreshed).flatMap { $0.session.hasSameBytes(as: session) ? $0.key : nil }
        _ = limiter.take(.refreshes, known ?? limiter.key(.session(session)))
    }

    /// Looks at the session behind a token with a signature of ours, which is no proof until then.
    ///
    /// At an address that is at a limit, a token that has expired or whose session was found ended a moment ago is refused
    /// without the look. Every other one costs it, so that the users of such an address go on.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - isExpired: Whether it has expired.
    ///   - isForged: Whether an ended token is answered as a forged one, which would be a failure.
    ///   - now: The moment.
    ///   - look: Throws a ``BrokerError`` for a session that has ended: the request then counts against its address. An
    ///     error of the store is no judgement on the token.
    /// - Returns: What `look` returns.
    /// - Throws: What `look` throws, ``BrokerError/tooManyAttempts(retryAfter:)``.
    static func look<Value>(
        behind token: TokenDigest, isExpired: Bool = false, answeredAsForged isForged: Bool = false, at now: Timestamp,
        _ look: () async throws -> Value
    ) async throws -> Value {
        guard let current else { return try await look() }
        let ended = current.limiter.endedTokens
        if isExpired || ended.contains(token, at: now) { try current.checkAddress() }
        do {
            return try await look()
        } catch let error as BrokerError {
            ended.insert(token, at: now)
            if isForged { current.state.withLock { $0.hasFailed = true } }
            try current.countUnproven()
            throw error
        } catch let error as StoreError {
            current.prove()
            throw error
        }
    }

    /// Counts an event against a subject of its own.
    ///
    /// - Throws: ``BrokerError/tooManyAttempts(retryAfter:)``.
    func take(_ limit: RateLimit, of subject: RateSubject) throws(BrokerError) {
        guard !subject.hasAddress || network.map(limiter.counts) == true else { return }
        if let seconds = limiter.take(limit, limiter.key(subject)) { throw refused(limit, seconds) }
    }

    /// Refuses what ``take(_:of:)`` would, without counting.
    ///
    /// - Throws: ``BrokerError/tooManyAttempts(retryAfter:)``.
    func check(_ limit: RateLimit, of subject: RateSubject) throws(BrokerError) {
        if let seconds = limiter.isFull(limit, limiter.key(subject)) { throw refused(limit, seconds) }
    }

    /// Counts a refused proof, once a request: against the user or session it was sent with, else against the address.
    /// The failures of a credential's holder are those of its users.
    ///
    /// - Throws: ``BrokerError/tooManyAttempts(retryAfter:)``.
    func fail() throws(BrokerError) {
        let key: RateKey? = state.withLock { state in
            guard !state.hasFailed, !state.hasCredential else { return nil }
            state.hasFailed = true
            return state.user ?? (state.isProven ? nil : address)
        }
        if let key, let seconds = limiter.take(.failures, key) { throw refused(.failures, seconds) }
    }

    /// The error to answer: the request's own, or the limit that it meets. Counts what was not counted yet.
    func judge(_ error: any Error) -> any Error {
        if case BrokerError.tooManyAttempts = error { return error }
        if (error as? WireError)?.isTooManyAttempts == true { return error }
        do {
            try countUnproven()
            if (error as? any ProofRefusal)?.isProofRefused == true { try fail() }
            return error
        } catch {
            return error
        }
    }

    /// The same for the current request.
    static func judge(_ error: any Error) -> any Error { current?.judge(error) ?? error }

    /// Counts an answered request.
    func end() { try? countUnproven() }

    private func refused(_ limit: RateLimit, _ seconds: Int) -> BrokerError {
        limiter.refused(limit)
        return .tooManyAttempts(retryAfter: seconds)
    }
}

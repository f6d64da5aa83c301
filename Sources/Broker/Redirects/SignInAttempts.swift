import BrokerStore
import Crypto
import Foundation
import JOSE
import OAuth
import ProviderKit

/// Single-use secrets of unfinished sign-ins: what only this broker knows about each, sealed, found by the secret's hash
/// and consumed once (RFC 6749 §10.12, RFC 7636, RFC 9700 §4.7).
package struct SignInAttempts: StoreLayer {
    package let stored: StoreContext
    private let sealer: Sealer
    private let limiter: OpenRowLimiter

    /// How long a user may stay at a provider.
    package static let lifetime = Duration.seconds(600)

    init(_ stored: StoreContext, limiter: OpenRowLimiter) {
        self.stored = stored
        self.limiter = limiter
        sealer = Sealer(stored.masterKey, for: .signInAttempts)
    }

    /// The flow an attempt belongs to, with the type of what it carries. No flow finishes another one's attempt.
    package struct Purpose<Payload: Codable & Sendable>: Sendable {
        /// As it stands in the row.
        let name: String

        init(_ name: String) {
            self.name = name
        }
    }

    /// The state with which the broker, as a provider's client, checks the provider's answer.
    struct UpstreamState: Codable, Sendable {
        /// RFC 7636.
        let codeVerifier: String
        let nonce: String?
        /// The redirect URI at the provider.
        let redirectURI: String
        /// Whether the provider's answer has to carry `iss` (RFC 9207 §2.4).
        let promisesIssuer: Bool
        /// The client at the provider, where the redirect URI is an app's.
        var appClientID: String?
    }

    /// The value of a row before it is sealed.
    private struct Content<Payload: Codable & Sendable>: Codable, Sendable {
        /// `nil` where no provider is asked.
        let upstream: UpstreamState?
        let payload: Payload
    }

    /// An attempt that was found by its secret.
    struct Opened<Payload: Sendable>: Sendable {
        let provider: String
        let startedAt: Timestamp
        let expiresAt: Timestamp
        let stateHash: [UInt8]
        let upstream: UpstreamState?
        let payload: Payload
    }

    /// The columns of a new attempt besides its sealed value.
    struct Terms: Sendable {
        /// The secret itself, 256 random bits; the store gets its hash.
        let state: String
        /// The binding that the finishing request presents: a cookie, a session id, a client id.
        let binding: String
        /// The provider that may answer; empty where none is asked.
        var provider = ""
        /// The requester the row counts against.
        var requester = Requester.current
        var lifetime = SignInAttempts.lifetime
    }

    /// Stores an attempt.
    ///
    /// - Throws: A store's error.
    func insert<Payload>(
        _ payload: Payload, _ purpose: Purpose<Payload>, _ terms: Terms, upstream: UpstreamState? = nil,
        at now: Timestamp
    ) async throws {
        let hash = RandomText.hash(of: terms.state)
        let content = Content(upstream: upstream, payload: payload)
        let sealed = try sealer.seal(Array(try JSONEncoder().encode(content)), row: Self.row(hash, Self.format))
        let requester = try await limiter.admit(terms.requester, to: .signInAttempts)
        try await store.write(at: now) { transaction in
            try transaction.insert(
                SignInAttemptRow(
                    key: transaction.nextKey(), stateHash: hash, purpose: purpose.name, provider: terms.provider,
                    bindingHash: RandomText.hash(of: terms.binding), sealedRequest: sealed, createdAt: now,
                    expiresAt: now.advanced(by: terms.lifetime), requester: requester))
        }
    }

    /// Finds an attempt for the browser, app or client that started it. Consumes nothing.
    ///
    /// - Parameters:
    ///   - state: The secret, as it was presented.
    ///   - purpose: The flow that finishes.
    ///   - now: The moment.
    ///   - binding: What the request shows, by the hash of the state.
    /// - Returns: The attempt.
    /// - Throws: ``BrokerError/signInAttemptUnknown``, ``BrokerError/signInAttemptOfAnother``.
    func find<Payload>(
        _ state: String, _ purpose: Purpose<Payload>, at now: Timestamp, binding: ([UInt8]) -> String?
    ) async throws -> Opened<Payload> {
        let (found, bindingHash) = try await open(state, purpose, at: now)
        // Hashes of 256 random bits: how long comparing takes tells nothing.
        guard let shown = binding(found.stateHash), RandomText.hash(of: shown) == bindingHash else {
            throw BrokerError.signInAttemptOfAnother
        }
        return found
    }

    /// Consumes an attempt first and checks its binding then, so that a failure consumes it too.
    ///
    /// - Throws: As ``find(_:_:at:binding:)``.
    func consume<Payload>(
        _ state: String, _ purpose: Purpose<Payload>, at now: Timestamp, binding: String
    ) async throws -> Opened<Payload> {
        let (found, bindingHash) = try await open(state, purpose, at: now)
        try await consume(found, at: now)
        guard RandomText.hash(of: binding) == bindingHash else { throw BrokerError.signInAttemptOfAnother }
        return found
    }

    /// Consumes an attempt: of any number of copies of one answer, one gets through.
    ///
    /// - Throws: ``BrokerError/signInAttemptUnknown`` for all others.
    func consume<Payload>(_ attempt: Opened<Payload>, at now: Timestamp) async throws {
        let hash = attempt.stateHash
        guard try await store.write(at: now, { try $0.consumeSignInAttempt(stateHash: hash, at: now) }) else {
            throw BrokerError.signInAttemptUnknown
        }
    }

    private func open<Payload>(
        _ state: String, _ purpose: Purpose<Payload>, at now: Timestamp
    ) async throws -> (found: Opened<Payload>, bindingHash: [UInt8]) {
        try await open(hash: RandomText.hash(of: state), purpose, at: now)
    }

    /// An attempt by the hash of its secret, which the caller has from a row of its own.
    ///
    /// - Throws: ``BrokerError/signInAttemptUnknown``.
    func open<Payload>(
        hash: [UInt8], _ purpose: Purpose<Payload>, at now: Timestamp
    ) async throws -> (found: Opened<Payload>, bindingHash: [UInt8]) {
        guard let row = try await store.read({ try $0.signInAttempt(stateHash: hash, at: now) }),
            let found = opened(row, purpose)
        else { throw BrokerError.signInAttemptUnknown }
        return (found, row.bindingHash)
    }

    /// The value of a row; nil for another flow's, and one of another version.
    private func opened<Payload>(_ row: SignInAttemptRow, _ purpose: Purpose<Payload>) -> Opened<Payload>? {
        guard row.purpose.hasSameBytes(as: purpose.name),
            let sealed = try? sealer.open(row.sealedRequest, row: Self.row(row.stateHash, Self.format)),
            let content = try? JSONValue.decode(Content<Payload>.self, parsing: sealed)
        else { return nil }
        return Opened(
            provider: row.provider, startedAt: row.createdAt, expiresAt: row.expiresAt, stateHash: row.stateHash,
            upstream: content.upstream, payload: content.payload)
    }

    /// The attempts of a flow that commands on the host have begun and that can still be finished, the earliest first.
    ///
    /// - Throws: A store's error.
    func openOfAdministrators<Payload>(_ purpose: Purpose<Payload>, at now: Timestamp) async throws -> [Opened<Payload>]
    {
        let rows = try await store.read {
            try $0.signInAttempts(
                for: purpose.name, ofRequesters: OpenRowLimiter.administrators, at: now, limit: 100)
        }
        return rows.compactMap { opened($0, purpose) }
    }

    /// Whether the attempt with this state belongs to a flow.
    func isOpen<Payload>(_ state: String, _ purpose: Purpose<Payload>, at now: Timestamp) async throws -> Bool {
        try await flow(of: state, at: now)?.hasSameBytes(as: purpose.name) ?? false
    }

    /// The name of the flow that the attempt with this state belongs to; nil for one that is not open.
    func flow(of state: String, at now: Timestamp) async throws -> String? {
        let hash = RandomText.hash(of: state)
        return try await store.read { try $0.signInAttempt(stateHash: hash, at: now)?.purpose }
    }

    /// Stores what a provider posted across sites, a request that brings no cookie of ours.
    ///
    /// - Returns: The handle with which the browser fetches it.
    /// - Throws: ``BrokerError/signInAttemptUnknown``.
    func storeResponse(
        _ form: [UInt8], state: String, from provider: String, at now: Timestamp
    ) async throws -> String {
        let handle = RandomText.secret()
        try await storeResponse(form, state: state, from: provider, under: handle, at: now)
        return handle
    }

    /// Stores a provider's answer under a handle that is known already.
    ///
    /// - Throws: ``BrokerError/signInAttemptUnknown``.
    func storeResponse(
        _ form: [UInt8], state: String, from provider: String, under handle: String, at now: Timestamp
    ) async throws {
        let hash = RandomText.hash(of: state)
        let response = PostedResponse(
            stateHash: hash, provider: provider,
            sealedResponse: try sealer.seal(form, row: Self.row(RandomText.hash(of: handle), "response")))
        let isStored = try await store.write(at: now) {
            try $0.keep(response, handleHash: RandomText.hash(of: handle), at: now)
        }
        guard isStored else { throw BrokerError.signInAttemptUnknown }
    }

    /// A posted authorization response, by its handle.
    ///
    /// - Throws: ``BrokerError/signInAttemptUnknown``.
    func response(under handle: String, from provider: String, at now: Timestamp) async throws -> [UInt8] {
        let hash = RandomText.hash(of: handle)
        guard let posted = try await store.read({ try $0.postedResponse(handleHash: hash, at: now) }),
            posted.provider.hasSameBytes(as: provider),
            let form = try? sealer.open(posted.sealedResponse, row: Self.row(hash, "response"))
        else { throw BrokerError.signInAttemptUnknown }
        return form
    }

    /// The version of ``Content``, authenticated with each value: a broker of another version finds the attempt unknown,
    /// and the user starts again. The value of version 1 was called `request`.
    private static let format = "content/2"

    private static func row(_ hash: [UInt8], _ column: String) -> [String] {
        ["sign_in_attempts", column, Base64URL.encode(hash)]
    }
}

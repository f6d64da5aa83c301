package import BrokerStore
import Crypto
import Foundation
import JOSE
import ProviderKit

/// Trips of browsers to providers: what only this broker knows about each, sealed, found again by `state` and counted
/// once (RFC 6749 §10.12, RFC 7636, RFC 9700 §4.7).
package struct SignInAttempts: Sendable {
    private let store: Store
    private let sealer: Sealer
    private let keys: KeyGenerator
    private let limiter: OpenRowLimiter

    /// How long a browser may stay away.
    package static let lifetime = Duration.seconds(600)

    init(store: Store, masterKey: MasterKey, keys: KeyGenerator, limiter: OpenRowLimiter) {
        self.store = store
        self.keys = keys
        self.limiter = limiter
        sealer = Sealer(masterKey, for: .signInAttempts)
    }

    /// Which flow a trip belongs to; the flows never finish each other's.
    package enum Purpose: String, Sendable {
        /// Of the hosted pages: bound to a cookie.
        case browser
        /// Of an app by Identity Toolkit: bound to the session id that `createAuthUri` gave it.
        case identityToolkit = "identity-toolkit"
        /// An authorization request that was pushed (RFC 9126): bound to its client.
        case pushed
        /// A code that stands for an identity to be linked: bound to its client.
        case linkCode = "link-code"
    }

    /// What goes along with a trip and comes back with it.
    package struct Luggage: Codable, Sendable {
        /// The PKCE verifier, where a provider is asked.
        var codeVerifier: String?
        var nonce: String?
        /// Where the provider sends the browser back to.
        var redirectURI: String?
        /// Whether the provider's answer has to carry `iss` (RFC 9207 §2.4).
        var promisesIssuer: Bool?
        /// The flow's own request, as JSON text.
        var request: String
    }

    /// An attempt that was found again.
    package struct Opened: Sendable {
        package let provider: String
        package let startedAt: Timestamp
        let stateHash: [UInt8]
        let luggage: Luggage

        /// The flow's own request.
        func request<Request: Decodable>(_: Request.Type) throws(BrokerError) -> Request {
            do {
                return try JSONValue.decode(Request.self, parsing: luggage.request.utf8)
            } catch {
                throw .signInAttemptUnknown
            }
        }
    }

    /// Remembers a trip.
    ///
    /// - Parameters:
    ///   - luggage: What only this broker knows about it.
    ///   - state: What comes back; 256 random bits.
    ///   - binding: What whoever finishes has to show.
    ///   - purpose: The flow it belongs to.
    ///   - provider: Who may answer.
    ///   - requester: The requester it counts against.
    ///   - lifetime: How long.
    ///   - date: The moment.
    /// - Throws: A store's error.
    func keep(
        _ luggage: Luggage, state: String, binding: String, purpose: Purpose, provider: String,
        of requester: Requester = .current, for lifetime: Duration = Self.lifetime, at date: Date
    ) async throws {
        let hash = RandomText.hash(of: state)
        let now = Timestamp(date)
        let row = SignInAttemptRow(
            key: keys.next(at: date), stateHash: hash, purpose: purpose.rawValue, provider: provider,
            bindingHash: RandomText.hash(of: binding),
            sealedRequest: try sealer.seal(Array(try JSONEncoder().encode(luggage)), row: Self.row(hash, "request")),
            createdAt: now, expiresAt: now.advanced(by: lifetime),
            requester: try await limiter.admit(requester, to: .signInAttempts))
        try await store.write { try $0.insert(row) }
    }

    /// Finds the attempt a browser or an app came back with, if it may finish it. Nothing is used up.
    ///
    /// - Parameters:
    ///   - state: As it came back.
    ///   - purpose: The only one that will do.
    ///   - now: The moment.
    ///   - binding: What the one who came back shows, by the hash of the state.
    /// - Returns: The attempt.
    /// - Throws: ``BrokerError/signInAttemptUnknown``, ``BrokerError/signInAttemptOfAnother``.
    func find(
        _ state: String, _ purpose: Purpose, at now: Timestamp, binding: ([UInt8]) -> String?
    ) async throws -> Opened {
        let (found, bindingHash) = try await open(state, purpose, at: now)
        // Hashes of 256 random bits: how long comparing takes tells nothing.
        guard let shown = binding(found.stateHash), RandomText.hash(of: shown) == bindingHash else {
            throw BrokerError.signInAttemptOfAnother
        }
        return found
    }

    /// Consumes an attempt first and judges its binding then, so that a failure leaves nothing behind.
    ///
    /// - Throws: As ``find(_:_:at:binding:)``.
    func take(_ state: String, _ purpose: Purpose, at now: Timestamp, binding: String) async throws -> Opened {
        let (found, bindingHash) = try await open(state, purpose, at: now)
        try await consume(found, at: now)
        guard RandomText.hash(of: binding) == bindingHash else { throw BrokerError.signInAttemptOfAnother }
        return found
    }

    private func open(
        _ state: String, _ purpose: Purpose, at now: Timestamp
    ) async throws -> (found: Opened, bindingHash: [UInt8]) {
        let hash = RandomText.hash(of: state)
        guard let row = try await store.read({ try $0.signInAttempt(stateHash: hash, at: now) }),
            row.purpose.utf8.elementsEqual(purpose.rawValue.utf8),
            let sealed = try? sealer.open(row.sealedRequest, row: Self.row(hash, "request")),
            let luggage = try? JSONValue.decode(Luggage.self, parsing: sealed)
        else { throw BrokerError.signInAttemptUnknown }
        return (
            Opened(provider: row.provider, startedAt: row.createdAt, stateHash: hash, luggage: luggage), row.bindingHash
        )
    }

    /// Which flow a browser set out for that comes back with this state; `nil` when none is on its way.
    func purpose(of state: String, at now: Timestamp) async throws -> Purpose? {
        let hash = RandomText.hash(of: state)
        return try await store.read { try $0.signInAttempt(stateHash: hash, at: now) }.flatMap {
            Purpose(rawValue: $0.purpose)
        }
    }

    /// Uses an attempt up, whatever comes of it: of any number of copies of one answer, one gets through.
    ///
    /// - Throws: ``BrokerError/signInAttemptUnknown`` for all others.
    func consume(_ attempt: Opened, at now: Timestamp) async throws {
        let hash = attempt.stateHash
        guard try await store.write({ try $0.consumeSignInAttempt(stateHash: hash, at: now) }) else {
            throw BrokerError.signInAttemptUnknown
        }
    }

    /// Keeps what a provider posted across sites, where the browser's cookie does not travel along.
    ///
    /// - Returns: The handle under which the browser comes for it.
    /// - Throws: ``BrokerError/signInAttemptUnknown``.
    func keepResponse(_ form: [UInt8], state: String, from provider: String, at now: Timestamp) async throws -> String {
        let hash = RandomText.hash(of: state)
        let handle = RandomText.secret()
        let response = PostedResponse(
            stateHash: hash, provider: provider,
            sealedResponse: try sealer.seal(form, row: Self.row(RandomText.hash(of: handle), "response")))
        let isKept = try await store.write {
            try $0.keep(response, handleHash: RandomText.hash(of: handle), at: now)
        }
        guard isKept else { throw BrokerError.signInAttemptUnknown }
        return handle
    }

    /// What a provider posted, by its handle.
    ///
    /// - Throws: ``BrokerError/signInAttemptUnknown``.
    func response(under handle: String, from provider: String, at now: Timestamp) async throws -> [UInt8] {
        let hash = RandomText.hash(of: handle)
        guard let posted = try await store.read({ try $0.postedResponse(handleHash: hash, at: now) }),
            posted.provider.utf8.elementsEqual(provider.utf8),
            let form = try? sealer.open(posted.sealedResponse, row: Self.row(hash, "response"))
        else { throw BrokerError.signInAttemptUnknown }
        return form
    }

    private static func row(_ hash: [UInt8], _ column: String) -> [String] {
        ["sign_in_attempts", column, Base64URL.encode(hash)]
    }
}

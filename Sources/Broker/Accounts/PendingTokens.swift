import BrokerStore
import Crypto
import Foundation
import JOSE
import OAuth
import ProviderKit

/// Pending tokens (contract §3.6): single-use tokens that stand for a verified identity, for one hour from its
/// verification. The store holds nothing usable.
///
/// Evidence that began no session waits in the store, sealed. A sign-in that succeeded has written its evidence already,
/// so its token names the session and the identity, and nothing is stored before it is used.
struct PendingTokens: StoreLayer {
    let stored: StoreContext
    private let sealer: Sealer
    private let bound: BoundPendingTokenCodec

    /// How long a pending token is valid. A sign-in with one issues no other.
    static let lifetime = Duration.seconds(3600)

    init(_ stored: StoreContext) {
        self.stored = stored
        sealer = Sealer(stored.masterKey, for: .pendingTokens)
        bound = BoundPendingTokenCodec(stored.masterKey)
    }

    /// Issues a pending token for evidence that began no session, and stores it.
    ///
    /// - Parameters:
    ///   - credential: The evidence, with the time of its login.
    ///   - client: The id of the OAuth client that alone may use the token; nil outside of OAuth.
    ///   - now: The moment.
    /// - Returns: The token the credential came by, or a new one.
    /// - Throws: What sealing throws, or a store's error.
    func token(
        for credential: VerifiedCredential, boundTo client: String? = nil, at now: Timestamp
    ) async throws -> String {
        if let pending = credential.pendingToken { return pending.token }
        let token = RandomText.secret()
        let hash = Self.hash(of: token, boundTo: client)
        let sealed = try sealer.seal(Array(credential.evidence.pendingText.utf8), row: Self.row(hash))
        try await store.write(at: now) { transaction in
            try transaction.insert(
                PendingToken(
                    key: transaction.nextKey(), tokenHash: hash, sealedEvidence: sealed, createdAt: now,
                    expiresAt: now.advanced(by: Self.lifetime), authTime: credential.authTime(at: now)))
        }
        return token
    }

    /// The pending token of the session that a credential began.
    ///
    /// - Returns: nil if the user has no identity of the credential's provider any more.
    func token(for credential: VerifiedCredential, issuedWith facts: SessionFacts) -> String? {
        let provider = credential.evidence.key.provider
        // A user has one identity at each provider.
        guard let identity = facts.identities.first(where: { $0.provider.hasSameBytes(as: provider) }) else {
            return nil
        }
        let session = facts.session
        return bound.encode(
            BoundPendingToken(
                binding: .init(
                    userKey: facts.user.key, epoch: session.epoch, identityKey: identity.key, sessionID: session.id),
                authTime: credential.authTime(at: session.createdAt),
                expiresAt: session.createdAt.advanced(by: Self.lifetime)))
    }

    /// A pending token that a client presented.
    struct Presented: Sendable {
        let token: String
        /// What identifies it in the store: the hash of the token; of a bound one, of what was signed.
        let hash: [UInt8]
        /// What it says; nil for one that has a row.
        let bound: BoundPendingToken?
    }

    /// The evidence behind a pending token.
    struct Opened: Sendable {
        let presented: Presented
        let evidence: Evidence
        /// When its user authenticated, in whole seconds since 1970.
        let authTime: Int64
    }

    /// Opens a token that is neither consumed nor expired. ``user(of:in:)`` verifies its binding, in the transaction that
    /// consumes it.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - client: The id of the OAuth client that presents it; nil outside of OAuth.
    ///   - now: The moment.
    /// - Returns: The evidence.
    /// - Throws: ``BrokerError/invalidPendingToken``, also for a token of another client, or a store's error.
    func open(_ token: String, boundTo client: String? = nil, at now: Timestamp) async throws -> Opened {
        // Those that come with a sign-in are Identity Toolkit's.
        if client == nil, let (bound, hash) = bound.decode(token) {
            let identity = try await store.read { try $0.identity(key: bound.binding.identityKey) }
            guard let identity, bound.expiresAt > now else { throw BrokerError.invalidPendingToken }
            return Opened(
                presented: Presented(token: token, hash: hash, bound: bound), evidence: Evidence(known: identity),
                authTime: bound.authTime)
        }
        let hash = Self.hash(of: token, boundTo: client)
        guard let row = try await store.read({ try $0.pendingToken(hash: hash, at: now) }),
            let bytes = try? sealer.open(row.sealedEvidence, row: Self.row(hash)),
            let evidence = Evidence(pendingText: String(decoding: bytes, as: UTF8.self))
        else { throw BrokerError.invalidPendingToken }
        return Opened(
            presented: Presented(token: token, hash: hash, bound: nil), evidence: evidence,
            authTime: row.authTime ?? row.createdAt.seconds)
    }

    /// Verifies in the transaction that decides that a pending token is still valid, and for which user.
    ///
    /// - Returns: The only user it may sign in or be linked to; `nil` for any.
    /// - Throws: ``BrokerError/invalidPendingToken`` for a token that was used or has expired, or whose session, epoch,
    ///   identity or user is gone.
    static func user(of presented: Presented, in transaction: borrowing Transaction) throws -> User? {
        guard let binding = try binding(of: presented, in: transaction) else { return nil }
        // The flow refuses a disabled user with an error of its own.
        guard let user = try transaction.user(key: binding.userKey),
            let session = try transaction.session(id: binding.sessionID),
            [.live, .suspended].contains(
                SessionState(session, of: user, epoch: binding.epoch, at: transaction.now, nil)),
            try transaction.identities(of: user.key).contains(where: { $0.key == binding.identityKey })
        else { throw BrokerError.invalidPendingToken }
        return user
    }

    /// The binding of a token that is neither consumed nor expired. Rows of earlier brokers have one too.
    private static func binding(
        of presented: Presented, in transaction: borrowing Transaction
    ) throws -> PendingToken.Binding? {
        if let bound = presented.bound {
            guard bound.expiresAt > transaction.now, try transaction.use(ofToken: presented.hash) == nil else {
                throw BrokerError.invalidPendingToken
            }
            return bound.binding
        }
        guard let row = try transaction.pendingToken(hash: presented.hash, at: transaction.now) else {
            throw BrokerError.invalidPendingToken
        }
        return row.binding
    }

    /// Consumes a token, whatever comes of it.
    ///
    /// - Returns: false if it was consumed before or has expired.
    static func consume(
        _ presented: Presented, for localID: String, in transaction: borrowing Transaction
    ) throws(StoreError) -> Bool {
        guard let bound = presented.bound else {
            return try transaction.consumePendingToken(hash: presented.hash, at: transaction.now)
        }
        return try transaction.recordUse(
            of: UsedIDToken(
                key: transaction.nextKey(), tokenHash: presented.hash, localID: localID, usedAt: transaction.now,
                expiresAt: bound.expiresAt)) == nil
    }

    /// What identifies a stored token. The bytes that are hashed for a client are no text, so that no token that is
    /// presented elsewhere has the same hash.
    private static func hash(of token: String, boundTo client: String?) -> [UInt8] {
        let hash = RandomText.hash(of: token)
        guard let client else { return hash }
        return SHA256.hash(data: RandomText.hash(of: client) + hash).byteArray
    }

    private static func row(_ hash: [UInt8]) -> [String] { ["pending_tokens", Base64URL.encode(hash)] }
}

extension VerifiedCredential {
    /// The time of its login, which is never later than the moment.
    fileprivate func authTime(at now: Timestamp) -> Int64 { min(authTime ?? now.seconds, now.seconds) }
}

extension Evidence {
    /// The evidence as JSON text: everything a later decision needs.
    fileprivate var pendingText: String {
        var object = JSONObject([
            ("provider", .string(key.provider)), ("issuer", .string(key.issuer)), ("subject", .string(key.subject)),
            ("profile", .string(profile)),
        ])
        object["email"] = (email?.address.value).map(JSONValue.string)
        object["emailVerified"] = email.map { .bool($0.isVerified) }
        object["emailRelay"] = email.map { .bool($0.isRelay) }
        object["displayName"] = displayName.map(JSONValue.string)
        object["givenName"] = givenName.map(JSONValue.string)
        object["familyName"] = familyName.map(JSONValue.string)
        object["screenName"] = screenName.map(JSONValue.string)
        object["photoURL"] = photoURL.map(JSONValue.string)
        object["merge"] = merge.map { .object($0.pendingObject) }
        object["transferSubject"] = transferSubject.map(JSONValue.string)
        object["formerIssuers"] = formerIssuers.isEmpty ? nil : .array(formerIssuers.map(JSONValue.string))
        object["anonymous"] = isAnonymous ? true : nil
        object["wasAnonymous"] = wasAnonymous ? true : nil
        object["presentedIDToken"] = presentedIDToken.map(JSONValue.string)
        object["presentedAccessToken"] = presentedAccessToken.map(JSONValue.string)
        object["grant"] = grant.map { .object($0.sealable) }
        return object.serialized()
    }

    /// Reads what ``pendingText`` wrote; `nil` for anything else.
    fileprivate init?(pendingText: String) {
        guard let value = try? JSONValue(parsing: pendingText.utf8), let provider = value["provider"]?.string,
            let issuer = value["issuer"]?.string, let subject = value["subject"]?.string,
            let profile = value["profile"]?.string
        else { return nil }
        key = IdentityKey(provider: provider, issuer: issuer, subject: subject)
        email = (value["email"]?.string).flatMap(EmailAddress.init).map {
            .init(
                address: $0, isVerified: value["emailVerified"]?.bool ?? false,
                isRelay: value["emailRelay"]?.bool ?? false)
        }
        displayName = value["displayName"]?.string
        givenName = value["givenName"]?.string
        familyName = value["familyName"]?.string
        screenName = value["screenName"]?.string
        photoURL = value["photoURL"]?.string
        self.profile = profile
        presentedIDToken = value["presentedIDToken"]?.string
        presentedAccessToken = value["presentedAccessToken"]?.string
        grant = value["grant"].flatMap(UpstreamGrant.init(sealed:))
        merge = value["merge"].flatMap(Merge.init(pending:))
        transferSubject = value["transferSubject"]?.string
        formerIssuers = (value["formerIssuers"]?.array ?? []).compactMap(\.string)
        isAnonymous = value["anonymous"]?.bool ?? false
        wasAnonymous = value["wasAnonymous"]?.bool ?? false
    }
}

extension Evidence.Merge {
    fileprivate var pendingObject: JSONObject {
        [
            "survivor": .string(survivor), "absorbed": .array(absorbed.map(JSONValue.string)),
            "proven": .array(proven.sorted().map(JSONValue.string)),
        ]
    }

    /// Reads what ``pendingObject`` wrote; `nil` for anything else.
    fileprivate init?(pending value: JSONValue) {
        guard let survivor = value["survivor"]?.string, let absorbed = value["absorbed"]?.array else { return nil }
        self.init(
            survivor: survivor, absorbed: absorbed.compactMap(\.string),
            proven: Set((value["proven"]?.array ?? []).compactMap(\.string)))
    }
}

import BrokerStore
import JOSE
import OAuth
import ProviderKit

/// Pending tokens (contract §3.6): single-use tokens that stand for verified evidence, for one hour from its verification.
/// The store holds nothing usable.
struct PendingTokens: StoreLayer {
    let stored: StoreContext
    private let sealer: Sealer

    /// How long a pending token is valid. A sign-in with one issues no other.
    static let lifetime = Duration.seconds(3600)

    init(_ stored: StoreContext) {
        self.stored = stored
        sealer = Sealer(stored.masterKey, for: .pendingTokens)
    }

    /// Issues the pending token of a verified credential.
    ///
    /// - Parameters:
    ///   - credential: The evidence, with the time of its login.
    ///   - session: The session that the credential began, to which the token is bound.
    ///   - now: The moment.
    /// - Returns: The token the credential came by, or a new one.
    /// - Throws: What sealing throws, or a store's error.
    func token(
        for credential: VerifiedCredential, issuedWith session: SessionFacts? = nil, at now: Timestamp
    ) async throws -> String {
        if let token = credential.pendingToken { return token }
        let token = RandomText.secret()
        let hash = RandomText.hash(of: token)
        let evidence = credential.evidence
        let sealed = try sealer.seal(Array(evidence.pendingText.utf8), row: Self.row(hash))
        try await store.write(at: now) { transaction in
            try transaction.insert(
                PendingToken(
                    key: transaction.nextKey(), tokenHash: hash, sealedEvidence: sealed, createdAt: now,
                    expiresAt: now.advanced(by: Self.lifetime),
                    authTime: min(credential.authTime ?? now.seconds, now.seconds),
                    binding: session.flatMap { PendingToken.Binding($0, provider: evidence.key.provider) }))
        }
        return token
    }

    /// The evidence behind a pending token.
    struct Opened: Sendable {
        let evidence: Evidence
        /// When its user authenticated, in whole seconds since 1970.
        let authTime: Int64
    }

    /// Opens a token that is neither consumed nor expired. ``user(of:at:in:)`` verifies its binding, in the transaction
    /// that consumes it.
    ///
    /// - Throws: ``BrokerError/invalidPendingToken``.
    func open(_ token: String, at now: Timestamp) async throws -> Opened {
        let hash = RandomText.hash(of: token)
        guard let row = try await store.read({ try $0.pendingToken(hash: hash, at: now) }),
            let bytes = try? sealer.open(row.sealedEvidence, row: Self.row(hash)),
            let evidence = Evidence(pendingText: String(decoding: bytes, as: UTF8.self))
        else { throw BrokerError.invalidPendingToken }
        return Opened(evidence: evidence, authTime: row.authTime ?? row.createdAt.seconds)
    }

    /// Verifies in the transaction that decides that a pending token is still valid, and for which user.
    ///
    /// - Returns: The only user it may sign in or be linked to; `nil` for any.
    /// - Throws: ``BrokerError/invalidPendingToken`` for a token that was used or has expired, or whose session, epoch,
    ///   identity or user is gone.
    static func user(of token: String, at now: Timestamp, in transaction: borrowing Transaction) throws -> User? {
        guard let row = try transaction.pendingToken(hash: RandomText.hash(of: token), at: now) else {
            throw BrokerError.invalidPendingToken
        }
        guard let binding = row.binding else { return nil }
        // The flow refuses a disabled user with an error of its own.
        guard let user = try transaction.user(key: binding.userKey),
            let session = try transaction.session(id: binding.sessionID),
            [.live, .suspended].contains(SessionState(session, of: user, epoch: binding.epoch, at: now, nil)),
            try transaction.identities(of: user.key).contains(where: { $0.key == binding.identityKey })
        else { throw BrokerError.invalidPendingToken }
        return user
    }

    private static func row(_ hash: [UInt8]) -> [String] { ["pending_tokens", Base64URL.encode(hash)] }
}

extension PendingToken.Binding {
    /// The session, its user and the user's identity at a provider; a user has one identity at each.
    fileprivate init?(_ facts: SessionFacts, provider: String) {
        guard let identity = facts.identities.first(where: { $0.provider.hasSameBytes(as: provider) }) else {
            return nil
        }
        self.init(
            userKey: facts.user.key, epoch: facts.session.epoch, identityKey: identity.key,
            sessionID: facts.session.id)
    }
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

package import BrokerStore
import Foundation
import JOSE
import NIOPosix
import OAuth
import ProviderKit

/// The service accounts of the store: identities of backends that sign with RSA keys of their own, for custom tokens and
/// for the assertions of the OAuth exchange (RFC 7523).
///
/// The broker makes the key pairs and stores only their public halves. Accounts are read from the store on each use, so a
/// revocation takes effect at once in every broker.
package struct ServiceAccounts: StoreLayer {
    package let stored: StoreContext
    let accessTokens: ServiceAccountTokens
    /// The accounts of `broker.json`, which sign custom tokens and have no scopes.
    let configured: [ServiceAccount]
    /// The project and the broker that the key files name.
    let projectID: String
    let publicURL: String

    /// How long earlier keys stay valid after a rotation unless the administrator says otherwise.
    package static let standardOverlap = Duration.seconds(86_400)
    package static let longestOverlap = Duration.seconds(90 * 86_400)
    /// The precision of ``StoredServiceAccount/lastUsedAt``, so that not every request writes.
    private static let usePrecision = Duration.seconds(60)
    /// The maximum number of unexpired assertions of one account whose ids are stored.
    static let maximumAssertions = 10_000

    /// An account with its keys.
    package struct Record: Sendable {
        package let account: StoredServiceAccount
        package let keys: [StoredServiceAccountKey]
    }

    /// Creates an account with its first key.
    ///
    /// - Parameters:
    ///   - name: 1 to 30 lower-case letters, digits and hyphens, the first a letter. A name is given once.
    ///   - scopes: Its rights, at least one.
    ///   - origin: The administrator, for the audit.
    /// - Returns: The account and its key file, which is not stored: this is the only time.
    /// - Throws: ``AdminFailure``, or a store's error.
    package func create(
        named name: String, scopes: Set<AdminScope>, origin: Origin
    ) async throws -> (record: Record, keyFile: ServiceAccountKeyFile) {
        guard name.wholeMatch(of: /[a-z][a-z0-9-]{0,29}/) != nil else {
            throw AdminFailure.invalidCredential(
                "the name must have 1 to 30 lower-case letters, digits and hyphens, the first a letter")
        }
        guard !scopes.isEmpty else {
            throw AdminFailure.invalidCredential("a service account needs at least one scope")
        }
        let email = "\(name)@\(projectID).iam.\(URL(string: publicURL)?.host() ?? "localhost")"
        guard !configured.contains(where: { $0.email.hasSameBytes(as: email) }) else {
            throw AdminFailure.invalidCredential("broker.json has a service account \(email): choose another name")
        }
        let (id, key) = (RandomText.alphanumeric(12), try await Self.generateKey())
        let record = try await write(by: origin) { transaction in
            let account = StoredServiceAccount(
                key: transaction.nextKey(), id: id, name: name, email: email, scopes: AdminScope.list(scopes),
                createdAt: transaction.now)
            guard try transaction.insert(account) else {
                throw AdminFailure.invalidCredential(
                    "there is a service account \(name), or there was one: choose another name")
            }
            let stored = try transaction.insert(key, of: account)
            try transaction.audit(
                "service-account.created", of: nil,
                detail: [
                    "serviceAccount": .string(id), "name": .string(name), "scopes": .string(account.scopes),
                    "key": .string(stored.id),
                ])
            return Record(account: account, keys: [stored])
        }
        return (record, keyFile(of: record.account, key))
    }

    /// Gives an account another key. Earlier keys stay valid for `overlap`.
    ///
    /// - Returns: The account and its new key file, which is not stored; nil if no account with this id is valid.
    /// - Throws: ``AdminFailure`` for an overlap below zero or above 90 days, or a store's error.
    package func rotateKey(
        id: String, overlap: Duration, origin: Origin
    ) async throws -> (record: Record, keyFile: ServiceAccountKeyFile)? {
        guard overlap >= .zero, overlap <= Self.longestOverlap else {
            throw AdminFailure.invalidCredential("the overlap must be between 0 and 90 days")
        }
        let key = try await Self.generateKey()
        let record = try await write(by: origin) { transaction -> Record? in
            guard let account = try transaction.serviceAccount(id: id), account.revokedAt == nil else { return nil }
            try transaction.expireKeys(ofServiceAccount: account.key, at: transaction.now.advanced(by: overlap))
            try transaction.removeExpiredKeys(ofServiceAccount: account.key, at: transaction.now)
            guard try transaction.keys(ofServiceAccount: account.key).count < ServiceAccount.maximumKeys else {
                throw AdminFailure.invalidCredential(
                    "the account has \(ServiceAccount.maximumKeys) valid keys: rotate with a shorter overlap")
            }
            let stored = try transaction.insert(key, of: account)
            try transaction.audit(
                "service-account.key-rotated", of: nil,
                detail: ["serviceAccount": .string(id), "name": .string(account.name), "key": .string(stored.id)])
            return Record(account: account, keys: try transaction.keys(ofServiceAccount: account.key))
        }
        return record.map { ($0, keyFile(of: $0.account, key)) }
    }

    /// All accounts, the oldest first, whatever their state.
    package func all() async throws -> [Record] {
        try await store.read { transaction in
            try transaction.serviceAccounts().map { account in
                Record(account: account, keys: try transaction.keys(ofServiceAccount: account.key))
            }
        }
    }

    /// Revokes an account at once, with its access tokens.
    ///
    /// - Returns: The account; nil if there is none with this id, or it was revoked before.
    /// - Throws: A store's error.
    package func revoke(id: String, origin: Origin) async throws -> StoredServiceAccount? {
        try await write(by: origin) { transaction -> StoredServiceAccount? in
            guard let account = try transaction.revokeServiceAccount(id: id, at: transaction.now) else { return nil }
            try transaction.audit(
                "service-account.revoked", of: nil,
                detail: ["serviceAccount": .string(id), "name": .string(account.name)])
            return account
        }
    }

    /// Whether there are accounts that may sign custom tokens.
    func signCustomTokens() async throws -> Bool {
        guard configured.isEmpty else { return true }
        return try await store.read { try $0.serviceAccounts() }
            .contains { $0.revokedAt == nil && AdminScope.set($0.scopes).grants(.writeUsers) }
    }

    /// The valid account with this e-mail address and its valid keys.
    func signer(email: String) async throws -> Signer? {
        let now = now
        let found = try await store.read { transaction -> Record? in
            guard let account = try transaction.serviceAccount(email: email), account.revokedAt == nil else {
                return nil
            }
            return Record(account: account, keys: try transaction.keys(ofServiceAccount: account.key))
        }
        guard let found else { return nil }
        let keys = try found.keys.filter { $0.isValid(at: now) }
            .map { try JSONWebKey(importing: JSONValue(parsing: $0.publicJWK.utf8)) }
        return Signer(stored: found.account, keys: keys)
    }

    /// The administrator behind an access token of the OAuth exchange, whose use is recorded.
    ///
    /// - Returns: nil for a token that is unknown or expired, or whose account or key is no longer valid.
    /// - Throws: A store's error.
    func administrator(behind token: String) async throws -> Administrator? {
        let now = now
        guard let access = try await access(behind: token, at: now) else { return nil }
        let account = access.account
        let earlier = now.advanced(by: .zero - Self.usePrecision)
        if account.lastUsedAt.map({ $0 <= earlier }) ?? true {
            try await store.write(at: now) { try $0.noteUse(ofServiceAccount: account.key, at: now, since: earlier) }
        }
        return Administrator(kind: .serviceAccount, id: account.id, name: account.name, scopes: access.scopes)
    }

    /// A valid access token of the service account that asks about it.
    ///
    /// - Returns: nil for every other token, those of other accounts included: a backend that only looks at `active` must
    ///   not take them.
    /// - Throws: A store's error.
    func introspect(_ token: String, by administrator: Administrator) async throws -> Access? {
        guard administrator.kind == .serviceAccount,
            let access = try await access(behind: token, at: now),
            access.account.id.hasSameBytes(as: administrator.id)
        else { return nil }
        return access
    }

    /// A valid access token.
    struct Access: Sendable {
        let account: StoredServiceAccount
        /// The rights of the token: those that it is limited to, as far as the account has them.
        let scopes: Set<AdminScope>
        /// Seconds since 1970.
        let expiresAt: Int64
    }

    private func access(behind token: String, at now: Timestamp) async throws -> Access? {
        guard let token = accessTokens.decode(token), token.expiresAt > now.seconds else { return nil }
        let found = try await store.read { transaction -> StoredServiceAccount? in
            guard let account = try transaction.serviceAccount(id: token.accountID), account.revokedAt == nil else {
                return nil
            }
            let keys = try transaction.keys(ofServiceAccount: account.key)
            return keys.contains { $0.id.hasSameBytes(as: token.keyID) && $0.isValid(at: now) } ? account : nil
        }
        guard let found else { return nil }
        let rights = AdminScope.set(found.scopes)
        return Access(
            account: found, scopes: token.scopes.map(rights.granted) ?? rights, expiresAt: token.expiresAt)
    }

    /// The result of recording the id of an assertion.
    enum AssertionUse: Sendable {
        case first, repeated
        /// Too many assertions of the account have not expired.
        case tooMany
    }

    /// Consumes the id (`jti`) of an assertion, for every broker of the store, until the assertion has expired.
    ///
    /// - Throws: A store's error.
    func consume(
        assertion id: String, of account: StoredServiceAccount, until expiry: Timestamp
    ) async throws -> AssertionUse {
        // No entry of a provider has an id with a colon.
        let sender = "service-account:" + account.id
        return try await write { transaction in
            let known = try transaction.receivedEventCount(
                of: sender, at: transaction.now, limit: Self.maximumAssertions)
            guard known < Self.maximumAssertions else { return .tooMany }
            let isFirst = try transaction.record(
                ReceivedEvent(
                    key: transaction.nextKey(), provider: sender, eventHash: RandomText.hash(of: id),
                    receivedAt: transaction.now, expiresAt: expiry))
            return isFirst ? .first : .repeated
        }
    }

    /// An account of the store that may sign.
    struct Signer: Sendable {
        let stored: StoredServiceAccount
        let keys: [JSONWebKey]

        var scopes: Set<AdminScope> { AdminScope.set(stored.scopes) }
    }

    private static func generateKey() async throws -> (id: String, key: PrivateSigningKey, publicJWK: String) {
        let key = try await NIOThreadPool.singleton.runIfActive { try PrivateSigningKey.generate(.rs256) }
        let jwk = try key.publicKey.jwk()
        return (jwk.thumbprint, key, jwk.jsonValue.serialized())
    }

    private func keyFile(
        of account: StoredServiceAccount, _ key: (id: String, key: PrivateSigningKey, publicJWK: String)
    ) -> ServiceAccountKeyFile {
        ServiceAccountKeyFile(
            projectID: projectID, publicURL: publicURL, account: account, keyID: key.id, privateKey: key.key)
    }
}

extension Transaction {
    fileprivate func insert(
        _ key: (id: String, key: PrivateSigningKey, publicJWK: String), of account: StoredServiceAccount
    ) throws(StoreError) -> StoredServiceAccountKey {
        let row = StoredServiceAccountKey(
            key: nextKey(), accountKey: account.key, id: key.id, publicJWK: key.publicJWK, createdAt: now)
        try insert(row)
        return row
    }
}

extension StoredServiceAccountKey {
    package func isValid(at now: Timestamp) -> Bool { expiresAt.map { now < $0 } ?? true }
}

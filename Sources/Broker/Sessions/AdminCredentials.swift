package import BrokerStore
import Foundation
import OAuth
import ProviderKit

/// The credentials of backends and administrators at the HTTP API. They are read from the store on each use, so a
/// revocation takes effect at once in every broker.
package struct AdminCredentials: StoreLayer {
    package let stored: StoreContext

    /// The longest lifetime that can be chosen.
    package static let longestLifetime = Duration.seconds(3650 * 86_400)
    /// The precision of ``AdminCredential/lastUsedAt``, so that not every request writes.
    private static let usePrecision = Duration.seconds(60)

    /// Creates a credential.
    ///
    /// - Parameters:
    ///   - name: What it is for, 1 to 100 characters.
    ///   - scopes: Its rights, at least one.
    ///   - lifetime: Until it expires; nil for one that is valid until it is revoked.
    ///   - origin: The administrator, for the audit.
    /// - Returns: The credential and its token, which is not stored: this is the only time.
    /// - Throws: ``AdminFailure``, or a store's error.
    package func create(
        named name: String, scopes: Set<AdminScope>, lifetime: Duration?, origin: Origin
    ) async throws -> (credential: AdminCredential, token: AdminToken) {
        let isPlain = name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        guard (1...100).contains(name.count), isPlain else {
            throw AdminFailure.invalidCredential("the name must have 1 to 100 characters and no control characters")
        }
        guard !scopes.isEmpty else { throw AdminFailure.invalidCredential("a credential needs at least one scope") }
        if let lifetime, lifetime <= .zero || lifetime > Self.longestLifetime {
            throw AdminFailure.invalidCredential("the lifetime must be between one minute and 3650 days")
        }
        let (id, token) = (RandomText.alphanumeric(12), AdminToken.generate())
        let list = AdminScope.list(scopes)
        let names = scopes.map(\.rawValue).sorted().map(JSONValue.string)
        let credential = try await write(by: origin) { transaction in
            let credential = AdminCredential(
                key: transaction.nextKey(), id: id, name: name, tokenHash: token.hash,
                scopes: list, createdAt: transaction.now,
                expiresAt: lifetime.map { transaction.now.advanced(by: $0) })
            try transaction.insert(credential)
            try transaction.audit(
                "admin-credential.created", of: nil,
                detail: ["credential": .string(id), "scopes": .array(names)])
            return credential
        }
        return (credential, token)
    }

    /// All credentials, the oldest first, whatever their state.
    package func all() async throws -> [AdminCredential] {
        try await store.read { try $0.adminCredentials() }
    }

    /// Revokes a credential at once.
    ///
    /// - Returns: The credential; nil if there is none with this id, or it was revoked before.
    /// - Throws: A store's error.
    package func revoke(id: String, origin: Origin) async throws -> AdminCredential? {
        try await write(by: origin) { transaction -> AdminCredential? in
            guard let credential = try transaction.revokeAdminCredential(id: id, at: transaction.now) else {
                return nil
            }
            try transaction.audit("admin-credential.revoked", of: nil, detail: ["credential": .string(id)])
            return credential
        }
    }

    /// The administrator behind a bearer token, whose use is recorded.
    ///
    /// - Returns: nil for a token that is unknown, expired or revoked.
    /// - Throws: A store's error.
    func administrator(behind token: String) async throws -> Administrator? {
        guard let token = AdminToken(parsing: token) else { return nil }
        let now = now
        guard let found = try await store.pointRead({ try $0.adminCredential(tokenHash: token.hash) }),
            found.state(at: now) == .valid
        else { return nil }
        let earlier = now.advanced(by: .zero - Self.usePrecision)
        if found.lastUsedAt.map({ $0 <= earlier }) ?? true {
            try await store.write(at: now) { try $0.noteUse(ofAdminCredential: found.key, at: now, since: earlier) }
        }
        return found.administrator
    }
}

/// The token of an admin credential: 256 random bits, shown once. The store has its hash.
package struct AdminToken: Sendable, CustomStringConvertible, CustomReflectable {
    /// For the one time it is shown.
    package let text: String

    /// Scanners of leaked secrets can look for it.
    private static let prefix = "bat1_"

    private init(text: String) {
        self.text = text
    }

    static func generate() -> AdminToken { AdminToken(text: prefix + RandomText.secret()) }

    /// `nil` for what cannot be one, which then costs no request to the store.
    init?(parsing text: String) {
        guard text.utf8.count == Self.prefix.utf8.count + 43, text.hasPrefix(Self.prefix) else { return nil }
        self.text = text
    }

    var hash: [UInt8] { RandomText.hash(of: text) }

    package var description: String { "•••" }
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension AdminCredential {
    package enum State: String, Sendable, Hashable {
        case valid, expired, revoked
    }

    package func state(at now: Timestamp) -> State {
        if revokedAt != nil { return .revoked }
        return expiresAt.map { now < $0 } ?? true ? .valid : .expired
    }

    /// The administrator that presented this credential's token.
    var administrator: Administrator {
        Administrator(kind: .token, id: id, name: name, scopes: AdminScope.set(scopes))
    }
}

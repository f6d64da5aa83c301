package import BrokerStore
import JOSE
import OAuth
import ProviderKit

/// A subject that a provider has verified for the console. The users of the broker have no part in it: no link, no merge
/// and no address of a user makes anyone an administrator.
struct ConsoleSubject: Sendable {
    let identity: IdentityKey
    /// The address that the provider asserts as verified and whose entry is trusted with that; canonical.
    let verifiedEmail: String?
    let name: String
    /// When the user authenticated, in whole seconds since 1970.
    let authTime: Int64
    /// What the provider's entry trusts.
    let partiesHash: [UInt8]
}

/// The invitation that a sign-in completes.
struct ConsoleInvitation: Codable, Sendable {
    let role: ConsoleRole
}

/// The administrators of the console: those of the configuration, and those who were invited.
package struct ConsoleAdministrators: StoreLayer {
    package let stored: StoreContext
    let configured: [ConsoleSettings.NamedAdministrator]

    /// The outcome of a sign-in.
    enum SignIn: Sendable {
        case signedIn(ConsoleSession, ConsoleAdministrator, ConsoleRole)
        /// The subject is no administrator.
        case refused
        /// The invitation was used or has expired.
        case invitationUsed
        /// It is another administrator than the expected one.
        case other
        /// The subject has a role already that the invitation would not raise. The invitation still counts.
        case hasRole
    }

    /// The role of an administrator now; nil for one who has none any more. The configuration goes before the store.
    package func role(of administrator: ConsoleAdministrator) -> ConsoleRole? {
        entry(of: administrator)?.role ?? administrator.role.flatMap(ConsoleRole.init)
    }

    /// Whether the configuration gives an administrator the role.
    package func isConfigured(_ administrator: ConsoleAdministrator) -> Bool { entry(of: administrator) != nil }

    /// The administrators of the configuration who have not signed in yet.
    package func awaited(beside known: [ConsoleAdministrator]) -> [ConsoleSettings.NamedAdministrator] {
        configured.filter { entry in !known.contains { entry.names($0.identity) || entry.isBound(to: $0) } }
    }

    private func entry(of administrator: ConsoleAdministrator) -> ConsoleSettings.NamedAdministrator? {
        configured.first { $0.names(administrator.identity) } ?? configured.first { $0.isBound(to: administrator) }
    }

    /// All who have signed in, the earliest first.
    ///
    /// - Throws: A store's error.
    package func all() async throws -> [ConsoleAdministrator] {
        try await store.read { try $0.consoleAdministrators() }
    }

    /// The ids of the providers that administrators have. Without any there is no console.
    ///
    /// - Throws: A store's error.
    func providers() async throws -> Set<ExactName> {
        Set((configured.map(\.provider) + (try await all()).map(\.provider)).map(ExactName.init))
    }

    /// Begins a session for a verified subject, if it is an administrator's.
    ///
    /// An address of the configuration is bound to the first subject that has it.
    ///
    /// - Parameters:
    ///   - subject: The subject.
    ///   - expected: The id of the only administrator that may sign in; nil for any.
    ///   - invitation: The invitation, with the hash of its secret; it is consumed.
    ///   - tokenHash: The hash of the new session's cookie.
    ///   - previous: The hash of the cookie of the session that this one replaces.
    ///   - origin: The request.
    /// - Returns: What came of it.
    /// - Throws: A store's error.
    func signIn(
        _ subject: ConsoleSubject, only expected: String?, invitation: (hash: [UInt8], content: ConsoleInvitation)?,
        tokenHash: [UInt8],
        replacing previous: [UInt8]?, origin: Origin
    ) async throws -> SignIn {
        let id = RandomText.alphanumeric(12)
        return try await write(by: origin) { [self] transaction in
            let now = transaction.now
            let known = try transaction.consoleAdministrator(subject.identity)
            if let expected {
                guard known?.id.hasSameBytes(as: expected) == true else { return .other }
            }
            let administrator = try bound(
                known ?? ConsoleAdministrator(subject, key: transaction.nextKey(), id: id, at: now), to: subject,
                transaction)
            if let invitation {
                if let role = role(of: administrator), isConfigured(administrator) || role >= invitation.content.role {
                    return .hasRole
                }
                guard try transaction.consumeSignInAttempt(stateHash: invitation.hash, at: now) else {
                    return .invitationUsed
                }
            }
            guard
                let (administrator, role) = try admit(
                    administrator, as: subject, known, invitation?.content.role, transaction)
            else {
                try transaction.audit(
                    "console.refused", of: nil, provider: subject.identity.provider,
                    detail: ["subjectHash": .string(Self.hash(of: subject.identity))])
                return .refused
            }
            try transaction.removeConsoleSessions(
                begunBefore: now.advanced(by: .zero - ConsoleSessions.lifetime),
                idleSince: now.advanced(by: .zero - ConsoleSessions.idleLifetime))
            if let previous { _ = try transaction.removeConsoleSession(tokenHash: previous) }
            let session = ConsoleSession(
                key: transaction.nextKey(), administratorKey: administrator.key, tokenHash: tokenHash,
                partiesHash: subject.partiesHash, authTime: subject.authTime, createdAt: now, lastUsedAt: now,
                userAgent: origin.device.userAgent, address: origin.device.address)
            try transaction.insert(session)
            try transaction.audit(
                "console.signed-in", of: nil, provider: subject.identity.provider,
                detail: ["administrator": .string(administrator.id)])
            return .signedIn(session, administrator, role)
        }
    }

    /// An administrator with the address of the configuration that this subject is the first to have.
    private func bound(
        _ administrator: ConsoleAdministrator, to subject: ConsoleSubject, _ transaction: borrowing Transaction
    ) throws -> ConsoleAdministrator {
        let provider = subject.identity.provider
        guard administrator.email == nil, let email = subject.verifiedEmail,
            configured.contains(where: { $0.names(email, at: provider) }),
            try transaction.consoleAdministrator(provider: provider, boundEmail: email) == nil
        else { return administrator }
        var administrator = administrator
        administrator.email = email
        return administrator
    }

    /// The administrator that a subject is, with the row as it is after this sign-in; nil for one that is none.
    private func admit(
        _ administrator: ConsoleAdministrator, as subject: ConsoleSubject, _ known: ConsoleAdministrator?,
        _ invited: ConsoleRole?, _ transaction: borrowing Transaction
    ) throws -> (ConsoleAdministrator, ConsoleRole)? {
        var administrator = administrator
        if let invited { administrator.role = invited.rawValue }
        guard let role = role(of: administrator) else { return nil }
        administrator.name = subject.name
        administrator.lastSignInAt = transaction.now
        if known == nil { try transaction.insert(administrator) } else { try transaction.update(administrator) }
        if known == nil || invited != nil || known?.email != administrator.email {
            try transaction.audit(
                "console.administrator-added", of: nil, provider: subject.identity.provider,
                detail: [
                    "administrator": .string(administrator.id), "role": .string(role.rawValue),
                    "invited": .bool(invited != nil),
                ])
        }
        return (administrator, role)
    }

    /// Gives an administrator another role, which counts where the configuration gives none.
    ///
    /// - Returns: The administrator; nil if there is none with this id.
    /// - Throws: ``AdminFailure`` for one of the configuration, or a store's error.
    package func setRole(_ role: ConsoleRole, id: String, origin: Origin) async throws -> ConsoleAdministrator? {
        try await write(by: origin) { [self] transaction -> ConsoleAdministrator? in
            guard var administrator = try transaction.consoleAdministrator(id: id) else { return nil }
            guard !isConfigured(administrator) else {
                throw AdminFailure(
                    code: "ADMINISTRATOR_CONFIGURED",
                    "broker.json names this administrator: change the role there, and start the broker anew",
                    kind: .configuration)
            }
            administrator.role = role.rawValue
            try transaction.update(administrator)
            try transaction.audit(
                "console.role-changed", of: nil, provider: administrator.provider,
                detail: ["administrator": .string(id), "role": .string(role.rawValue)])
            return administrator
        }
    }

    /// Removes an administrator of the store, whose sessions end. One of the configuration can sign in again.
    ///
    /// - Returns: The administrator; nil if there is none with this id.
    /// - Throws: A store's error.
    package func remove(id: String, origin: Origin) async throws -> ConsoleAdministrator? {
        try await write(by: origin) { transaction -> ConsoleAdministrator? in
            guard let removed = try transaction.removeConsoleAdministrator(id: id) else { return nil }
            try transaction.audit(
                "console.administrator-removed", of: nil, provider: removed.provider,
                detail: ["administrator": .string(id)])
            return removed
        }
    }

    private static func hash(of identity: IdentityKey) -> String {
        Hexadecimal.encode(RandomText.hash(of: "\(identity.provider) \(identity.issuer) \(identity.subject)").prefix(8))
    }
}

extension ConsoleAdministrator {
    var identity: IdentityKey { IdentityKey(provider: provider, issuer: issuer, subject: subject) }

    fileprivate init(_ subject: ConsoleSubject, key: Int64, id: String, at now: Timestamp) {
        let identity = subject.identity
        self.init(
            key: key, id: id, provider: identity.provider, issuer: identity.issuer, subject: identity.subject,
            name: subject.name, createdAt: now)
    }
}

extension ConsoleSettings.NamedAdministrator {
    /// Whether it names this subject.
    fileprivate func names(_ identity: IdentityKey) -> Bool {
        guard let issuer, let subject else { return false }
        return IdentityKey(provider: provider, issuer: issuer, subject: subject) == identity
    }

    /// Whether it names this address of this entry.
    fileprivate func names(_ email: String, at provider: String) -> Bool {
        self.email?.hasSameBytes(as: email) == true && self.provider.hasSameBytes(as: provider)
    }

    /// Whether its address is bound to this administrator.
    fileprivate func isBound(to administrator: ConsoleAdministrator) -> Bool {
        administrator.email.map { names($0, at: administrator.provider) } ?? false
    }
}

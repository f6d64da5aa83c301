package import BrokerStore
import ProviderKit

/// The outcome of the import of one user.
package enum ImportOutcome: Sendable, Equatable {
    case created, replaced
    /// The user was imported before.
    case unchanged
    case refused(ImportRefusal)
}

extension AccountContext {
    private static let importSize = 100

    /// Imports users for an administrator: `accounts:batchCreate` and `broker users import`.
    ///
    /// Users are written in transactions of a hundred, so that sign-ins are not held up; each user is written whole or
    /// not at all. A user who was imported before is left as it is, so an interrupted import is simply repeated
    /// (decision 0030).
    ///
    /// - Parameters:
    ///   - users: The users, in the order of their outcomes.
    ///   - replacesExisting: Whether existing users are replaced. Their sessions end, and the grants of identities that
    ///     they lose are withdrawn. Otherwise they stay as they are.
    ///   - isDryRun: Whether nothing is written. Then each user is compared with the store alone.
    ///   - origin: The administrator.
    /// - Returns: The outcome of each user. Of two users with one id, address or identity the first is imported.
    /// - Throws: A store's error. The transactions before it have been committed.
    package func importUsers(
        _ users: [ImportedUser], replacesExisting: Bool = false, isDryRun: Bool = false, origin: Origin
    ) async throws -> [ImportOutcome] {
        let directory = providers.current
        let resolved = users.map { user in Result { () throws(ImportRefusal) in try user.resolved(by: directory) } }
        var outcomes: [ImportOutcome] = []
        for start in stride(from: 0, to: resolved.count, by: Self.importSize) {
            let part = Array(resolved[start..<min(start + Self.importSize, resolved.count)])
            let order = outbox.withdrawals.order(.unlink)
            if isDryRun {
                outcomes += try await store.read { transaction in
                    try part.map { try transaction.check($0, replaces: replacesExisting).outcome }
                }
            } else {
                outcomes += try await write(by: origin) { transaction in
                    try part.map {
                        try transaction.importUser(
                            $0, replaces: replacesExisting, withdrawing: order, by: origin)
                    }
                }
            }
        }
        return outcomes
    }
}

/// The finding of an import about one user.
private enum ImportFinding {
    case new(ImportedUser)
    case existing(ImportedUser, User, [Identity])
    case done(ImportOutcome)

    /// The outcome, as far as the store as it is decides it.
    var outcome: ImportOutcome {
        switch self {
        case .new: .created
        case .existing: .replaced
        case .done(let outcome): outcome
        }
    }
}

extension Transaction {
    fileprivate func check(
        _ resolved: Result<ImportedUser, ImportRefusal>, replaces: Bool
    ) throws(StoreError) -> ImportFinding {
        let imported: ImportedUser
        switch resolved {
        case .success(let user): imported = user
        case .failure(let refusal): return .done(.refused(refusal))
        }
        let existing = try user(localID: imported.user.localID)
        let identities = try existing.map { user throws(StoreError) in try self.identities(of: user.key) } ?? []
        if let existing, !replaces, imported.isSame(as: existing, identities) { return .done(.unchanged) }
        if let refusal = try conflict(of: imported, existing) { return .done(.refused(refusal)) }
        guard let existing else { return .new(imported) }
        return replaces ? .existing(imported, existing, identities) : .done(.refused(.localIDTaken))
    }

    /// The conflict of an imported user with another one. An identity never moves to the imported user.
    private func conflict(of imported: ImportedUser, _ existing: User?) throws(StoreError) -> ImportRefusal? {
        for identity in imported.identities {
            for key in [identity.identity.identity] + identity.aliases {
                guard let held = try self.identity(key), held.userKey != existing?.key else { continue }
                let holder = try user(key: held.userKey)?.localID ?? ""
                return .identityHeld(provider: key.provider, by: holder)
            }
        }
        if let email = imported.user.emailCanonical, let holder = try user(holdingEmail: email),
            holder.key != existing?.key
        {
            return .emailHeld(by: holder.localID)
        }
        if existing == nil, try user(absorbing: imported.user.localID) != nil { return .localIDTaken }
        for alias in imported.aliases {
            let holder = try user(absorbing: alias)
            if try user(localID: alias) != nil || holder != nil && holder?.key != existing?.key {
                return .aliasTaken(alias)
            }
        }
        return nil
    }

    fileprivate func importUser(
        _ resolved: Result<ImportedUser, ImportRefusal>, replaces: Bool,
        withdrawing order: WithdrawalOrder, by origin: Origin
    ) throws -> ImportOutcome {
        switch try check(resolved, replaces: replaces) {
        case .done(let outcome): return outcome
        case .new(let imported):
            var user = imported.user
            user.key = nextKey()
            guard try insert(user) else { throw InternalError.uniqueKeyTaken("users") }
            try link(imported, to: user, beside: [])
            try auditImport(of: imported, "user.imported")
            return .created
        case .existing(let imported, let existing, let identities):
            let kept = Set(imported.identities.map(\.identity.identity))
            let vanishing = identities.filter { !kept.contains($0.identity) }
            // Grants are deleted with their identity.
            _ = try order.queue(vanishing, of: existing, in: self, by: origin)
            try remove(vanishing, of: existing, by: origin)
            var user = imported.user
            user.key = existing.key
            try replace(user)
            try link(imported, to: user, beside: identities)
            guard try bumpEpoch(userKey: user.key, validSince: now.seconds) != nil else {
                throw BrokerError.userNotFound
            }
            try revokeSessions(of: user.key, at: now, reason: "replaced by an import")
            try auditImport(of: imported, "user.replaced")
            return .replaced
        }
    }

    /// Adds or renews the identities and aliases of an imported user.
    private func link(_ imported: ImportedUser, to user: User, beside existing: [Identity]) throws {
        for entry in imported.identities {
            var identity = entry.identity
            (identity.userKey, identity.importedAt) = (user.key, now)
            if let known = existing.first(where: { $0.identity == identity.identity }) {
                identity.key = known.key
                try refreshProfile(of: known, to: identity)
            } else {
                identity.key = nextKey()
                guard try insert(identity) else { throw InternalError.uniqueKeyTaken("identities") }
            }
            try report(identity)
            for alias in entry.aliases where try self.identity(alias) == nil {
                _ = try addAlias(alias, to: identity.key, at: now)
            }
        }
        for alias in imported.aliases where try self.user(absorbing: alias) == nil {
            guard try addUserAlias(alias, of: user.key, at: now) else {
                throw InternalError.uniqueKeyTaken("user_aliases")
            }
        }
    }

    /// Stores what providers had reported about an identity.
    private func report(_ identity: Identity) throws(StoreError) {
        if identity.isMailDisabled { _ = try setMailDisabled(true, ofIdentity: identity.key, since: now) }
        if let moment = identity.consentRevokedAt { try markConsentRevoked(ofIdentity: identity.key, at: moment) }
        if let moment = identity.removalAt { try scheduleRemoval(ofIdentity: identity.key, at: moment) }
    }

    private func auditImport(of imported: ImportedUser, _ event: String) throws {
        try audit(
            event, of: imported.user.localID,
            detail: ["providers": .array(imported.identities.map { .string($0.identity.provider) })])
    }
}

extension ImportedUser {
    /// Whether an existing user is this one, imported before: the same id and time of creation, and every identity. A user
    /// who has signed in since is still the same.
    fileprivate func isSame(as existing: User, _ identities: [Identity]) -> Bool {
        if isCreationKnown, user.createdAt != existing.createdAt { return false }
        if !isCreationKnown, self.identities.isEmpty, user.emailCanonical != existing.emailCanonical { return false }
        let known = Set(identities.map(\.identity))
        return self.identities.allSatisfy { known.contains($0.identity.identity) }
    }

    /// The user with the issuers of the configured entries.
    fileprivate func resolved(by directory: ProviderDirectory) throws(ImportRefusal) -> ImportedUser {
        guard !aliases.contains(where: { $0.hasSameBytes(as: user.localID) }) else {
            throw .invalidField("aliases must not have the user's own localId")
        }
        var resolved = self
        var seen: Set<String> = []
        for index in identities.indices {
            let provider = identities[index].identity.provider
            guard seen.insert(provider).inserted else { throw .twoIdentities(provider: provider) }
            guard let entry = directory.provider(provider) else { throw .unknownProvider(provider) }
            if identities[index].identity.issuer.isEmpty {
                resolved.identities[index].identity.identity.issuer = entry.instance
            }
            let former = (entry.provider as? any SubjectMigration)?.formerInstances ?? []
            for key in [resolved.identities[index].identity.identity] + identities[index].aliases {
                guard Evidence.isSubject(key.subject) else { throw .invalidSubject(provider: provider) }
                guard ([entry.instance] + former).contains(where: { $0.hasSameBytes(as: key.issuer) }) else {
                    throw .foreignIssuer(provider: provider)
                }
            }
        }
        return resolved
    }
}

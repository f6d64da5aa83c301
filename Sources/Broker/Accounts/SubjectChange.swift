import BrokerStore
import OAuth
import ProviderKit

/// Gives an identity the issuer and subject of the app's new owner, in the transaction of the caller. The old pair stays as
/// an alias.
struct SubjectChange: Sendable {
    /// The reason the subject changes, as audit entries say it.
    enum Cause: String, Sendable {
        /// A migration job has exchanged the subject.
        case migration
        /// An ID token with `transfer_sub` signed the user in.
        case signIn = "sign-in"
        /// A signed-in user linked the provider under its new owner.
        case link
    }

    enum Outcome: Sendable {
        /// The identity as it is now.
        case changed(Identity)
        /// Another user has the new subject: the two wait to be merged.
        case heldByAnotherUser
    }

    let identity: Identity
    let user: User
    /// The pair that replaces the identity's own.
    let successor: IdentityKey
    /// The address for the new owner's apps: relay addresses differ for each owner.
    let email: Evidence.Email?
    /// The members that replace those of the identity's profile.
    let profile: JSONObject
    let cause: Cause
    let origin: Origin

    /// Makes the change.
    ///
    /// - Throws: ``BrokerError`` or a store's error.
    func apply(in transaction: borrowing Transaction) throws -> Outcome {
        guard identity.identity != successor else { return .changed(identity) }
        if let holder = try transaction.identity(successor) {
            guard holder.key == identity.key else {
                try propose(holder, in: transaction)
                return .heldByAnotherUser
            }
            // A merge has made the new subject an alias of the old one.
            _ = try transaction.removeAlias(successor, of: identity.key)
        }
        return .changed(try replace(in: transaction))
    }

    private func replace(in transaction: borrowing Transaction) throws -> Identity {
        var changed = identity
        changed.identity = successor
        changed.email = newEmail
        changed.isEmailVerified = isNewEmailVerified
        changed.profile = newProfile
        guard
            try transaction.replaceSubject(
                of: identity.key, issuer: successor.issuer, subject: successor.subject, email: changed.email,
                isEmailVerified: changed.isEmailVerified, profile: changed.profile),
            try transaction.addAlias(identity.identity, to: identity.key, at: transaction.now)
        else { throw InternalError.uniqueKeyTaken("identities") }
        // The former owner's client obtained them: the new one can neither refresh nor revoke them.
        let grants = try transaction.removeGrants(ofIdentity: identity.key)
        try replaceAddress(in: transaction)
        try transaction.audit(
            "identity.migrated", of: user.localID, provider: successor.provider,
            subjectHash: identity.identity.subjectHash,
            detail: [
                "cause": .string(cause.rawValue), "newSubjectHash": .string(successor.subjectHash),
                "issuer": .string(successor.issuer), "removedGrants": .integer(Int64(grants)),
            ])
        return changed
    }

    /// The provider says that both subjects are one account; its user has come back as a new user.
    private func propose(_ holder: Identity, in transaction: borrowing Transaction) throws {
        guard let other = try transaction.user(key: holder.userKey) else { return }
        let merge = PendingMerge(
            key: transaction.nextKey(), id: RandomText.alphanumeric(12), survivorKey: user.key, absorbedKey: other.key,
            provider: successor.provider, createdAt: transaction.now, provenIdentityKey: holder.key)
        guard try transaction.insert(merge) else { return }
        try MergeRecord(survivor: user, absorbed: other, identity: successor, origin: origin)
            .append(.pending, rule: .mergeOfMigratedSubject, in: transaction)
    }
}

extension SubjectChange {
    /// The change that evidence proves, whose address and profile the caller writes afterwards.
    init(
        _ identity: Identity, of user: User, to successor: IdentityKey, by evidence: Evidence, _ cause: Cause,
        _ origin: Origin
    ) {
        self.init(
            identity: identity, user: user, successor: successor, email: evidence.email, profile: [:], cause: cause,
            origin: origin)
    }
}

extension AccountSnapshot.AnnouncedIdentity {
    /// Gives the announced identity the subject of a sign-in, unless another user has it.
    ///
    /// - Returns: The user who signs in, with the identity as it is now.
    /// - Throws: ``BrokerError`` or a store's error.
    func migrate(
        _ owner: AccountSnapshot.SubjectHolder, by evidence: Evidence, _ origin: Origin,
        in transaction: borrowing Transaction
    ) throws -> AccountSnapshot.SubjectHolder {
        // An entry that still names the former owner reports the new subject as well.
        let successor = IdentityKey(
            provider: job.provider, issuer: job.targetIssuer, subject: evidence.key.subject)
        let change = SubjectChange(holder.identity, of: holder.user, to: successor, by: evidence, .signIn, origin)
        let outcome = try change.apply(in: transaction)
        try transaction.noteTransfer(of: job, at: transaction.now)
        try record(outcome, successor, in: transaction)
        guard case .changed(let identity) = outcome, identity.key == owner.identity.key else { return owner }
        return .init(user: owner.user, identity: identity)
    }

    private func record(
        _ outcome: SubjectChange.Outcome, _ successor: IdentityKey, in transaction: borrowing Transaction
    ) throws(StoreError) {
        var next = subject
        next.finish(outcome, as: subject.successor ?? .init(subject: successor.subject))
        guard next.state != subject.state else { return }
        _ = try transaction.update(next, from: subject.state)
    }
}

extension MigratingSubject {
    /// The reason of a failure that ends once an administrator has merged the two users.
    static let userExists = "user-exists"

    /// Takes the outcome of a change.
    mutating func finish(_ outcome: SubjectChange.Outcome, as successor: Successor) {
        self.successor = successor
        switch outcome {
        case .changed: (state, reason) = (.applied, nil)
        case .heldByAnotherUser: (state, reason) = (.failed, Self.userExists)
        }
    }
}

/// The address and profile under the new owner.
extension SubjectChange {
    private var isRelayOfFormerOwner: Bool { identity.email.map(EmailAddress.isRelayDomain) ?? false }

    private var newEmail: String? { email?.address.display ?? (isRelayOfFormerOwner ? nil : identity.email) }

    private var isNewEmailVerified: Bool {
        guard let email else { return !isRelayOfFormerOwner && identity.isEmailVerified }
        // The migration endpoint does not repeat the verification, and a relay address is the provider's own.
        return email.isVerified
            || identity.isEmailVerified && (email.isRelay || email.address.display == identity.email)
    }

    private var newProfile: String {
        guard var known = (try? JSONValue(parsing: identity.profile.utf8, limits: .stored))?.object else {
            return identity.profile
        }
        for (name, value) in profile { known[name] = value }
        let text = JSONValue.object(known).serialized()
        return text.utf8.count <= 65_536 ? text : identity.profile
    }

    /// Replaces the user's own address where it is this identity's.
    ///
    /// An address that another identity of the user verifies stays. A relay address goes with the identity, whoever
    /// asserted it: no provider is named for the address of an imported user.
    private func replaceAddress(in transaction: borrowing Transaction) throws {
        guard let held = user.emailCanonical, held != email?.address.canonical else { return }
        let others = try transaction.identities(of: user.key).filter { $0.key != identity.key }
        guard isOwnAddress(held, besides: others) else { return }
        if let proof = others.lazy.compactMap(ProvenAddress.init).first(where: { $0.canonical == held }) {
            _ = try transaction.set(proof, of: user.key, at: transaction.now)
            return
        }
        let isRelay = EmailAddress.isRelayDomain(of: held)
        if let address = email?.address.canonical,
            try transaction.setEmail(
                of: user.key, email: address, canonical: address,
                verified: user.isEmailVerified && (isNewEmailVerified || isRelay && email?.isRelay == true),
                assertedBy: identity.provider, at: transaction.now)
        {
            return
        }
        // Nothing is forwarded from the former owner's relay address any more.
        guard isRelay else { return }
        _ = try transaction.setEmail(
            of: user.key, email: held, canonical: held, verified: false, assertedBy: nil, at: transaction.now)
    }

    /// Whether the user's own address is the one of this identity.
    private func isOwnAddress(_ held: String, besides others: [Identity]) -> Bool {
        let former = identity.emailCanonical
        let isAsserted = user.emailAssertedBy == identity.provider
        guard EmailAddress.isRelayDomain(of: held) else { return isAsserted && held == former }
        if isAsserted { return true }
        // Another way has verified it.
        if user.emailAssertedBy != nil, user.isEmailVerified { return false }
        if let former { return held == former }
        // The identity came without an address, as an import may have it: then it is the relay address of no other.
        return !others.contains { $0.emailCanonical == held }
    }
}

import BrokerStore

/// The accounts that a piece of evidence concerns, as the transaction sees them that acts on it: the stated input of
/// ``AccountResolver``.
struct AccountSnapshot: Sendable {
    /// A user with the identity that one of the subjects belongs to. Its own subject may be another one, which it got at the
    /// first sign-in.
    struct SubjectHolder: Sendable {
        let user: User
        let identity: Identity
        /// Whether the user is known to have no other identity.
        var isOnlyIdentity = false
        /// The subjects of the evidence that lead to the user.
        var subjects: [String] = []
    }

    /// An identity that the former owner of the app announced by the evidence's transfer subject.
    struct AnnouncedIdentity: Sendable {
        let holder: SubjectHolder
        /// The identity's state in its migration.
        let subject: MigratingSubject
        let job: SubjectMigrationJob
    }

    /// The user who signs in with the evidence: the holder of its first subject that has one, or of the announced
    /// identity.
    var owner: SubjectHolder?
    /// The holder of the very subject the credential is for: another than the owner after the provider merged accounts.
    var bearer: User?
    /// The other users that the provider reports as the same account, each once.
    var others: [SubjectHolder] = []
    /// The identity whose subject the evidence replaces, while its migration is open.
    var announced: AnnouncedIdentity?
    /// Whether the owner is known by the transfer subject only.
    var isOwnerAnnounced = false
    /// The subjects that no user has yet.
    var unclaimed: [IdentityKey] = []
    /// The holder of the address that the provider asserts, where no user has the identity.
    var emailHolder: User?
    /// The providers of that user, in the order in which they were linked.
    var emailHolderProviders: [String] = []

    /// The user a decision is about, whether or not the client may know.
    var subject: User? { owner?.user ?? emailHolder }
}

extension AccountSnapshot {
    /// Reads everything that a decision about the evidence depends on.
    init(of evidence: Evidence, in transaction: borrowing Transaction) throws(StoreError) {
        try readHolders(of: evidence, in: transaction)
        try readAnnounced(by: evidence, in: transaction)
        // An identity that a user has belongs to that user, also where another one holds the address.
        guard owner == nil, let canonical = evidence.email?.address.canonical else { return }
        emailHolder = try transaction.user(holdingEmail: canonical)
        guard let emailHolder else { return }
        emailHolderProviders = try transaction.identities(of: emailHolder.key).map(\.provider)
    }

    /// Looks up every subject, as an identity or as an alias of one.
    private mutating func readHolders(
        of evidence: Evidence, in transaction: borrowing Transaction
    ) throws(StoreError) {
        var holders: [SubjectHolder] = []
        for subject in evidence.subjects {
            guard let (user, identity, count) = try transaction.holder(of: subject) else {
                unclaimed.append(subject)
                continue
            }
            if subject == evidence.key { bearer = user }
            // A user may hold several of the subjects.
            let known = holders.firstIndex { $0.user.key == user.key }
            if known == nil { holders.append(.init(user: user, identity: identity, isOnlyIdentity: count == 1)) }
            holders[known ?? holders.count - 1].subjects.append(subject.subject)
        }
        // Where an administrator has decided that two users stay separate, each signs in as itself.
        if let first = holders.first?.user, let bearer, first.key != bearer.key,
            try transaction.isMergeDismissed(between: first.key, and: bearer.key)
        {
            holders.sort { $0.user.key == bearer.key && $1.user.key != bearer.key }
        }
        owner = holders.first
        others = Array(holders.dropFirst())
    }

    private mutating func readAnnounced(
        by evidence: Evidence, in transaction: borrowing Transaction
    ) throws(StoreError) {
        guard let transferSubject = evidence.transferSubject,
            let (subject, job) = try transaction.migratingSubject(
                transferSubject: transferSubject, provider: evidence.key.provider, issuer: evidence.key.issuer),
            job.isOpen(at: transaction.now),
            let identity = try transaction.identity(
                IdentityKey(provider: job.provider, issuer: job.sourceIssuer, subject: subject.subject)),
            identity.key == subject.identityKey, let user = try transaction.user(key: identity.userKey)
        else { return }
        let holder = SubjectHolder(user: user, identity: identity)
        announced = AnnouncedIdentity(holder: holder, subject: subject, job: job)
        guard owner == nil else { return }
        owner = holder
        isOwnerAnnounced = true
        unclaimed.removeAll { $0 == evidence.key }
    }
}

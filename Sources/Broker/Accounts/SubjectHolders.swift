import BrokerStore

/// Whose the subjects are that a piece of evidence is about, read in the transaction that acts on it.
struct SubjectHolders: Sendable {
    /// A user with the identity by which a subject is theirs.
    struct Holder: Sendable {
        let user: User
        let identity: Identity
    }

    /// Who signs in with this evidence: whoever holds the first subject that is anybody's.
    let owner: User?
    /// What the owner's identity is called here, which stays what it was at their first sign-in; the evidence's own
    /// subject when nobody is the owner.
    let known: IdentityKey
    /// Who holds the very subject the credential is for.
    let bearer: User?
    /// Whom else the provider calls the same person, each once.
    let others: [Holder]
    /// The subjects that stand for nobody yet.
    let unclaimed: [IdentityKey]
}

extension Transaction {
    /// Looks up every subject of the evidence, as an identity or as an alias of one.
    func holders(of evidence: Evidence) throws(StoreError) -> SubjectHolders {
        let subjects = evidence.subjects
        // What nearly every sign-in is, and the same one question as ever.
        guard subjects.count > 1 else {
            let owner = try user(owning: evidence.key)
            return SubjectHolders(owner: owner, known: evidence.key, bearer: owner, others: [], unclaimed: [])
        }
        var holders: [SubjectHolders.Holder] = []
        var bearer: User?
        var unclaimed: [IdentityKey] = []
        for subject in subjects {
            guard let identity = try identity(subject), let user = try user(key: identity.userKey) else {
                unclaimed.append(subject)
                continue
            }
            if subject == evidence.key { bearer = user }
            // A user may hold several of the subjects; they are one all the same.
            if !holders.contains(where: { $0.user.key == user.key }) {
                holders.append(.init(user: user, identity: identity))
            }
        }
        return SubjectHolders(
            owner: holders.first?.user, known: holders.first?.identity.identity ?? evidence.key, bearer: bearer,
            others: Array(holders.dropFirst()), unclaimed: unclaimed)
    }
}

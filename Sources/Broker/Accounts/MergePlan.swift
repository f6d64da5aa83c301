import BrokerStore

/// What it takes to make two users one. Values in, decision out, no I/O.
struct MergePlan: Sendable {
    let survivor: User
    let absorbed: User
    /// The absorbed user's identity at the provider that merged the accounts, which from now on is another name of
    /// ``heir``; `nil` when the survivor has none there and it simply moves.
    let replaced: Identity?
    /// The survivor's identity at that provider.
    let heir: Identity?
    /// Whether the survivor gets the absorbed user's address, having none.
    let takesEmail: Bool

    /// - Throws: ``BrokerError/mergeConflict(provider:)`` when both have an identity of another provider, since one user
    ///   never has two of one; ``BrokerError/userDisabled`` when either is disabled, since a merge must not be the way
    ///   around that.
    init(_ survivor: UserRecord, absorbing absorbed: UserRecord, mergedBy provider: String) throws(BrokerError) {
        guard !survivor.user.isDisabled, !absorbed.user.isDisabled else { throw .userDisabled }
        var replaced: Identity?
        var heir: Identity?
        for identity in absorbed.identities {
            guard let twin = survivor.identities.first(where: { Self.isSame($0.provider, identity.provider) }) else {
                continue
            }
            guard Self.isSame(identity.provider, provider) else {
                throw .mergeConflict(provider: identity.provider)
            }
            replaced = identity
            heir = twin
        }
        self.survivor = survivor.user
        self.absorbed = absorbed.user
        self.replaced = replaced
        self.heir = heir
        takesEmail = survivor.user.email == nil && absorbed.user.isEmailVerified
    }

    private static func isSame(_ one: String, _ other: String) -> Bool { one.utf8.elementsEqual(other.utf8) }
}

import BrokerStore
import ProviderKit

/// How two users become one: decided from values first, carried out by ``AccountContext``.
struct MergePlan: Sendable {
    let survivor: UserRecord
    let absorbed: UserRecord
    /// The provider that reports the merge; ``PendingMerge/ofUser`` where its user asked for it.
    let provider: String
    /// The absorbed user's identity at the provider that merged the accounts, whose subject becomes an alias of ``heir``;
    /// `nil` when the survivor has none there and it simply moves.
    let replaced: Identity?
    /// The survivor's identity at that provider.
    let heir: Identity?
    /// The absorbed user's identity whose sessions become the survivor's; `nil` when all end.
    let proven: Identity?
    /// Whether the survivor gets the absorbed user's address, having none.
    let takesEmail: Bool
    private let provenIdentityKey: Int64?

    /// - Parameters:
    ///   - survivor: The user who remains.
    ///   - absorbed: The user who goes.
    ///   - provider: The provider that reports the merge, or ``PendingMerge/ofUser``.
    ///   - provenIdentityKey: The absorbed user's identity whose merge rests on a proof.
    /// - Throws: ``BrokerError/mergeConflict(provider:)`` when both have an identity of another provider, since one user
    ///   never has two of one; ``BrokerError/userDisabled`` when either is disabled, since a merge must not be the way
    ///   around that.
    init(
        _ survivor: UserRecord, absorbing absorbed: UserRecord, mergedBy provider: String, provenIdentityKey: Int64?
    ) throws(BrokerError) {
        guard !survivor.user.isDisabled, !absorbed.user.isDisabled else { throw .userDisabled }
        var replaced: Identity?
        var heir: Identity?
        for identity in absorbed.identities {
            guard
                let twin = survivor.identities.first(where: { $0.provider.hasSameBytes(as: identity.provider) })
            else { continue }
            guard identity.provider.hasSameBytes(as: provider) else {
                throw .mergeConflict(provider: identity.provider)
            }
            replaced = identity
            heir = twin
        }
        self.survivor = survivor
        self.absorbed = absorbed
        self.provider = provider
        self.provenIdentityKey = provenIdentityKey
        self.replaced = replaced
        self.heir = heir
        proven = absorbed.identities.first {
            $0.key == provenIdentityKey && !$0.isAnonymous
                && (provider == PendingMerge.ofUser || $0.provider.hasSameBytes(as: provider))
        }
        takesEmail = survivor.user.takesEmail(of: absorbed.user)
    }

    /// The names of the absorbed user's custom claims that the survivor lacks or has otherwise. They are rights that an
    /// administrator has given to one of the two.
    var differingClaims: [String] { absorbed.user.claims(differingFrom: survivor.user) }

    /// Whether the absorbed user is only a device whose account was merged by a proof: their only identity was
    /// anonymous in every sign-in from the first one on, by the word of the provider itself, and they have neither custom
    /// tokens nor custom claims. Such a merge joins no two people, and gives no way to sign in that the proof does not cover.
    var isOfProvenAnonymousUser: Bool {
        guard absorbed.identities.count == 1, let identity = absorbed.identities.first else { return false }
        return identity.key == provenIdentityKey && identity.provider.hasSameBytes(as: provider) && identity.isAnonymous
            && identity.importedAt == nil && !absorbed.user.isCustomAuth && absorbed.user.customClaims.isEmpty
    }

    /// Whether the absorbed user has other ways to sign in than the merged account. They would become ways to sign in as
    /// the survivor, which the provider's report does not cover.
    var movesOtherSignInMethods: Bool {
        absorbed.user.isCustomAuth || absorbed.identities.contains { !$0.provider.hasSameBytes(as: provider) }
    }
}

extension User {
    /// Whether a user who remains gets the address of another one: the user has none, and that one is proven.
    func takesEmail(of absorbed: User) -> Bool { email == nil && absorbed.isEmailVerified }

    /// The user who remains, with the name and the picture of another one where only that one's were edited.
    func takingEdits(of absorbed: User) -> User {
        var user = self
        if displayNameEditedAt == nil, absorbed.displayNameEditedAt != nil {
            (user.displayName, user.displayNameEditedAt) = (absorbed.displayName, absorbed.displayNameEditedAt)
        }
        if photoURLEditedAt == nil, absorbed.photoURLEditedAt != nil {
            (user.photoURL, user.photoURLEditedAt) = (absorbed.photoURL, absorbed.photoURLEditedAt)
        }
        return user
    }

    /// The user who remained, with its own name and picture again where it has those of another one since a merge.
    ///
    /// - Parameters:
    ///   - absorbed: The other user before the merge.
    ///   - before: The user before the merge.
    /// - Returns: The user.
    func returningEdits(of absorbed: User, before: User) -> User {
        var user = self
        if before.displayNameEditedAt == nil, let displayNameEditedAt,
            displayNameEditedAt == absorbed.displayNameEditedAt
        {
            (user.displayName, user.displayNameEditedAt) = (before.displayName, nil)
        }
        if before.photoURLEditedAt == nil, let photoURLEditedAt, photoURLEditedAt == absorbed.photoURLEditedAt {
            (user.photoURL, user.photoURLEditedAt) = (before.photoURL, nil)
        }
        return user
    }

    /// The names of the custom claims that another user lacks or has otherwise.
    func claims(differingFrom other: User) -> [String] {
        let known = other.customClaims
        return customClaims.filter { known[$0.name] != $0.value }.map { $0.name }
    }
}

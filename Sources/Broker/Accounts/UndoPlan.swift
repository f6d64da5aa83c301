import BrokerStore
import ProviderKit

/// How a merge is undone: what goes back to the restored user, and what cannot. Read in one transaction, and carried out
/// in the same one or only shown.
struct UndoPlan: Sendable {
    /// An identity that goes back.
    enum Return: Sendable {
        /// The remaining user has it; it moves with its grants.
        case moves(Identity)
        /// Its subject became an alias of this identity; it is made again as it was.
        case isRestored(MergedUsers.MergedIdentity, from: Identity)
    }

    let merge: MergeSnapshot
    let before: MergedUsers
    /// The user who has the identities now.
    let survivor: UserRecord
    private(set) var returns: [Return] = []
    private(set) var conflicts: [UndoConflict] = []
    /// Whether the restored user has its address again, and whether the remaining user gives it back.
    private(set) var restoresEmail = false
    private(set) var releasesEmail = false
    /// The remaining user's custom claims that the merge gave it, which go.
    private(set) var removedClaims: [String] = []

    init(
        _ merge: MergeSnapshot, _ before: MergedUsers, in transaction: borrowing Transaction
    ) throws {
        guard let survivor = try transaction.user(key: merge.survivorKey) else { throw BrokerError.mergeNotFound }
        self.merge = merge
        self.before = before
        self.survivor = try transaction.record(of: survivor)
        if survivor.key != before.survivor.user.key {
            conflicts.append(.survivorMerged(localID: survivor.localID))
        }
        for identity in before.identities { try plan(identity, in: transaction) }
        try planEmail(in: transaction)
        noteWhatStays()
        planClaims()
        if survivor.isDisabled { conflicts.append(.survivorDisabled) }
        if returns.isEmpty, !before.absorbed.isCustomAuth { conflicts.append(.noSignInMethod) }
    }

    private mutating func plan(
        _ merged: MergedUsers.MergedIdentity, in transaction: borrowing Transaction
    ) throws {
        let provider = merged.identity.provider
        guard let found = try transaction.identity(merged.identity.identity) else {
            conflicts.append(.identityUnlinked(provider: provider))
            return
        }
        guard found.userKey == survivor.user.key else {
            let holder = try transaction.user(key: found.userKey)
            conflicts.append(.identityOfAnotherUser(provider: provider, localID: holder?.localID ?? "-"))
            return
        }
        returns.append(found.identity == merged.identity.identity ? .moves(found) : .isRestored(merged, from: found))
    }

    private mutating func planEmail(in transaction: borrowing Transaction) throws(StoreError) {
        guard let canonical = before.absorbed.emailCanonical else { return }
        guard let holder = try transaction.user(holdingEmail: canonical) else {
            restoresEmail = true
            return
        }
        // The merge gave it to the remaining user, who has not proven it otherwise since.
        releasesEmail =
            holder.key == survivor.user.key && before.survivor.user.email == nil
            && (holder.emailAssertedBy == before.absorbed.emailAssertedBy || !holder.isEmailVerified)
        restoresEmail = releasesEmail
        if !restoresEmail { conflicts.append(.addressTaken(localID: holder.localID)) }
    }

    private mutating func planClaims() {
        let given = before.absorbed.customClaims
        if !given.isEmpty { conflicts.append(.claimsNotRestored(names: given.names)) }
        // Of a user who was merged in turn it is not known which claims this merge gave.
        guard before.claims == .absorbed, survivor.user.key == before.survivor.user.key else { return }
        let earlier = before.survivor.user.customClaims
        removedClaims = survivor.user.customClaims
            .filter { given[$0.name] == $0.value && earlier[$0.name] != $0.value }.map { $0.name }
        if !removedClaims.isEmpty { conflicts.append(.claimsRemoved(names: removedClaims)) }
    }

    private mutating func noteWhatStays() {
        let known = before.survivor.identities.map(\.identity) + before.identities.map(\.identity.identity)
        // What another merge has brought is known by the conflict above.
        guard survivor.user.key == before.survivor.user.key else { return }
        for identity in survivor.identities where !known.contains(identity.identity) {
            conflicts.append(.identityLinkedSince(provider: identity.provider))
        }
    }
}

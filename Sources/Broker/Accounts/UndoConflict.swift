/// A part that an undo of a merge cannot restore, or leaves as it is now.
package enum UndoConflict: Sendable, Hashable {
    /// The identity of this provider was unlinked since; it is not linked again.
    case identityUnlinked(provider: String)
    /// The identity of this provider belongs to another user now.
    case identityOfAnotherUser(provider: String, localID: String)
    /// Another user has the restored user's address now, the remaining one included.
    case addressTaken(localID: String)
    /// The remaining user linked this provider since and keeps it.
    case identityLinkedSince(provider: String)
    /// The remaining user was merged into this one since, who gives the identities back.
    case survivorMerged(localID: String)
    /// The remaining user is disabled, so that the restored one is disabled as well.
    case survivorDisabled
    /// The restored user had these custom claims and gets none, since an administrator may have withdrawn them.
    case claimsNotRestored(names: [String])
    /// The remaining user loses these custom claims, which the merge gave it.
    case claimsRemoved(names: [String])
    /// The restored user has no way to sign in.
    case noSignInMethod

    /// A stable name for JSON.
    package var code: String {
        switch self {
        case .identityUnlinked: "identityUnlinked"
        case .identityOfAnotherUser: "identityOfAnotherUser"
        case .addressTaken: "addressTaken"
        case .identityLinkedSince: "identityLinkedSince"
        case .survivorMerged: "survivorMerged"
        case .survivorDisabled: "survivorDisabled"
        case .claimsNotRestored: "claimsNotRestored"
        case .claimsRemoved: "claimsRemoved"
        case .noSignInMethod: "noSignInMethod"
        }
    }

    /// The provider concerned.
    package var provider: String? {
        switch self {
        case .identityUnlinked(let provider), .identityOfAnotherUser(let provider, _),
            .identityLinkedSince(let provider):
            provider
        case .addressTaken, .survivorMerged, .survivorDisabled, .claimsNotRestored, .claimsRemoved, .noSignInMethod:
            nil
        }
    }

    /// The other user concerned.
    package var localID: String? {
        switch self {
        case .identityOfAnotherUser(_, let localID), .addressTaken(let localID), .survivorMerged(let localID): localID
        case .identityUnlinked, .identityLinkedSince, .survivorDisabled, .claimsNotRestored, .claimsRemoved,
            .noSignInMethod:
            nil
        }
    }

    /// The conflict and its consequence, in one sentence.
    package var message: String {
        switch self {
        case .identityUnlinked(let provider): "\(provider) was unlinked since and is not linked again"
        case .identityOfAnotherUser(let provider, let localID):
            "\(provider) belongs to user \(localID) now and stays there"
        case .addressTaken(let localID):
            "user \(localID) has the restored user's e-mail address now; the restored user gets none"
        case .identityLinkedSince(let provider): "\(provider) was linked since and stays with the remaining user"
        case .survivorMerged(let localID): "the remaining user was merged into \(localID) since"
        case .survivorDisabled: "the remaining user is disabled; the restored user will be disabled as well"
        case .claimsNotRestored(let names):
            "the restored user gets no custom claims; before the merge it had \(names.joined(separator: ", "))"
        case .claimsRemoved(let names):
            "the remaining user loses the custom claims that the merge gave it (\(names.joined(separator: ", "))); "
                + "those that it had instead are not restored"
        case .noSignInMethod: "the restored user will have no way to sign in"
        }
    }
}

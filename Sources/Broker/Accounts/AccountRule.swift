/// A rule of the account policy, as decision records and the audit name it: S for sign-ins, L for links, M for merges.
/// A test compares the list in Docs/AccountPolicy.md with this one.
package enum AccountRule: String, Sendable, Hashable, CaseIterable {
    case knownIdentity = "S1"
    case knownIdentityDisabled = "S1-disabled"
    case announcedIdentity = "S1-migrated"
    case joinVerifiedUser = "S2"
    case joinUnverifiedUser = "S3"
    case unprovenAddress = "S4"
    case newUser = "S5"
    case newUserWithoutAddress = "S5-unproven-address"
    case newUserTakesAddress = "S5-takes-unproven-address"
    case noUserWanted = "S7"
    case disabledHolder = "S-disabled-holder"
    case recycledAddress = "S-recycled"
    case verifiedAddress = "S-confirm"

    case linkToDisabledUser = "L0"
    case linkOfTakenIdentity = "L1"
    case linkOfTakenAddress = "L2"
    case linkFreeIdentity = "L3"
    case linkOfSameProvider = "L-same-provider"
    case linkAfterFormerOwner = "L-former-owner"
    case linkByAdministrator = "administrator"

    case mergePending = "M-pending"
    case mergeAutomatic = "M-automatic"
    case mergeOfDevice = "M-anonymous"
    case mergeByUser = "M-user"
    case mergeApproved = "M-approved"
    case mergeDismissed = "M-dismissed"
    case mergeUndone = "M-undone"
    case mergeMovesSignInMethods = "M-identities"
    case mergeChangesClaims = "M-claims"
    case mergeOfSameProvider = "M-conflict"
    case mergeOfDisabledUser = "M-disabled"
    case mergeOfMigratedSubject = "M-migrated"
}

extension AccountRule {
    /// What was decided.
    private enum Outcome: String {
        case signIn = "The user signs in"
        case join = "The identity joins the user"
        case confirm = "The user is asked to prove the other account first"
        case create = "A user is created"
        case refuseSignIn = "The sign-in is refused"
        case link = "The identity is added"
        case refuseLink = "The link is refused"
        case merge = "The two users become one"
        case wait = "The two users wait for an administrator"
        case keepApart = "The two users stay apart"
    }

    /// The rule in one English sentence.
    package var sentence: String { "\(outcome.rawValue), because \(cause)." }

    /// Whether the rule refuses what was asked for.
    package var refuses: Bool { outcome == .refuseSignIn || outcome == .refuseLink }

    /// Why it was decided so: a clause that follows "because".
    package var cause: String { row.cause }

    private var outcome: Outcome { row.outcome }

    /// The whole table. No `default`: a new rule does not compile until it has its sentence.
    private var row: (outcome: Outcome, cause: String) {
        switch self {
        case .knownIdentity: (.signIn, "the identity is known")
        case .knownIdentityDisabled: (.refuseSignIn, "the user of the identity or of the session is disabled")
        case .announcedIdentity: (.signIn, "the identity's move to the app's new owner was announced")
        case .joinVerifiedUser:
            (.join, "the provider has verified an address that the user has verified too")
        case .joinUnverifiedUser:
            (
                .join,
                "the provider has verified an address that the user never has, so everything older than this proof is "
                    + "removed"
            )
        case .unprovenAddress:
            (.confirm, "another user has the address, and the provider has not verified it")
        case .newUser: (.create, "no user has the identity or its address")
        case .newUserWithoutAddress:
            (.create, "another user has the address and the provider has not verified it, so the new one gets none")
        case .newUserTakesAddress:
            (.create, "the provider has verified the address, and the user who had it never has, so it moves")
        case .noUserWanted: (.refuseSignIn, "no user has the identity, and none was to be created")
        case .disabledHolder: (.refuseSignIn, "the user who has the address is disabled")
        case .recycledAddress:
            (.confirm, "the user who has the address has another identity of this provider")
        case .verifiedAddress: (.confirm, "another user has verified the address")
        case .linkToDisabledUser: (.refuseLink, "the user is disabled")
        case .linkOfTakenIdentity: (.refuseLink, "a user has the identity already")
        case .linkOfTakenAddress: (.refuseLink, "another user has the address")
        case .linkFreeIdentity: (.link, "no user has it, and no other user has verified its address")
        case .linkOfSameProvider: (.refuseLink, "the user has another identity of this provider")
        case .linkAfterFormerOwner:
            (.link, "the user's earlier identity of this provider is of the app's former owner")
        case .linkByAdministrator: (.link, "an administrator named it; the provider has proven nothing")
        case .mergePending: (.wait, "the provider reports that their accounts became one")
        case .mergeAutomatic:
            (.merge, "the provider reports that their accounts became one, and its entry has autoMerge")
        case .mergeOfDevice:
            (.merge, "the provider reports that a device became an account, and only the device had the other user")
        case .mergeByUser: (.merge, "the user logged in to both and asked for it")
        case .mergeApproved: (.merge, "an administrator approved it")
        case .mergeDismissed: (.keepApart, "an administrator dismissed the merge")
        case .mergeUndone: (.keepApart, "the merge was undone")
        case .mergeMovesSignInMethods: (.wait, "the user who goes has other ways to sign in")
        case .mergeChangesClaims:
            (.wait, "the user who goes has custom claims that the other one lacks or has otherwise")
        case .mergeOfSameProvider: (.wait, "both have an identity of another provider")
        case .mergeOfDisabledUser: (.wait, "one of them is disabled")
        case .mergeOfMigratedSubject: (.wait, "one account that moved to the app's new owner came back as a new user")
        }
    }
}

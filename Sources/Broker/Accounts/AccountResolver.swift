import BrokerStore
import ProviderKit

/// The account policy: the account a verified identity belongs to. Values in, decision out, no I/O.
///
/// The rules have the names of the contract's table (L1 … S7), and every decision says which rule it was.
enum AccountResolver {
    /// The decision about a sign-in.
    enum SignInDecision: Sendable {
        /// The user signs in with this identity of theirs.
        case signIn(AccountSnapshot.SubjectHolder)
        /// A new user, who takes the asserted address, also from a holder who has never proven it; but not when another
        /// user holds an address that matches no user, or that neither of the two has proven.
        case createUser(takingEmailFrom: User?, withEmail: Bool)
        /// The identity joins the account that holds its address; `strips` when that address was never proven there, so
        /// that everything older than this proof is removed.
        case join(User, strips: Bool)
        /// Another user holds the address: nothing is written, and that account has to be proven first. `isRecycled`
        /// when it has another identity of the same provider.
        case needConfirmation(holder: User, disclosesHolder: Bool, isRecycled: Bool)
        case refuse(BrokerError)
    }

    /// The decision about a link.
    enum LinkDecision: Sendable {
        /// Adds the identity; `takesEmail` when the user has no address and the asserted one is free.
        case link(takesEmail: Bool, verifiesEmail: Bool)
        /// The identity replaces the user's identity of the app's former owner.
        case relink(Identity)
        case refuse(BrokerError)
    }

    /// A decision with the rule that led to it, for the decision record.
    struct Resolution<Decision: Sendable>: Sendable {
        let decision: Decision
        let rule: AccountRule
    }

    /// Decides a sign-in.
    ///
    /// - Parameters:
    ///   - evidence: What the provider asserts.
    ///   - accounts: The accounts it concerns.
    ///   - createsUser: Whether an identity without a user becomes a user; `false` reauthenticates.
    ///   - onlyUser: The localId of the only user who may sign in; `nil` for any.
    ///   - policy: The row `emailCollision` of the policy.
    /// - Returns: The decision and its rule.
    static func signIn(
        _ evidence: Evidence, _ accounts: AccountSnapshot, createsUser: Bool, onlyUser: String? = nil,
        policy: Policy.Preset
    ) -> Resolution<SignInDecision> {
        let resolution = signIn(evidence, accounts, createsUser: createsUser, policy)
        guard let onlyUser else { return resolution }
        return .init(decision: resolution.decision.limited(to: onlyUser), rule: resolution.rule)
    }

    private static func signIn(
        _ evidence: Evidence, _ accounts: AccountSnapshot, createsUser: Bool, _ policy: Policy.Preset
    ) -> Resolution<SignInDecision> {
        if let owner = accounts.owner {
            // Checked before anything is written, so a disabled user's record does not change.
            return owner.user.isDisabled || accounts.bearer?.isDisabled == true
                ? .init(decision: .refuse(.userDisabled), rule: .knownIdentityDisabled)
                : .init(decision: .signIn(owner), rule: accounts.isOwnerAnnounced ? .announcedIdentity : .knownIdentity)
        }
        // An address made up for one app identifies the user nowhere else.
        let isRelay = evidence.email?.isRelay ?? false
        let holder = isRelay ? nil : accounts.emailHolder
        if let holder, let collision = collision(evidence, accounts, holder, policy) { return collision }
        guard createsUser else { return .init(decision: .refuse(.noAccount), rule: .noUserWanted) }
        guard let holder else {
            return .init(
                decision: .createUser(takingEmailFrom: nil, withEmail: accounts.emailHolder == nil), rule: .newUser)
        }
        // An unproven claim must not keep the address's owner out.
        guard evidence.email?.isVerified ?? false else {
            return .init(decision: .createUser(takingEmailFrom: nil, withEmail: false), rule: .newUserWithoutAddress)
        }
        return .init(decision: .createUser(takingEmailFrom: holder, withEmail: true), rule: .newUserTakesAddress)
    }

    /// Decides about a new identity whose address a user holds; `nil` when it becomes a user of its own.
    private static func collision(
        _ evidence: Evidence, _ accounts: AccountSnapshot, _ holder: User, _ policy: Policy.Preset
    ) -> Resolution<SignInDecision>? {
        let isProven = evidence.email?.isVerified ?? false
        let isRecycled = accounts.emailHolderProviders.contains(evidence.key.provider)
        func confirm(_ rule: AccountRule, discloses: Bool) -> Resolution<SignInDecision> {
            .init(
                decision: .needConfirmation(holder: holder, disclosesHolder: discloses, isRecycled: isRecycled),
                rule: rule)
        }
        guard isProven else {
            if policy == .strict, !holder.isEmailVerified { return nil }
            // An unproven address tells a stranger nothing under strict; Firebase's clients expect to be told.
            return confirm(.unprovenAddress, discloses: policy == .firebase)
        }
        guard !holder.isDisabled else { return .init(decision: .refuse(.userDisabled), rule: .disabledHolder) }
        // An account never has two identities of a provider, and a recycled address proves nothing.
        guard !isRecycled else { return confirm(.recycledAddress, discloses: true) }
        return switch (policy, holder.isEmailVerified) {
        case (.strict, true): confirm(.verifiedAddress, discloses: true)
        case (.strict, false): nil
        case (.firebase, true): .init(decision: .join(holder, strips: false), rule: .joinVerifiedUser)
        case (.firebase, false): .init(decision: .join(holder, strips: true), rule: .joinUnverifiedUser)
        }
    }

    /// Decides whether an identity is added to a user.
    ///
    /// - Parameters:
    ///   - evidence: What the provider asserts.
    ///   - user: The user, with the identities they have.
    ///   - accounts: The accounts the evidence concerns.
    ///   - policy: The row `linkEmail` of the policy.
    /// - Returns: The decision and its rule.
    static func link(
        _ evidence: Evidence, to user: UserRecord, _ accounts: AccountSnapshot, policy: Policy.Preset
    ) -> Resolution<LinkDecision> {
        let (user, identities) = (user.user, user.identities)
        func refuse(_ error: BrokerError, _ rule: AccountRule) -> Resolution<LinkDecision> {
            .init(decision: .refuse(error), rule: rule)
        }
        guard !user.isDisabled else { return refuse(.userDisabled, .linkToDisabledUser) }
        guard accounts.owner == nil else { return refuse(.identityAlreadyLinked, .linkOfTakenIdentity) }
        let holder = accounts.emailHolder.flatMap { $0.key == user.key ? nil : $0 }
        let isRelay = evidence.email?.isRelay ?? false
        // Strict compares with proven holders only; an unproven claim on an address must not block a link.
        if let holder, !isRelay, holder.isEmailVerified || policy == .firebase {
            return refuse(.emailHeldByAnotherUser, .linkOfTakenAddress)
        }
        if let known = identities.first(where: { $0.provider.hasSameBytes(as: evidence.key.provider) }) {
            guard evidence.isOfFormerOwner(known) else { return refuse(.providerAlreadyLinked, .linkOfSameProvider) }
            return .init(decision: .relink(known), rule: .linkAfterFormerOwner)
        }
        let canonical = evidence.email?.address.canonical
        let isOwn = canonical != nil && user.emailCanonical == canonical
        return .init(
            decision: .link(
                takesEmail: user.email == nil && canonical != nil && holder == nil,
                verifiesEmail: isOwn && evidence.email?.isVerified == true),
            rule: .linkFreeIdentity)
    }
}

extension AccountResolver.SignInDecision {
    /// The decision where only one user may sign in: another user is refused. A disabled user gets `userDisabled`.
    fileprivate func limited(to localID: String) -> Self {
        switch self {
        case .signIn(let owner) where owner.user.localID.hasSameBytes(as: localID): self
        case .refuse(.userDisabled): self
        case .signIn, .createUser, .join, .needConfirmation, .refuse: .refuse(.userMismatch)
        }
    }

    /// Whether this user signs in and no other. A disabled user counts too, and gets `userDisabled`.
    func signsIn(_ user: User) -> Bool {
        switch self {
        case .signIn(let owner): owner.user.key == user.key
        case .refuse(.userDisabled): true
        case .createUser, .join, .needConfirmation, .refuse: false
        }
    }
}

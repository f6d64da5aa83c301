import BrokerStore

/// The policy: which account a proven identity belongs to. Values in, decision out, no I/O.
///
/// The rules carry the names of the contract's table (L1 … S7), and every decision says which one it was.
enum AccountResolver {
    /// What the client asked for.
    enum Intent: Sendable {
        case signIn(createsUser: Bool)
        /// Adds the identity to this user.
        case link(User)
    }

    /// What the store knows, read in the transaction that writes the outcome.
    struct Facts: Sendable {
        /// Who signs in with this identity already.
        let owner: User?
        /// Who holds the e-mail address the provider asserted.
        let emailHolder: User?
        /// The providers that user has.
        let holderProviders: Set<String>
        /// The providers the user of a link has already.
        let linkedProviders: Set<String>
        /// Who holds the very subject the credential is for: another than the owner after the provider merged accounts.
        var bearer: User?
    }

    enum Decision: Sendable {
        case signIn(User)
        /// A new user, who takes the asserted address along, also from a holder who never proved it; but not when
        /// another user holds an address that matches no user, or that neither of the two has proven.
        case createUser(takingEmailFrom: User?, withEmail: Bool)
        /// The identity joins the account that holds its address; `strips` when nobody ever proved that address there,
        /// so everything older than this proof goes.
        case join(User, strips: Bool)
        /// Adds the identity; `takesEmail` when the user had no address and this one is free.
        case link(User, takesEmail: Bool, verifiesEmail: Bool)
        /// The address is somebody else's: nothing is written, the person proves the other account first. `isRecycled`
        /// when that account has another identity of the same provider.
        case needConfirmation(holder: User, disclosesHolder: Bool, isRecycled: Bool)
        case refuse(BrokerError)
    }

    struct Resolution: Sendable {
        let decision: Decision
        /// The rule that hit, for the decision record.
        let rule: String
        /// Whom the decision is about, whether or not the client may know.
        var subject: User?
    }

    static func decide(_ evidence: Evidence, _ facts: Facts, intent: Intent, policy: Policy) -> Resolution {
        var resolution: Resolution
        switch intent {
        case .signIn(let createsUser):
            resolution = signIn(evidence, facts, createsUser: createsUser, policy.emailCollision)
            resolution.subject = facts.owner ?? facts.emailHolder
        case .link(let user):
            resolution = link(evidence, facts, to: user, policy.linkEmail)
            resolution.subject = user
        }
        return resolution
    }

    private static func signIn(
        _ evidence: Evidence, _ facts: Facts, createsUser: Bool, _ policy: Policy.Preset
    ) -> Resolution {
        if let owner = facts.owner {
            // Checked before anything is written, so a disabled user's record does not change.
            return owner.isDisabled || facts.bearer?.isDisabled == true
                ? .init(decision: .refuse(.userDisabled), rule: "S1-disabled")
                : .init(decision: .signIn(owner), rule: "S1")
        }
        // An address made up for one app says nothing about who somebody is elsewhere.
        let isRelay = evidence.email?.isRelay ?? false
        let holder = isRelay ? nil : facts.emailHolder
        if let holder, let collision = collision(evidence, facts, holder, policy) { return collision }
        guard createsUser else { return .init(decision: .refuse(.noAccount), rule: "S7") }
        guard let holder else {
            return .init(
                decision: .createUser(takingEmailFrom: nil, withEmail: facts.emailHolder == nil), rule: "S5")
        }
        // An unproven claim must not keep the address's owner out.
        guard evidence.email?.isVerified ?? false else {
            return .init(decision: .createUser(takingEmailFrom: nil, withEmail: false), rule: "S5-unproven-address")
        }
        return .init(decision: .createUser(takingEmailFrom: holder, withEmail: true), rule: "S5-takes-unproven-address")
    }

    /// What becomes of a new identity whose address somebody holds; `nil` when it becomes a user of its own.
    private static func collision(
        _ evidence: Evidence, _ facts: Facts, _ holder: User, _ policy: Policy.Preset
    ) -> Resolution? {
        let isProven = evidence.email?.isVerified ?? false
        let isRecycled = facts.holderProviders.contains(evidence.key.provider)
        func confirm(_ rule: String, discloses: Bool) -> Resolution {
            .init(
                decision: .needConfirmation(holder: holder, disclosesHolder: discloses, isRecycled: isRecycled),
                rule: rule)
        }
        guard isProven else {
            if policy == .strict, !holder.isEmailVerified { return nil }
            // An unproven address tells a stranger nothing under strict; Firebase's clients expect to be told.
            return confirm("S4", discloses: policy == .firebase)
        }
        guard !holder.isDisabled else { return .init(decision: .refuse(.userDisabled), rule: "S-disabled-holder") }
        // One account never has two identities of a provider, and a recycled address is nobody's proof.
        guard !isRecycled else { return confirm("S-recycled", discloses: true) }
        return switch (policy, holder.isEmailVerified) {
        case (.strict, true): confirm("S-confirm", discloses: true)
        case (.strict, false): nil
        case (.firebase, true): .init(decision: .join(holder, strips: false), rule: "S2")
        case (.firebase, false): .init(decision: .join(holder, strips: true), rule: "S3")
        }
    }

    private static func link(
        _ evidence: Evidence, _ facts: Facts, to user: User, _ policy: Policy.Preset
    ) -> Resolution {
        func refuse(_ error: BrokerError, _ rule: String) -> Resolution { .init(decision: .refuse(error), rule: rule) }
        guard !user.isDisabled else { return refuse(.userDisabled, "L0") }
        guard facts.owner == nil else { return refuse(.identityAlreadyLinked, "L1") }
        let holder = facts.emailHolder.flatMap { $0.key == user.key ? nil : $0 }
        let isRelay = evidence.email?.isRelay ?? false
        // Strict compares with proven holders only; an unproven claim on an address must not block a link.
        if let holder, !isRelay, holder.isEmailVerified || policy == .firebase {
            return refuse(.emailHeldByAnotherUser, "L2")
        }
        guard !facts.linkedProviders.contains(evidence.key.provider) else {
            return refuse(.providerAlreadyLinked, "L-same-provider")
        }
        let canonical = evidence.email?.address.canonical
        let isOwn = canonical != nil && user.emailCanonical == canonical
        return .init(
            decision: .link(
                user, takesEmail: user.email == nil && canonical != nil && holder == nil,
                verifiesEmail: isOwn && evidence.email?.isVerified == true),
            rule: "L3")
    }
}

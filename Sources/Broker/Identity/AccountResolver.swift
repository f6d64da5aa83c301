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
        /// The providers the user of a link has already.
        let linkedProviders: Set<String>
    }

    enum Decision: Sendable {
        case signIn(User)
        /// A new user, who takes the asserted address along when there is one.
        case createUser
        /// Adds the identity; `takesEmail` when the user had no address and this one is free.
        case link(User, takesEmail: Bool, verifiesEmail: Bool)
        /// The address is somebody else's: nothing is written, the person proves the other account first.
        case needConfirmation(holder: User, disclosesHolder: Bool)
        case refuse(BrokerError)
    }

    struct Resolution: Sendable {
        let decision: Decision
        /// The rule that hit, for the decision record.
        let rule: String
    }

    static func decide(_ evidence: Evidence, _ facts: Facts, intent: Intent) -> Resolution {
        switch intent {
        case .signIn(let createsUser): signIn(evidence, facts, createsUser: createsUser)
        case .link(let user): link(evidence, facts, to: user)
        }
    }

    private static func signIn(_ evidence: Evidence, _ facts: Facts, createsUser: Bool) -> Resolution {
        if let owner = facts.owner {
            // Checked before anything is written, so a disabled user's record does not change.
            return owner.isDisabled
                ? .init(decision: .refuse(.userDisabled), rule: "S1-disabled")
                : .init(decision: .signIn(owner), rule: "S1")
        }
        if let holder = facts.emailHolder {
            // An unproven address must not tell a stranger whose it is.
            let isVerified = evidence.email?.isVerified ?? false
            return holder.isDisabled && isVerified
                ? .init(decision: .refuse(.userDisabled), rule: "S4-disabled")
                : .init(decision: .needConfirmation(holder: holder, disclosesHolder: isVerified), rule: "S4")
        }
        return createsUser
            ? .init(decision: .createUser, rule: "S5") : .init(decision: .refuse(.noAccount), rule: "S7")
    }

    private static func link(_ evidence: Evidence, _ facts: Facts, to user: User) -> Resolution {
        func refuse(_ error: BrokerError, _ rule: String) -> Resolution { .init(decision: .refuse(error), rule: rule) }
        guard !user.isDisabled else { return refuse(.userDisabled, "L0") }
        guard facts.owner == nil else { return refuse(.identityAlreadyLinked, "L1") }
        let holder = facts.emailHolder.flatMap { $0.key == user.key ? nil : $0 }
        // Strict compares with proven holders only; an unproven claim on an address must not block a link.
        if let holder, holder.isEmailVerified { return refuse(.emailHeldByAnotherUser, "L2") }
        guard !facts.linkedProviders.contains(evidence.key.provider) else {
            return refuse(.providerAlreadyLinked, "L-same-provider")
        }
        let isOwn = user.emailCanonical != nil && user.emailCanonical == evidence.email?.address.canonical
        return .init(
            decision: .link(
                user, takesEmail: user.email == nil && evidence.email?.address.canonical != nil && holder == nil,
                verifiesEmail: isOwn && evidence.email?.isVerified == true),
            rule: "L3")
    }
}

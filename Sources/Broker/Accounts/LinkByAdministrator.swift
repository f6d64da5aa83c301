import BrokerStore
import ProviderKit

extension Transaction {
    /// Gives a user the provider entry that an administrator names. The provider has proven nothing, so its address counts
    /// as unverified.
    ///
    /// - Parameters:
    ///   - link: The entry.
    ///   - issuer: The issuer or instance of the provider.
    ///   - user: The user.
    /// - Throws: ``BrokerError/identityAlreadyLinked`` if another user has the subject (contract, Appendix A-3),
    ///   ``BrokerError/providerAlreadyLinked`` if the user has another one of the provider, or a store's error.
    func link(_ link: AdministratorChanges.Link, at issuer: String, to user: User) throws {
        let key = IdentityKey(provider: link.provider, issuer: issuer, subject: link.subject)
        if let known = try identity(key) {
            guard known.userKey == user.key else { throw BrokerError.identityAlreadyLinked }
            try update(known, by: link, of: user)
            return
        }
        let identity = Identity(
            key: nextKey(), userKey: user.key, identity: key, email: link.email, displayName: link.displayName,
            photoURL: link.photoURL, screenName: link.screenName, profile: "{}", linkedAt: now, lastSignInAt: now)
        // The subject is free, so only another identity of the provider is in the way.
        guard try insert(identity) else { throw BrokerError.providerAlreadyLinked }
        try audit(
            "identity.linked", of: user.localID, provider: link.provider, subjectHash: key.subjectHash,
            detail: ["rule": .string(AccountRule.linkByAdministrator.rawValue)])
    }

    /// Replaces the profile fields that an administrator sent; the others stay.
    private func update(_ known: Identity, by link: AdministratorChanges.Link, of user: User) throws {
        let isSameEmail = link.email == nil || link.email == known.email
        var renewed = known
        renewed.email = link.email ?? known.email
        renewed.isEmailVerified = isSameEmail && known.isEmailVerified
        renewed.displayName = link.displayName ?? known.displayName
        renewed.photoURL = link.photoURL ?? known.photoURL
        renewed.screenName = link.screenName ?? known.screenName
        try refreshProfile(of: known, to: renewed)
        try audit(
            "user.updated", of: user.localID, provider: link.provider, subjectHash: known.identity.subjectHash,
            detail: ["fields": ["providerUserInfo"]])
    }
}

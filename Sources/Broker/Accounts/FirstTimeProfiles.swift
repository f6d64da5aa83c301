import BrokerStore
import ProviderKit

/// First-time profiles: what a provider sends at the first sign-in only. They are stored before anything that can fail, so
/// that a lost answer, a crash or a refused sign-in loses no name.
extension AccountContext {
    /// Stores the profile that came with a verified ID token.
    func keepFirstTimeProfile(
        _ profile: Credential.FirstTimeProfile, with token: VerifiedIDToken, from provider: ConfiguredProvider
    ) async throws {
        // Apple alone tells an address once. Other entries say in their options which claim is one, and what verifies it.
        let claim = provider.kind == "apple" ? token.claims["email"]?.string : nil
        let email = claim.flatMap(EmailAddress.init)
        let isEmailVerified = email != nil && Self.isTrue(token.claims["email_verified"])
        let identity = IdentityKey(provider: provider.id, issuer: provider.instance, subject: token.subject)
        try await write { transaction in
            try transaction.keep(
                FirstTimeProfile(
                    key: transaction.nextKey(), identity: identity,
                    givenName: Evidence.text(profile.givenName, limit: 256),
                    familyName: Evidence.text(profile.familyName, limit: 256), email: email?.value,
                    isEmailVerified: isEmailVerified, capturedAt: transaction.now))
        }
    }

    /// Evidence completed with the stored profile.
    func complete(_ evidence: Evidence, from provider: ConfiguredProvider) async throws -> Evidence {
        guard evidence.displayName == nil || evidence.email == nil else { return evidence }
        let key = evidence.key
        guard let known = try await store.read({ try $0.firstTimeProfile(key) }) else { return evidence }
        return evidence.completed(by: known, trustsEmail: provider.trustsEmail)
    }

    /// Apple sometimes sends booleans as text.
    private static func isTrue(_ value: JSONValue?) -> Bool {
        value?.bool == true || value?.string?.hasSameBytes(as: "true") == true
    }
}

extension Evidence {
    /// This evidence, with values of the first-time profile where it has none.
    func completed(by known: FirstTimeProfile, trustsEmail: Bool) -> Evidence {
        var completed = self
        if displayName == nil {
            completed.displayName = ExternalIdentity.displayName(given: known.givenName, family: known.familyName)
            completed.givenName = givenName ?? known.givenName
            completed.familyName = familyName ?? known.familyName
        }
        if email == nil, let address = known.email.flatMap(EmailAddress.init) {
            completed.email = Email(
                address: address, isVerified: known.isEmailVerified && trustsEmail,
                isRelay: EmailAddress.isRelayDomain(of: address.value))
        }
        return completed
    }
}

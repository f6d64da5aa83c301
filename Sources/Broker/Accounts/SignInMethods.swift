import BrokerStore

/// The providers that an address signs in with.
package struct SignInMethods: Sendable {
    let isRegistered: Bool
    /// In the order in which they were linked.
    let providers: [String]
}

extension AccountContext {
    /// The providers that an address signs in with (contract §2.4 a), as far as the policy discloses them.
    ///
    /// - Returns: `nil` when the policy discloses nothing; the store is not read then, so that timing discloses nothing.
    func signInMethods(of email: EmailAddress) async throws -> SignInMethods? {
        guard settings.current.emailEnumeration == .firebase else { return nil }
        return try await store.read { transaction in
            var user = try email.canonical.flatMap { try transaction.user(holdingEmail: $0) }
            if user == nil { user = try transaction.user(withIdentityEmail: email.display) }
            guard let user else { return SignInMethods(isRegistered: false, providers: []) }
            return SignInMethods(
                isRegistered: true, providers: try transaction.identities(of: user.key).map(\.provider))
        }
    }
}

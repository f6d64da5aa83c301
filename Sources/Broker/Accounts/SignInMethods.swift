import BrokerStore

/// The providers that an address signs in with (contract §2.4 a), as far as the policy discloses them.
package struct SignInMethods: Sendable {
    let settings: LiveProjectSettings
    let store: Store

    package struct Answer: Sendable {
        let isRegistered: Bool
        /// In the order in which they were linked.
        let providers: [String]
    }

    /// - Returns: `nil` when the policy discloses nothing; the store is not read then, so that timing discloses nothing.
    func callAsFunction(_ email: EmailAddress) async throws -> Answer? {
        guard settings.current.emailEnumeration == .firebase else { return nil }
        return try await store.read { transaction in
            var user = try email.canonical.flatMap { try transaction.user(holdingEmail: $0) }
            if user == nil { user = try transaction.user(withIdentityEmail: email.display) }
            guard let user else { return Answer(isRegistered: false, providers: []) }
            return Answer(isRegistered: true, providers: try transaction.identities(of: user.key).map(\.provider))
        }
    }
}

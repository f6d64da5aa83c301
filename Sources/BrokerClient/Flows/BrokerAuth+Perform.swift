import Foundation
import ProviderKit

extension BrokerAuth {
    /// The tokens of a flow, and the nonce that their ID token must have.
    typealias ObtainedTokens = (answer: TokenAnswer, nonce: NonceExpectation)

    /// One sign-in, link or reauthentication: what all have in common.
    ///
    /// - Parameters:
    ///   - purpose: What the session becomes.
    ///   - provider: The provider, if the app names one.
    ///   - isAnonymous: Whether the new user has no identity.
    ///   - obtain: The flow; it gets the session that it works for, with valid tokens, unless it begins one.
    /// - Returns: The session and what the provider says.
    /// - Throws: ``BrokerAuthError``.
    func perform(
        _ purpose: SignInPurpose, provider: ProviderID?, isAnonymous: Bool = false,
        _ obtain: (_ session: StoredSession?) async throws(BrokerAuthError) -> ObtainedTokens
    ) async throws(BrokerAuthError) -> SignInResult {
        try receiver.begin()
        defer { receiver.end() }
        let session = purpose == .signIn ? nil : try await current.valid(forcingRefresh: false)
        let (answer, nonce) = try await obtain(session)
        let adopted = try await current.adopt(
            SignInTokens(
                answer: answer, nonce: nonce, purpose: purpose, expectedUser: session?.userID, provider: provider,
                isAnonymous: isAnonymous))
        return try await result(of: adopted, answer, purpose, provider)
    }

    /// A flow through the provider's app, or through the provider's or the broker's pages.
    func throughBrowser(
        _ purpose: SignInPurpose, _ provider: ProviderID?, _ options: SignInOptions
    ) async throws(BrokerAuthError) -> SignInResult {
        try await perform(purpose, provider: provider) { session throws(BrokerAuthError) in
            try await flow.tokens(
                for: AuthorizationGoal(purpose: purpose, provider: provider, options: options, session: session))
        }
    }

    /// A flow with a provider's ID token.
    func exchanging(
        _ credential: ProviderCredential, _ purpose: SignInPurpose
    ) async throws(BrokerAuthError) -> SignInResult {
        defer { keep(credential) }
        let exchange = TokenExchange(endpoints: endpoints)
        return try await perform(purpose, provider: credential.provider) { session throws(BrokerAuthError) in
            do throws(BrokerAuthError) {
                return (try await exchange.tokens(for: credential, purpose, actorToken: session?.accessToken), .absent)
            } catch {
                // It may have been revoked with all earlier ones, and a new one is valid.
                guard error == .tokenExpired, session != nil else { throw error }
                let renewed = try await current.valid(forcingRefresh: true)
                return (try await exchange.tokens(for: credential, purpose, actorToken: renewed.accessToken), .absent)
            }
        }
    }

    /// The result, with what the broker's record says. The user is signed in even if the record cannot be read now.
    ///
    /// - Throws: ``BrokerAuthError/signedOut`` when the session has ended meanwhile.
    private func result(
        of adopted: StoredSession, _ answer: TokenAnswer, _ purpose: SignInPurpose, _ provider: ProviderID?
    ) async throws(BrokerAuthError) -> SignInResult {
        let account = answer.scopes.contains("account") ? try? await account() : nil
        var provider = provider ?? answer.providerToken?.provider
        if provider == nil, let account, !account.identities.isEmpty { provider = await signInProvider() }
        if let provider, adopted.provider == nil { try? await current.note(provider) }
        return SignInResult(
            session: try await current.announceSignIn(), provider: provider,
            profile: provider.flatMap { account?.identity(at: $0)?.profile },
            providerToken: answer.providerToken,
            isNewUser: purpose == .signIn
                && (answer.isNewUser ?? (adopted.isAnonymous || account?.isNew == true)))
    }

    /// The provider that the user chose at the broker's pages.
    private func signInProvider() async -> ProviderID? {
        (try? await sessions())?.first { $0.isCurrent }?.signInProvider
    }
}

extension Account {
    /// Whether the record knows only one sign-in, the one that created the user.
    fileprivate var isNew: Bool { createdAt != nil && createdAt == lastSignInAt }
}

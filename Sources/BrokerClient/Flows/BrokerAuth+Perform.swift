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
        try await current.adopt(
            SignInTokens(
                answer: answer, nonce: nonce, purpose: purpose, expectedUser: session?.userID, provider: provider,
                isAnonymous: isAnonymous))
        let used = answer.provider.map(\.known) ?? provider
        return SignInResult(
            session: try await current.announceSignIn(), provider: used, account: answer.account,
            providerToken: answer.providerToken, isNewUser: purpose == .signIn && answer.isNewUser)
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

    /// A login whose tokens stay apart from the session.
    ///
    /// - Parameter obtain: The flow; it gets the session, with valid tokens.
    /// - Returns: The tokens, verified.
    /// - Throws: ``BrokerAuthError``; the session is unchanged then.
    func loginApart(
        _ obtain: (_ session: StoredSession) async throws(BrokerAuthError) -> ObtainedTokens
    ) async throws(BrokerAuthError) -> VerifiedTokens {
        try receiver.begin()
        defer { receiver.end() }
        let (answer, nonce) = try await obtain(try await current.valid(forcingRefresh: false))
        do throws(BrokerAuthError) {
            let claims = try await endpoints.verify(answer.idToken, nonce: nonce, accessToken: answer.accessToken)
            return VerifiedTokens(answer: answer, claims: claims, receivedAt: environment.now())
        } catch {
            try? await endpoints.revoke(answer.accessToken)
            throw error
        }
    }

    /// The scopes of a login that stays apart: it has no refresh token.
    var scopesApart: [String] { configuration.scopes.filter { $0 != "offline_access" } }
}

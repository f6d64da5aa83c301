import BrokerStore
import OAuth
import ProviderKit

/// The provider of a redirect, and the parameters it receives.
package struct RedirectRequest: Sendable {
    /// The provider's id in `plugins.json`.
    package var provider: String
    /// The redirect URI at the provider.
    package var redirectURI: String
    /// Scopes an app asks for, within the entry's `allowedScopes`.
    package var scopes: [String] = []
    /// The user the app expects.
    package var loginHint: String?
    /// Parameters an app asks for, within the entry's `allowedParameters`.
    package var parameters: [String: String] = [:]
    /// Whether the provider is to ask the user for a new login.
    package var isReauthentication = false

    package init(provider: String, redirectURI: String) {
        self.provider = provider
        self.redirectURI = redirectURI
    }
}

/// A redirect to a provider, which has not happened yet.
package struct StartedRedirect: Sendable {
    /// The URL to redirect the user agent to.
    package let authorizationURL: String
    /// The state that the provider returns; its hash names the browser's cookie.
    package let state: String
}

extension RedirectContext {
    /// Prepares a redirect to a provider: draws state, PKCE verifier and nonce, and stores them with the state of the
    /// flow.
    ///
    /// - Parameters:
    ///   - request: The provider, and the parameters it receives.
    ///   - purpose: The flow that will finish.
    ///   - binding: What the finishing request has to show.
    ///   - payload: The state of the flow, for the finishing request; it may depend on the URL.
    /// - Returns: The redirect.
    /// - Throws: ``BrokerError/unknownProvider(_:)``, ``BrokerError/operationNotAllowed(_:)`` for a provider without a
    ///   page, for scopes and parameters its entry does not allow, and for an app's redirect URI without PKCE; and what
    ///   every call to a provider may throw.
    func startRedirect<Payload>(
        _ request: RedirectRequest, _ purpose: SignInAttempts.Purpose<Payload>, binding: String,
        payload: (_ url: String) -> Payload
    ) async throws -> StartedRedirect {
        guard let provider = providers.current.provider(request.provider) else {
            throw BrokerError.unknownProvider(request.provider)
        }
        return try await startRedirect(request, to: provider, purpose, binding: binding, payload: payload)
    }

    /// The same for an instance of the provider's entry, which may be disabled.
    ///
    /// - Throws: As ``startRedirect(_:_:binding:payload:)``, but for an unknown provider.
    func startRedirect<Payload>(
        _ request: RedirectRequest, to provider: ConfiguredProvider, _ purpose: SignInAttempts.Purpose<Payload>,
        binding: String, payload: (_ url: String) -> Payload
    ) async throws -> StartedRedirect {
        RequestAdmission.note(provider: provider.id)
        guard let redirect = provider.provider as? any RedirectSignIn,
            provider.provider.accepts.contains(.authorizationCode)
        else { throw BrokerError.operationNotAllowed("\(request.provider) has no page to sign in at.") }
        let scopes = try provider.allowance.scopes(request.scopes, configured: redirect.scopes)
        let parameters = try provider.allowance.parameters(request.parameters)
        let appClientID = provider.appClientID(at: request.redirectURI)
        let state = RandomText.secret()
        let verifier = RandomText.secret()
        let nonce = redirect.repeatsNonce ? RandomText.secret() : nil
        let attempt = SignInAttempt(
            state: state, redirectURI: request.redirectURI, codeChallenge: CodeChallenge(of: verifier).text,
            nonce: nonce, scopes: scopes, loginHint: request.loginHint, parameters: parameters,
            isReauthentication: request.isReauthentication, clientID: appClientID)
        let (url, promisesIssuer) = try await provider.ask {
            if appClientID != nil {
                // RFC 8252 §8.1: another app may receive the code, and a public client has no secret.
                guard try await provider.provider.checksCodeVerifier() else {
                    throw BrokerError.operationNotAllowed(
                        "\(request.provider) checks no PKCE verifier, which an app needs.")
                }
            }
            return (
                try await redirect.authorizationURL(for: attempt),
                try await redirect.promisesAuthorizationResponseIssuer()
            )
        }
        try await attempts.insert(
            payload(url), purpose, .init(state: state, binding: binding, provider: provider.id),
            upstream: .init(
                codeVerifier: verifier, nonce: nonce, redirectURI: request.redirectURI, promisesIssuer: promisesIssuer,
                appClientID: appClientID),
            at: now)
        return StartedRedirect(authorizationURL: url, state: state)
    }

    /// The same with a state that does not depend on the URL.
    ///
    /// - Throws: As ``startRedirect(_:_:binding:payload:)``.
    func startRedirect<Payload>(
        _ request: RedirectRequest, _ purpose: SignInAttempts.Purpose<Payload>, binding: String, payload: Payload
    ) async throws -> StartedRedirect {
        try await startRedirect(request, purpose, binding: binding) { _ in payload }
    }
}

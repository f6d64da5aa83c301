import BrokerStore
package import Foundation
import ProviderKit

/// Sends a browser to a provider: makes state, verifier and nonce, and remembers them with what is to happen when it
/// comes back.
package struct StartRedirect: Sendable {
    let attempts: SignInAttempts
    let proof: ProviderProof
    package let now: @Sendable () -> Date

    /// Where a browser goes, and what the provider is told.
    package struct Trip: Sendable {
        /// The provider's id in `plugins.json`.
        package var provider: String
        /// Where the provider sends the browser back to.
        package var redirectURI: String
        /// Scopes an application asks for, within the entry's `allowedScopes`.
        package var scopes: [String] = []
        /// Whom the app expects.
        package var loginHint: String?
        /// Parameters an application asks for, within the entry's `allowedParameters`.
        package var parameters: [String: String] = [:]
        /// Whether the person is to prove anew who they are.
        package var isReauthentication = false

        package init(provider: String, redirectURI: String) {
            self.provider = provider
            self.redirectURI = redirectURI
        }
    }

    /// A trip that has begun.
    package struct Started: Sendable {
        /// Where the browser is to go.
        package let authorizationURL: String
        /// What the provider will send back; names the browser's cookie.
        package let state: String
    }

    /// - Parameters:
    ///   - trip: Where to.
    ///   - purpose: The flow that will finish it.
    ///   - binding: What whoever comes back has to show.
    ///   - request: The flow's own request, for when the browser is back.
    /// - Returns: Where the browser is to go.
    /// - Throws: ``BrokerError/unknownProvider(_:)``, ``BrokerError/operationNotAllowed(_:)`` for a provider without a
    ///   page and for scopes and parameters its entry does not allow, and what every question to a provider may come to.
    package func callAsFunction(
        _ trip: Trip, _ purpose: SignInAttempts.Purpose, binding: String, request: some Encodable & Sendable
    ) async throws -> Started {
        guard let provider = proof.providers.current.provider(trip.provider) else {
            throw BrokerError.unknownProvider(trip.provider)
        }
        guard let redirect = provider.provider as? any RedirectSignIn,
            provider.provider.accepts.contains(.authorizationCode)
        else { throw BrokerError.operationNotAllowed("\(trip.provider) has no page to sign in at.") }
        let scopes = try provider.allowance.scopes(trip.scopes, configured: redirect.scopes)
        let parameters = try provider.allowance.parameters(trip.parameters)
        let state = RandomText.secret()
        let verifier = RandomText.secret()
        let nonce = redirect.repeatsNonce ? RandomText.secret() : nil
        let attempt = SignInAttempt(
            state: state, redirectURI: trip.redirectURI, codeChallenge: CodeChallenge(of: verifier).text, nonce: nonce,
            scopes: scopes, loginHint: trip.loginHint, parameters: parameters,
            isReauthentication: trip.isReauthentication)
        let (url, promisesIssuer) = try await proof.asking(provider) {
            (
                try await redirect.authorizationURL(for: attempt),
                try await redirect.promisesAuthorizationResponseIssuer()
            )
        }
        let text = String(decoding: try JSONEncoder().encode(request), as: UTF8.self)
        try await attempts.keep(
            .init(
                codeVerifier: verifier, nonce: nonce, redirectURI: trip.redirectURI, promisesIssuer: promisesIssuer,
                request: text),
            state: state, binding: binding, purpose: purpose, provider: provider.id, at: now())
        return Started(authorizationURL: url, state: state)
    }
}

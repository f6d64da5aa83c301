import BrokerStore
import OAuth
import ProviderKit

/// A prepared redirect, with the cookie that ties the provider's answer to this browser.
package struct StartedBrowserSignIn: Sendable {
    package let authorizationURL: String
    package let cookieName: String
    package let cookieValue: String

    /// One cookie for each redirect, so that two tabs do not overwrite each other's.
    static func cookieName(stateHash: [UInt8]) -> String {
        "flow-" + Hexadecimal.encode(stateHash.prefix(4))
    }
}

extension RedirectContext {
    /// Prepares the redirect of an interaction to its provider.
    ///
    /// - Throws: As for every redirect to a provider.
    package func startBrowserSignIn(_ interaction: Interaction) async throws -> StartedBrowserSignIn {
        guard let provider = interaction.provider else { throw BrokerError.signInAttemptUnknown }
        var request = RedirectRequest(
            provider: provider, redirectURI: ConfiguredProvider.callbackURL(of: provider, at: providers.publicURL))
        request.loginHint = interaction.loginHint
        request.scopes = interaction.providerScopes
        let interaction = interaction.atProvider
        request.isReauthentication = interaction.requiresNewLogin
        let binding = RandomText.secret()
        let started = try await startRedirect(request, .browser, binding: binding, payload: interaction)
        return StartedBrowserSignIn(
            authorizationURL: started.authorizationURL,
            cookieName: StartedBrowserSignIn.cookieName(stateHash: RandomText.hash(of: started.state)),
            cookieValue: binding)
    }
}

extension SignInAttempts.Purpose where Payload == Interaction {
    /// A sign-in of the hosted pages; bound to a cookie.
    static var browser: Self { Self("browser") }
}

extension Interaction {
    /// The interaction with the goal that a client's request has at the provider.
    fileprivate var atProvider: Interaction {
        guard case .authorize(let request) = continuation, goal == .signIn else { return self }
        var interaction = self
        interaction.expectedUser = request.expectedUser
        if request.wants(.link) {
            interaction.goal = .linkForClient
        } else if request.expectedUser != nil {
            interaction.goal = .reauthenticate
        }
        return interaction
    }

    /// The client's `login_hint`; none where the hosted pages require the login of a known user.
    fileprivate var loginHint: String? {
        guard case .authorize(let request) = continuation, goal == .signIn else { return nil }
        return request.loginHint
    }

    /// The scopes that the client asks its provider for.
    fileprivate var providerScopes: [String] {
        guard case .authorize(let request) = continuation, request.provider == provider else { return [] }
        return request.providerScopes ?? []
    }

    /// Whether the provider is asked for a new login, as far as it supports that.
    fileprivate var requiresNewLogin: Bool {
        guard goal == .signIn else { return goal != .prove || requiresLogin == true }
        if requiresLogin == true { return true }
        // A login of hours ago would not be recent enough for linking the pending identity.
        guard pendingToken == nil else { return true }
        guard case .authorize(let request) = continuation else { return false }
        return request.wants(.login) || request.wants(.selectAccount) || request.maxAge != nil
    }
}

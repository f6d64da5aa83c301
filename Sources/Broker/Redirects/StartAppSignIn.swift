import BrokerStore
import OAuth
import ProviderKit

/// A sign-in through the browser, as an app asks for it.
package struct AppSignInRequest: Sendable {
    package var redirect: RedirectRequest
    /// The session id that the app will present again; `nil` draws one.
    package var sessionID: String?
    /// The app's state, returned with the outcome.
    package var context: String?
    /// Of the only user that may sign in.
    package var idToken: String?

    package init(_ redirect: RedirectRequest) {
        self.redirect = redirect
    }
}

/// A sign-in of an app that has begun.
package struct StartedAppSignIn: Sendable {
    /// The URL to redirect the user agent to.
    package let authorizationURL: String
    /// The state that the provider returns.
    package let state: String
    /// The secret that the app presents with the provider's answer: a session id of Identity Toolkit, or a handle.
    package let sessionID: String
}

extension RedirectContext {
    /// Begins a sign-in through the browser for an app of Identity Toolkit (contract §2.4 b): the app shows the
    /// provider's page, and the provider's answer comes back through the app.
    ///
    /// - Throws: ``BrokerError`` of the ID token's verification and of the provider.
    package func startAppSignIn(_ request: AppSignInRequest) async throws -> StartedAppSignIn {
        var expectedUser: String?
        if let idToken = request.idToken {
            expectedUser = try await sessions.verifier.session(behind: idToken, at: now).user.localID
        }
        let sessionID = request.sessionID ?? RandomText.alphanumeric(27)
        let started = try await startRedirect(
            request.redirect, .identityToolkit, binding: sessionID,
            payload: AppSignInState(
                context: request.context, expectedUser: expectedUser,
                isReauthentication: request.redirect.isReauthentication))
        return StartedAppSignIn(authorizationURL: started.authorizationURL, state: started.state, sessionID: sessionID)
    }

    /// Begins a sign-in at a provider for a native client, which opens the provider's app or page itself and receives the
    /// answer at a redirect URI of its own (RFC 8252 §7). State, nonce and PKCE verifier stay here.
    ///
    /// - Parameters:
    ///   - redirect: The provider, and the redirect URI that its entry registers for the app.
    ///   - clientID: The authenticated client.
    ///   - user: The `localId` of the signed-in user, for everything but a sign-in.
    /// - Returns: The sign-in, with a handle of 256 random bits for this client.
    /// - Throws: ``BrokerError/unknownProvider(_:)``; ``BrokerError/operationNotAllowed(_:)`` for a redirect URI that is no
    ///   app's at the provider; and what ``startRedirect(_:_:binding:payload:)`` throws.
    func startAppSignIn(
        _ redirect: RedirectRequest, by clientID: String, for user: String?
    ) async throws -> StartedAppSignIn {
        guard let provider = providers.current.provider(redirect.provider) else {
            throw BrokerError.unknownProvider(redirect.provider)
        }
        guard provider.appClientID(at: redirect.redirectURI) != nil else {
            throw BrokerError.operationNotAllowed("The entry of \(provider.id) has no such redirect URI of an app.")
        }
        let handle = RandomText.secret()
        let started = try await startRedirect(
            redirect, .nativeClient, binding: AppSignInState.binding(handle: handle, clientID: clientID),
            payload: AppSignInState(
                context: nil, expectedUser: user, isReauthentication: redirect.isReauthentication))
        return StartedAppSignIn(authorizationURL: started.authorizationURL, state: started.state, sessionID: handle)
    }
}

/// The state of an app's sign-in through the browser; sealed while the user is at the provider.
package struct AppSignInState: Codable, Sendable {
    let context: String?
    /// The only user that may sign in.
    let expectedUser: String?
    /// Whether a user that exists has to come of it.
    let isReauthentication: Bool

    /// Whether it was begun for this user; nil is for none.
    func isFor(_ user: String?) -> Bool {
        guard let user, let expectedUser else { return user == nil && expectedUser == nil }
        return user.hasSameBytes(as: expectedUser)
    }

    /// The binding of a native client's attempt: no other client finishes it with the same handle.
    static func binding(handle: String, clientID: String) -> String { "\(clientID) \(handle)" }
}

extension SignInAttempts.Purpose where Payload == AppSignInState {
    /// A sign-in of an app by Identity Toolkit; bound to the session id that `createAuthUri` returned.
    static var identityToolkit: Self { Self("identity-toolkit") }

    /// A sign-in of a native client at a provider; bound to the client and its handle.
    static var nativeClient: Self { Self("native-client") }
}

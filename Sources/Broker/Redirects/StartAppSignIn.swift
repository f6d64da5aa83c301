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
    /// The session id that the app presents with the provider's answer.
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
}

/// The state of an app's sign-in through the browser; sealed while the user is at the provider.
package struct AppSignInState: Codable, Sendable {
    let context: String?
    /// The only user that may sign in.
    let expectedUser: String?
    /// Whether a user that exists has to come of it.
    let isReauthentication: Bool
}

extension SignInAttempts.Purpose where Payload == AppSignInState {
    /// A sign-in of an app by Identity Toolkit; bound to the session id that `createAuthUri` returned.
    static var identityToolkit: Self { Self("identity-toolkit") }
}

public import Foundation

extension BrokerAuth {
    /// Takes a URL that the system passed to the app, such as in SwiftUI's `onOpenURL`.
    ///
    /// The redirect of the sign-in that is under way ends its wait. The redirect of one that began before the app was ended
    /// completes it: ``events`` tells the outcome. Any other URL at a redirect URI of the app is dropped, since it may
    /// contain a code; a foreign `state` ends no sign-in.
    ///
    /// - Parameter url: Any URL.
    /// - Returns: Whether it is at a redirect URI of the app, by scheme, host and path. The app's own navigation gets the
    ///   other URLs only.
    public func handle(_ url: URL) -> Bool {
        do throws(BrokerAuthError) {
            try receiver.deliver(url)
            return true
        } catch {
            guard configuration.isRedirect(url) else { return false }
            if error == .noPendingRequest {
                Task {
                    do throws(BrokerAuthError) {
                        _ = try await resumeSignIn(with: url)
                    } catch .noPendingRequest, .alreadyInProgress {
                        // Any page and any app can make such a URL, also while a sign-in is under way.
                    } catch {
                        current.events.send(.signInFailed(error))
                    }
                }
            }
            return true
        }
    }

    /// Takes the redirect of the sign-in that is under way, with an error when there is none.
    ///
    /// - Parameter url: The redirect.
    /// - Throws: ``BrokerAuthError/noPendingRequest``, ``BrokerAuthError/unexpectedRedirect``,
    ///   ``BrokerAuthError/stateMismatch``; the sign-in goes on.
    public func resume(with url: URL) throws(BrokerAuthError) { try receiver.deliver(url) }

    /// Completes a sign-in, link or reauthentication that began before the system ended the app, for up to ten minutes.
    /// ``handle(_:)`` does so by itself; call this one instead where the result matters.
    ///
    /// - Parameter url: The redirect.
    /// - Returns: The session and what the provider says.
    /// - Throws: ``BrokerAuthError/noPendingRequest`` when the URL answers none that is stored, and
    ///   ``BrokerAuthError/alreadyInProgress``: nothing has changed then. After any other ``BrokerAuthError`` the sign-in
    ///   is over.
    public func resumeSignIn(with url: URL) async throws(BrokerAuthError) -> SignInResult {
        try receiver.checkIdle()
        guard let pending = try await pendingSignIns.take(answeredBy: url, at: environment.now()) else {
            throw .noPendingRequest
        }
        let provider = pending.provider.map(ProviderID.init(rawValue:))
        return try await perform(pending.purpose, provider: provider) { session throws(BrokerAuthError) in
            guard session?.userID == pending.userID else {
                throw .server(code: "USER_MISMATCH", message: "The session is another user's now.")
            }
            return try await flow.tokens(for: pending, redirect: url, session)
        }
    }
}

/// A change of the session, in ``BrokerAuth/events``.
public enum SessionEvent: Sendable, Hashable {
    /// A user signed in, upgraded, linked a provider or reauthenticated.
    case signedIn(AuthSession)
    /// A sign-in, link or reauthentication that ``BrokerAuth/handle(_:)`` completed after a restart of the app failed. The
    /// session is unchanged.
    case signInFailed(BrokerAuthError)
    /// The session has new tokens.
    case refreshed(AuthSession)
    /// The broker merged a user of this device into the session's user; the ``AccountDataHandler`` has finished.
    ///
    /// - Parameters:
    ///   - from: The id of the former user.
    ///   - into: The id of the session's user.
    case merged(from: String, into: String)
    /// The merge of the session's user and another one was undone; the ``AccountDataHandler`` has finished.
    ///
    /// - Parameters:
    ///   - other: The id of the other user.
    ///   - from: The id of the session's user.
    case separated(_ other: String, from: String)
    /// The session ended.
    case signedOut(SignOutReason)
}

/// The reason a session ended.
public enum SignOutReason: Sendable, Hashable {
    /// The app called ``BrokerAuth/signOut()`` or ``BrokerAuth/signOutEverywhere()``.
    case requested
    /// The account was deleted.
    case accountDeleted
    /// The broker refused the refresh token: the session was revoked or has expired, or the user is disabled.
    case endedByBroker
    /// Another process with the same storage signed out.
    case endedByAnotherProcess
}

/// Whether a user is signed in, in ``BrokerAuth/states``.
public enum SessionState: Sendable, Hashable {
    /// The stored session has not been read yet, or cannot be read now.
    case restoring
    /// No user is signed in.
    case signedOut
    /// A user is signed in.
    case signedIn(AuthSession)

    /// The session, or nil.
    public var session: AuthSession? { if case .signedIn(let session) = self { session } else { nil } }
}

/// The app's part when the broker merges users or an anonymous user gets an identity: moves the data that this device
/// holds.
///
/// The calls come in the order in which they are declared, each after the one before has succeeded. What is left to do is
/// stored beside the session, which it outlives: after an error or a crash the call is repeated at the next start, refresh or
/// sign-in. That a call has returned is stored before the next one begins, and then it is not repeated; but a process can
/// end between the two, so every call must be repeatable without harm: moving what was moved already moves nothing.
/// Sign-in and ``BrokerAuth/restore()`` wait for the calls, so a call must not begin a sign-in itself.
public protocol AccountDataHandler: Sendable {
    /// Moves the local data of a user to the user who replaces them. It is called on each device that was signed in as that
    /// user, however long ago.
    ///
    /// - Parameters:
    ///   - oldUserID: The id under which the data is stored on this device.
    ///   - userID: The id of the session's user.
    /// - Throws: Any error, to repeat the call later.
    func migrate(from oldUserID: String, to userID: String) async throws

    /// Assigns the data of users who were merged into the session's user, where the app has any. This device was not signed
    /// in as any of them.
    ///
    /// - Parameters:
    ///   - subjects: The ids of the former users.
    ///   - userID: The id of the session's user.
    /// - Throws: Any error, to repeat the call later.
    func absorb(_ subjects: [String], into userID: String) async throws

    /// Uploads what the user created while anonymous. That this is due is stored until the call returns.
    ///
    /// - Parameter userID: The id of the session's user, who is not anonymous any more.
    /// - Throws: Any error, to repeat the call later.
    func uploadAnonymousData(of userID: String) async throws

    /// Takes note that an administrator has undone the merge of two users, on a device that has moved or held data of
    /// the other one. Only the app knows which data belongs to which user; the default does nothing.
    ///
    /// - Parameters:
    ///   - otherUserID: The id of the other user.
    ///   - userID: The id of the session's user.
    /// - Throws: Any error, to repeat the call later.
    func separate(_ otherUserID: String, from userID: String) async throws
}

extension AccountDataHandler {
    /// Does nothing.
    public func separate(_ otherUserID: String, from userID: String) async throws {}
}

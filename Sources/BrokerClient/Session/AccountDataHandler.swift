/// The app's part when the broker merges users or an anonymous user gets an identity: moves the data that this device
/// holds.
///
/// The calls come in the order in which they are declared, each after the one before has succeeded. What is left to do
/// is stored with the session: after an error or a crash the call is repeated at the next start, refresh or sign-in, so
/// every call must be idempotent. Sign-in and ``BrokerAuth/restore()`` wait for the calls, so a call must not begin a
/// sign-in itself.
public protocol AccountDataHandler: Sendable {
    /// Moves the local data of a user to the user who replaces them.
    ///
    /// - Parameters:
    ///   - oldUserID: The id under which the data is stored on this device.
    ///   - userID: The id of the session's user.
    /// - Throws: Any error, to repeat the call later.
    func migrate(from oldUserID: String, to userID: String) async throws

    /// Assigns the data of users who were merged into the session's user, where the app has any.
    ///
    /// - Parameters:
    ///   - subjects: The ids of the former users.
    ///   - userID: The id of the session's user.
    /// - Throws: Any error, to repeat the call later.
    func absorb(_ subjects: [String], into userID: String) async throws

    /// Uploads what the user created while anonymous. The session remembers that this is due until the call returns.
    ///
    /// - Parameter userID: The id of the session's user, who is not anonymous any more.
    /// - Throws: Any error, to repeat the call later.
    func uploadAnonymousData(of userID: String) async throws
}

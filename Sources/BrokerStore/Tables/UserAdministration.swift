/// The statements by which users are switched off, taken apart and removed.
enum UserAdministrationStatements {
    static let setDisabled = Statement(
        "set_user_disabled", "UPDATE users SET disabled = $2 WHERE key = $1 AND disabled <> $2 RETURNING key",
        .integer, .integer)

    static let delete = Statement("delete_user", "DELETE FROM users WHERE key = $1 RETURNING key", .integer)

    static let unlink = Statement(
        "delete_identity_of_user", "DELETE FROM identities WHERE user_key = $1 AND provider = $2 RETURNING key",
        .integer, .text)

    static let all = [setDisabled, delete, unlink]
}

extension Transaction {
    /// Switches a user off or on again.
    ///
    /// - Returns: false if nothing had to change, or the user is gone.
    package func setDisabled(_ isDisabled: Bool, userKey: Int64) throws(StoreError) -> Bool {
        try !run(UserAdministrationStatements.setDisabled, .integer(userKey), .flag(isDisabled)).isEmpty
    }

    /// Removes a user with identities, sessions and provider grants. What happened stays on record.
    ///
    /// - Returns: false if the user is gone already.
    package func deleteUser(key: Int64) throws(StoreError) -> Bool {
        try !run(UserAdministrationStatements.delete, .integer(key)).isEmpty
    }

    /// Removes a user's identity of one provider, with the provider grants that came with it.
    ///
    /// - Returns: false if the user has none of that provider.
    package func unlinkIdentity(of userKey: Int64, provider: String) throws(StoreError) -> Bool {
        try !run(UserAdministrationStatements.unlink, .integer(userKey), .text(provider)).isEmpty
    }
}

/// The statements that disable and enable users.
enum UserAdministrationStatements {
    static let setDisabled = Statement(
        "set_user_disabled", "UPDATE users SET disabled = $2 WHERE key = $1 AND disabled <> $2 RETURNING key",
        .integer, .integer)

    static let all = [setDisabled]
}

extension Transaction {
    /// Disables or enables a user. The clients of a disabled user's sessions get logout tokens.
    ///
    /// - Returns: false if nothing had to change, or the user is gone.
    package func setDisabled(_ isDisabled: Bool, userKey: Int64) throws(StoreError) -> Bool {
        guard try !run(UserAdministrationStatements.setDisabled, .integer(userKey), .flag(isDisabled)).isEmpty else {
            return false
        }
        if isDisabled { try queueLogouts(ofUser: userKey) }
        return true
    }
}

/// The statements for what only administrators change of users.
enum UserAdministrationStatements {
    static let setDisabled = Statement(
        "set_user_disabled", "UPDATE users SET disabled = $2 WHERE key = $1 AND disabled <> $2 RETURNING key",
        .integer, .integer)

    static let setFields = Statement(
        "set_administered_user_fields",
        "UPDATE users SET custom_attributes = $2, created_at = $3, last_login_at = $4 WHERE key = $1",
        .integer, .text, .integer, .integer)

    static let all = [setDisabled, setFields]
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

    /// Replaces the fields that only administrators change; what is nil is cleared.
    package func setAdministeredFields(
        of userKey: Int64, customAttributes: String?, createdAt: Timestamp, lastLoginAt: Timestamp?
    ) throws(StoreError) {
        try run(
            UserAdministrationStatements.setFields, .integer(userKey), .text(orNull: customAttributes),
            .time(createdAt), .time(orNull: lastLoginAt))
    }
}

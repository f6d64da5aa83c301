/// What only administrators change of users.
extension Transaction {
    /// Disables or enables a user. The clients of a disabled user's sessions get logout tokens.
    ///
    /// - Returns: false if nothing had to change, or the user is gone.
    package func setDisabled(_ isDisabled: Bool, userKey: Int64) throws(StoreError) -> Bool {
        let hasChanged =
            try run(
                "set_user_disabled", "UPDATE users SET disabled = $2 WHERE key = $1 AND disabled <> $2",
                .integer(userKey), .flag(isDisabled)) > 0
        if hasChanged, isDisabled { try queueLogouts(ofUser: userKey) }
        return hasChanged
    }

    /// Writes the fields of a user that administrators set (``UserField/isAdministered``).
    package func writeAdministeredFields(of user: User) throws(StoreError) {
        try run(UserField.administration, values: [.integer(user.key)] + UserField.administered.map { user[$0] })
    }
}

/// The statement that replaces a user as a whole.
enum UserReplacementStatements {
    static let replace = Statement(
        "replace_user",
        """
        UPDATE users SET email = $2, email_canonical = $3, email_verified = $4, email_asserted_by = $5,
            email_asserted_at = $6, display_name = $7, photo_url = $8, screen_name = $9, disabled = $10,
            custom_attributes = $11, custom_auth = $12, initial_email = $13, created_at = $14, last_login_at = $15,
            last_refresh_at = $16
        WHERE key = $1
        """,
        .integer, .text, .text, .integer, .text, .integer, .text, .text, .text, .integer, .text, .integer, .text,
        .integer, .integer, .integer)

    static let all = [replace]
}

extension Transaction {
    /// Replaces everything about a user but the local id and the epoch. No other user holds the address, which is for the
    /// caller to make sure of in the same transaction.
    package func replace(_ user: User) throws(StoreError) {
        // Without the local id, valid_since and the epoch.
        let values = user.values
        try run(UserReplacementStatements.replace, values: [values[0]] + values[2..<17])
    }
}

extension Migration {
    /// The requesters that rows of unfinished sign-ins count against; empty for rows of earlier brokers.
    static let requesters = Migration(
        version: 18, name: "requesters",
        statements: [
            "ALTER TABLE sign_in_attempts ADD COLUMN requester broker_text NOT NULL DEFAULT ''",
            "CREATE INDEX sign_in_attempts_requester ON sign_in_attempts (requester, key)",
            "ALTER TABLE device_authorizations ADD COLUMN requester broker_text NOT NULL DEFAULT ''",
            "CREATE INDEX device_authorizations_requester ON device_authorizations (requester, key)",
        ])
}

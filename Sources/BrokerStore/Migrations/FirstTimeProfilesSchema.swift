extension Migration {
    /// First-time profiles, stored before a sign-in can fail.
    static let firstTimeProfiles = Migration(
        version: 6, name: "first-time profiles",
        statements: [
            """
            CREATE TABLE first_time_profiles (
                key bigint PRIMARY KEY,
                provider broker_text NOT NULL,
                issuer broker_text NOT NULL,
                subject broker_text NOT NULL,
                given_name broker_text,
                family_name broker_text,
                email broker_text,
                email_verified bigint NOT NULL CHECK (email_verified IN (0, 1)),
                captured_at bigint NOT NULL,
                UNIQUE (provider, issuer, subject)
            )
            """
        ])
}

extension Migration {
    /// Work that one broker at a time does for all.
    static let leases = Migration(version: 9, name: "leases", statements: [leasesTable])

    private static let leasesTable = """
        CREATE TABLE leases (
            name broker_text PRIMARY KEY,
            holder broker_text NOT NULL,
            expires_at bigint NOT NULL,
            position bigint
        )
        """
}

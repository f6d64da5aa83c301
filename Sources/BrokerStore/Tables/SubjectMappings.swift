/// How a provider entry turns the provider's accounts into the subjects of identities.
///
/// Every identity of an entry has the ``issuer`` of the mapping under which it was made, which is its version of the
/// mapping: subjects of two mappings never meet.
package struct SubjectMapping: Sendable, Hashable {
    /// The id of the entry.
    package var provider: String
    /// 1, 2, 3, … for each entry.
    package var version: Int64
    /// The namespace of the subjects, as the plugin names it.
    package var instance: String
    /// The rule by which the entry's options select the subject; empty where they select none.
    package var rule: String
    /// The issuer of the identities; unique for each entry.
    package var issuer: String
    /// Whether new identities have it. One of each entry has.
    package var isInForce: Bool
    package var createdAt: Timestamp
    /// Whether identities or administrators of the console have it, when it was read.
    package var isUsed: Bool

    package init(
        provider: String, version: Int64, instance: String, rule: String, issuer: String, isInForce: Bool = true,
        createdAt: Timestamp, isUsed: Bool = false
    ) {
        self.provider = provider
        self.version = version
        self.instance = instance
        self.rule = rule
        self.issuer = issuer
        self.isInForce = isInForce
        self.createdAt = createdAt
        self.isUsed = isUsed
    }
}

extension Transaction {
    /// All mappings, those of one entry in the order of their versions.
    package func subjectMappings() throws(StoreError) -> [SubjectMapping] {
        try rows(
            "subject_mappings",
            """
            SELECT provider, version, instance, subject_rule, issuer, in_force, created_at,
                CASE WHEN EXISTS (
                    SELECT 1 FROM identities
                    WHERE identities.provider = subject_mappings.provider
                        AND identities.issuer = subject_mappings.issuer
                ) OR EXISTS (
                    SELECT 1 FROM console_administrators
                    WHERE console_administrators.provider = subject_mappings.provider
                        AND console_administrators.issuer = subject_mappings.issuer
                ) THEN 1 ELSE 0 END
            FROM subject_mappings ORDER BY provider, version
            """
        ) { row throws(StoreError) in
            try SubjectMapping(
                provider: row.text(), version: row.integer(), instance: row.text(), rule: row.text(),
                issuer: row.text(), isInForce: row.flag(), createdAt: row.time(), isUsed: row.flag())
        }
    }

    /// Puts a mapping in force, a new one or a known version, instead of the entry's present one.
    package func putInForce(_ mapping: SubjectMapping) throws(StoreError) {
        try run(
            "retire_subject_mappings", "UPDATE subject_mappings SET in_force = 0 WHERE provider = $1 AND in_force = 1",
            .text(mapping.provider))
        try run(
            "put_subject_mapping",
            """
            INSERT INTO subject_mappings (provider, version, instance, subject_rule, issuer, in_force, created_at)
            VALUES ($1, $2, $3, $4, $5, 1, $6)
            ON CONFLICT (provider, version) DO UPDATE SET instance = excluded.instance,
                subject_rule = excluded.subject_rule, issuer = excluded.issuer, in_force = 1
            """, .text(mapping.provider), .integer(mapping.version), .text(mapping.instance), .text(mapping.rule),
            .text(mapping.issuer), .time(mapping.createdAt))
    }
}

/// One step of the schema's history. Never edited once it was released; a mistake is mended by the next one.
package struct Migration: Sendable, Hashable {
    /// 1, 2, 3, … without gaps.
    package let version: Int64
    package let name: String
    /// DDL that both engines understand. `broker_text` is text compared byte by byte; an engine may add to a
    /// `CREATE TABLE`, which therefore begins with these words and ends with its parenthesis.
    package let statements: [String]
    /// Whether older brokers can work on the migrated schema, because the migration only adds to it
    /// (Docs/Decisions/0009-rolling-upgrades.md).
    package let keepsOlderBrokers: Bool

    package init(version: Int64, name: String, statements: [String], keepsOlderBrokers: Bool = true) {
        self.version = version
        self.name = name
        self.statements = statements
        self.keepsOlderBrokers = keepsOlderBrokers
    }

    /// All migrations in order.
    package static let all: [Migration] = [
        .initialSchema, .pendingTokens, .identitiesByEmail, .decisionsByRequest, .usedIDTokens,
        .firstTimeProfiles, .mergedIdentities, .schemaRequirements, .leases, .transfers, .sessionFamilies,
        .signInAttempts, .clients, .authorizationCodes, .deviceAuthorizations, .clientPKCE, .sessionUse,
        .requesters, .pendingTokenBinding, .sessionDevices,
        .grantState,
        .authenticationContext,
        .withdrawals,
        .vaultKeys,
        .mergeHistory,
        .providerEvents,
        .subjectMigrations,
        .adminCredentials,
        .clientProviderTokens,
        .providerDevices,
        .grantProbes,
        .providerEntries,
        .auditChain,
        .rateCounts,
        .events,
        .serviceAccounts,
        .userLookup,
        .subjectMappings,
        .auditRecord,
        .sessionIndexes, .firstPartyClients, .mergedDevices,
        .clientLogos, .editedProfiles, .signInIndexes, .userWords,
        .refusals, .console, .brokerVersions, .usedIDTokenWalk,
        .decisionsByTime,
    ]

    /// The table of applied migrations, created before the first of them.
    package static let table = """
        CREATE TABLE IF NOT EXISTS schema_migrations (
            version bigint PRIMARY KEY,
            name broker_text NOT NULL,
            applied_at bigint NOT NULL
        )
        """
}

/// The statements of `schema_migrations`, which engines also run before there is a store.
enum MigrationStatements {
    static let version = Statement("schema_version", "SELECT coalesce(max(version), 0) FROM schema_migrations")

    static let requirement = Statement(
        "schema_requirement", "SELECT coalesce(max(coalesce(oldest_broker, version)), 0) FROM schema_migrations")
}

extension Transaction {
    /// The version of the last migration that was applied.
    package func schemaVersion() throws(StoreError) -> Int64 {
        try value(MigrationStatements.version) { row throws(StoreError) in try row.integer() } ?? 0
    }
}

extension TableDefinition {
    /// Every table that is copied, parents before their children.
    package static let all: [TableDefinition] = [
        settings, masterKeys, wrappedKeys, signingKeys, users, identities, identityAliases, providerGrants, sessions,
        pendingTokens, signInAttempts, usedIDTokens, firstTimeProfiles, pendingMerges, userAliases, userWords,
        accountNotices, noticeDeliveries, mergeSnapshots, clients, clientLogos, authorizationCodes,
        deviceAuthorizations, withdrawals, providerEvents, providerFeeds,
        refusedSignatureKeys, probePauses, subjectMigrations, migratingSubjects, adminCredentials, serviceAccounts,
        serviceAccountKeys, providerDevices, providerEntries, subjectMappings, webhooks, eventDeliveries,
        eventSequences, audit, auditAnchors, decisions, refusals, outcomeCounts,
        consoleAdministrators, consoleSessions,
    ]

    /// The tables about the store itself, which are not copied.
    package static let ofTheStoreItself = ["key_holders", "leases", "rate_counts", "schema_migrations", "transfers"]

    /// The table with this name.
    package static func named(_ name: String) -> TableDefinition? { all.first { $0.name == name } }
}

extension BrokerCore {
    /// The flows of administrative operations.
    package var administration: AdminFlows {
        AdminFlows(
            configuration: configuration, store: store, now: now, explain: explain, createUser: createUser,
            findUsers: findUsers, updateAccount: updateAccount, disableUser: disableUser,
            deleteAccount: deleteAccount, unlink: unlink, listSessions: listSessions, revokeSessions: revokeSessions,
            withdrawals: withdrawals, revokeGrants: revokeGrants, mergeAccounts: mergeAccounts, undoMerge: undoMerge,
            clients: openID.clients, adminCredentials: adminCredentials, serviceAccounts: serviceAccounts,
            signingKeys: [signingKeys, openID.signingKeys], rotateSigningKeys: rotateSigningKeys,
            inspectToken: inspectToken, providers: providerConfiguration, manageProviders: manageProviders,
            checkProvider: checkProvider,
            resumeProbes: resumeProbes, events: events, importUsers: importUsers, userBatches: userBatches,
            verifyAudit: verifyAudit)
    }
}

/// Every statement the project may run; each is PREPAREd on both engines by the tests.
package enum StatementCatalogue {
    /// All of them, table by table.
    package static let all: [Statement] =
        MigrationStatements.all + UserStatements.all + UserPageStatements.all
        + UserOrderStatements.all + UserReplacementStatements.all + IdentityStatements.all + SessionStatements.all
        + SessionListStatements.all + OpenTableStatements.all
        + ProviderGrantStatements.all + GrantRefreshStatements.all + GrantProbeStatements.all
        + WithdrawalStatements.all + EventStatements.all + WebhookStatements.all + SigningKeyStatements.all
        + AuditStatements.all + AuditChainStatements.all + ErasureStatements.all
        + DecisionStatements.all
        + SettingStatements.all + RowKeyStatements.all + SingleUseStatements.all + PendingTokenStatements.all
        + UserAdministrationStatements.all
        + UsedIDTokenStatements.all + FirstTimeProfileStatements.all
        + IdentityAliasStatements.all + PendingMergeStatements.all + MergedSessionStatements.all
        + UserAliasStatements.all + AccountNoticeStatements.all + MergeSnapshotStatements.all
        + LeaseStatements.all + SignInAttemptStatements.all + SessionAgeStatements.all + SessionVisitStatements.all
        + TransferStatements.all
        + ClientStatements.all + AuthorizationCodeStatements.all + DeviceAuthorizationStatements.all
        + AdminCredentialStatements.all + ProviderEntryStatements.all + ServiceAccountStatements.all
        + ProviderDeviceStatements.all + SubjectMappingStatements.all + ProviderUseStatements.all
        + TableStatements.all + SealedColumn.statements
        + MasterKeyStatements.all + WrappedKeyStatements.all + KeyHolderStatements.all
        + ProviderEventStatements.all + IdentityReportStatements.all
        + SubjectMigrationJobStatements.all + MigratingSubjectStatements.all
        + RateCountStatements.all
        + InvariantStatements.all
}

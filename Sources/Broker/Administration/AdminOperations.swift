/// All administrative operations. The routes, the command line and the API's description read this list.
package enum AdminOperations {
    package static let all: [any AdminOperation.Type] = [
        WhoAmI.self, ShowStatus.self, CreateAdminToken.self, ListAdminTokens.self, RevokeAdminToken.self,
        CreateServiceAccount.self, ListServiceAccounts.self, RotateServiceAccountKey.self,
        RevokeServiceAccount.self,
        ListConsoleAdministrators.self, SetConsoleRole.self, RemoveConsoleAdministrator.self,
        ListUsers.self, SearchUsers.self, ShowUser.self, FindUsersOperation.self, CreateUserOperation.self,
        UpdateUser.self,
        SetUserClaims.self, DisableUserOperation.self, EnableUserOperation.self, DeleteUser.self,
        UnlinkIdentity.self, ExplainDecisions.self, ListRefusals.self, ShowTimeline.self,
        ShowStatistics.self,
        ListUserSessions.self, RevokeSession.self, RevokeUserSessions.self,
        ListMerges.self, ShowMerge.self, ApproveMerge.self, DismissMerge.self, UndoMergeOperation.self,
        ListWithdrawals.self, ShowWithdrawal.self, CreateWithdrawals.self, RetryWithdrawal.self,
        RetryParkedWithdrawals.self, DropWithdrawal.self,
        ListClients.self, ShowClient.self, CheckClient.self, ClientPropertyList.self, AddClient.self, UpdateClient.self,
        RotateClientSecret.self, RemoveClient.self,
        ListProviders.self, SearchCatalogue.self, ShowProvider.self, AddProvider.self, UpdateProvider.self,
        EnableProvider.self, DisableProvider.self, RemoveProvider.self, CheckProviderOperation.self,
        ResumeProviderProbes.self, StartTrial.self, FinishTrial.self,
        ListSigningKeys.self, RotateSigningKeysOperation.self, InspectTokenOperation.self,
        ListWebhooks.self, AddWebhook.self, RemoveWebhook.self, RotateWebhookSecret.self, EnableWebhook.self,
        DisableWebhook.self, TestWebhook.self,
        ListEvents.self, ReplayEvents.self, DropEvents.self,
        ImportUserPage.self, ExportUserPage.self,
        ListAudit.self, FollowAudit.self, VerifyAuditChain.self,
    ]
}

import ArgumentParser
import Broker

/// A command that runs administrative operations.
protocol OperationsCommand: AsyncParsableCommand {
    /// What it runs, besides operations that tell what a question is about.
    static var operations: [any AdminOperation.Type] { get }
}

extension OperationCommand: OperationsCommand {
    static var operations: [any AdminOperation.Type] { [Operation.self] }
}

// The commands with a face of their own, and why they have one.

// A provider's entry is made of many options, and secrets are read from files.
extension ProvidersCommand.Add: OperationsCommand {
    static let operations: [any AdminOperation.Type] = [AddProvider.self]
}

extension ProvidersCommand.Update: OperationsCommand {
    static let operations: [any AdminOperation.Type] = [UpdateProvider.self]
}

// Each provider's findings are shown when its check ends. `providers remove` asks with what `providers.show` tells.
extension ProvidersCommand.Check: OperationsCommand {
    static let operations: [any AdminOperation.Type] = [
        ListProviders.self, ShowProvider.self, CheckProviderOperation.self,
    ]
}

// A user signs in between the two.
extension ProvidersCommand.Try: OperationsCommand {
    static let operations: [any AdminOperation.Type] = [StartTrial.self, FinishTrial.self]
}

// All pages can be shown as one.
extension UsersCommand.List: OperationsCommand {
    static let operations: [any AdminOperation.Type] = [ListUsers.self]
}

// An identity is one word.
extension UsersCommand.Find: OperationsCommand {
    static let operations: [any AdminOperation.Type] = [FindUsersOperation.self]
}

// It shows the claims or replaces them.
extension UsersCommand.Claims: OperationsCommand {
    static let operations: [any AdminOperation.Type] = [ShowUser.self, SetUserClaims.self]
}

// They read and write files in pages.
extension UsersCommand.Import: OperationsCommand {
    static let operations: [any AdminOperation.Type] = [ImportUserPage.self]
}

extension UsersCommand.Export: OperationsCommand {
    static let operations: [any AdminOperation.Type] = [ExportUserPage.self]
}

// One session, or all of a user.
extension SessionsCommand.Revoke: OperationsCommand {
    static let operations: [any AdminOperation.Type] = [RevokeSession.self, RevokeUserSessions.self]
}

// One withdrawal, or all that are parked.
extension WithdrawalsCommand.Retry: OperationsCommand {
    static let operations: [any AdminOperation.Type] = [RetryWithdrawal.self, RetryParkedWithdrawals.self]
}

// Options that belong together are one value, and warnings go to standard error.
extension ClientsCommand.Add: OperationsCommand {
    static let operations: [any AdminOperation.Type] = [AddClient.self]
}

extension ClientsCommand.Update: OperationsCommand {
    static let operations: [any AdminOperation.Type] = [UpdateClient.self]
}

// Lifetimes are written as 90d or never.
extension AdminCommand.Create: OperationsCommand {
    static let operations: [any AdminOperation.Type] = [CreateAdminToken.self]
}

// They write a key to a file.
extension AdminCommand.CreateServiceAccount: OperationsCommand {
    static let operations: [any AdminOperation.Type] = [Broker.CreateServiceAccount.self, RevokeServiceAccount.self]
}

extension AdminCommand.RotateServiceAccountKey: OperationsCommand {
    static let operations: [any AdminOperation.Type] = [Broker.RotateServiceAccountKey.self]
}

// A token is read from a file or standard input: it is no argument.
extension TokenCommand.Inspect: OperationsCommand {
    static let operations: [any AdminOperation.Type] = [InspectTokenOperation.self]
}

// An event is named, or --dead stands for all dead letters; tail follows.
extension EventsCommand.List: OperationsCommand {
    static let operations: [any AdminOperation.Type] = [ListEvents.self]
}

extension EventsCommand.Follow: OperationsCommand {
    static let operations: [any AdminOperation.Type] = [ListEvents.self]
}

extension EventsCommand.Tail: OperationsCommand {
    static let operations: [any AdminOperation.Type] = [ListEvents.self]
}

extension EventsCommand.Replay: OperationsCommand {
    static let operations: [any AdminOperation.Type] = [ReplayEvents.self]
}

extension EventsCommand.Drop: OperationsCommand {
    static let operations: [any AdminOperation.Type] = [DropEvents.self]
}

// Times are written as 7d, follow follows, and verify reads the chain in stretches.
extension AuditCommand.List: OperationsCommand {
    static let operations: [any AdminOperation.Type] = [ListAudit.self]
}

extension AuditCommand.Follow: OperationsCommand {
    static let operations: [any AdminOperation.Type] = [FollowAudit.self]
}

extension AuditCommand.Verify: OperationsCommand {
    static let operations: [any AdminOperation.Type] = [VerifyAuditChain.self]
}

// A login is stored once its broker accepts it.
extension LoginCommand.Create: OperationsCommand {
    static let operations: [any AdminOperation.Type] = [WhoAmI.self]
}

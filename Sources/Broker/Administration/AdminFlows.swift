package import BrokerStore
package import Foundation
import ProviderKit

/// The flows that administrative operations call, as ``BrokerCore`` made them.
package struct AdminFlows: Sendable {
    package let configuration: Configuration
    package let store: Store
    package let now: @Sendable () -> Date
    package let explain: Explain
    let createUser: CreateUser
    let findUsers: FindUsers
    let updateAccount: UpdateAccount
    let disableUser: DisableUser
    let deleteAccount: DeleteAccount
    let unlink: Unlink
    let listSessions: ListSessions
    let revokeSessions: RevokeSessions
    let withdrawals: Withdrawals
    let revokeGrants: RevokeGrants
    let mergeAccounts: MergeAccounts
    let undoMerge: UndoMerge
    let clients: Clients
    let adminCredentials: AdminCredentials
    let serviceAccounts: ServiceAccounts
    /// The keys of each token family.
    let signingKeys: [SigningKeys]
    let rotateSigningKeys: RotateSigningKeys
    let inspectToken: InspectToken
    let providers: ProviderConfiguration
    let manageProviders: ManageProviders
    let checkProvider: CheckProvider
    let resumeProbes: ResumeProbes
    let events: Events
    let importUsers: ImportUsers
    let userBatches: UserBatches
    let verifyAudit: VerifyAudit
}

extension AdminFlows {
    /// A user by localId or e-mail address.
    ///
    /// - Throws: ``AdminFailure`` when there is none, or a store's error. A user who was merged into another one is not
    ///   that other one: what is done to a user must not be done to someone else by an old id.
    package func user(named name: String) async throws -> UserRecord {
        let canonical = EmailAddress(name)?.canonical
        let record = try await store.read { transaction -> UserRecord? in
            let byEmail = try canonical.flatMap { try transaction.user(holdingEmail: $0) }
            return try (byEmail ?? transaction.user(localID: name)).map { try transaction.record(of: $0) }
        }
        guard let record else {
            let survivor = try await explain.survivor(of: name)
            let merge = survivor.map { ": it was merged into \($0)" } ?? ""
            throw AdminFailure(code: .userNotFound, "there is no user \(name)\(merge)")
        }
        return record
    }

    /// Checks the maximum number of rows of a page.
    ///
    /// - Throws: ``AdminFailure`` outside of 1 to 1000.
    static func checked(limit: Int?, standard: Int) throws(AdminFailure) -> Int {
        let limit = limit ?? standard
        guard (1...1000).contains(limit) else { throw .parameter("limit", "takes 1 to 1000") }
        return limit
    }
}

import BrokerStore
import ProviderKit

/// Snapshots of both users of a merge, sealed for their row, from which the merge can be undone for 30 days.
struct MergeSnapshots: Sendable {
    let vault: GrantVault
    private let sealer: Sealer

    static let lifetime = Duration.seconds(30 * 86_400)

    init(vault: GrantVault, masterKey: MasterKey) {
        self.vault = vault
        sealer = Sealer(masterKey, for: .mergeSnapshots)
    }

    /// Stores the snapshot of a merge, before it is carried out.
    func keep(
        _ plan: MergePlan, id: String, claims: MergedClaims, in transaction: borrowing Transaction
    ) throws {
        let absorbed = plan.absorbed.user
        let grants = try transaction.grants(of: absorbed.key)
        var identities: [MergedUsers.MergedIdentity] = []
        for identity in plan.absorbed.identities {
            identities.append(
                MergedUsers.MergedIdentity(
                    identity: identity, aliases: try transaction.aliases(of: identity.key),
                    // A grant that does not open could not be used here either.
                    grants: grants.filter { $0.identityKey == identity.key }.compactMap {
                        try? vault.open($0, of: identity)
                    }))
        }
        let users = MergedUsers(
            survivor: plan.survivor, absorbed: absorbed, identities: identities,
            rows: try transaction.rowNames(of: absorbed.key), claims: claims)
        try transaction.insert(
            MergeSnapshot(
                key: transaction.nextKey(), id: id, survivorKey: plan.survivor.user.key,
                absorbedLocalID: absorbed.localID, provider: plan.provider, createdAt: transaction.now,
                expiresAt: transaction.now.advanced(by: Self.lifetime),
                sealedUsers: try sealer.seal(
                    users.json.serializedBytes(), row: Self.row(id, absorbed.localID))))
    }

    /// The users of a snapshot as they were before the merge.
    ///
    /// - Throws: ``BrokerError/mergeNotFound`` when it was damaged, moved to another row or sealed with another key.
    func open(_ snapshot: MergeSnapshot) throws(BrokerError) -> MergedUsers {
        guard
            let bytes = try? sealer.open(
                snapshot.sealedUsers, row: Self.row(snapshot.id, snapshot.absorbedLocalID)),
            let value = try? JSONValue(parsing: bytes, limits: .stored), let users = MergedUsers(value)
        else { throw .mergeNotFound }
        return users
    }

    private static func row(_ id: String, _ absorbed: String) -> [String] { ["merge_snapshots", id, absorbed] }
}

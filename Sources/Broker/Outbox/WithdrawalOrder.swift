import BrokerStore
import Crypto
import Foundation
import Logging
import OAuth
import ProviderKit

/// The withdrawal of grants that leave the store, queued in the transaction in which they leave.
///
/// A flow makes one before its transaction and calls it there, before it deletes an identity, a user or a grant.
struct WithdrawalOrder: Sendable {
    let cause: Withdrawal.Cause
    private let withdrawals: Withdrawals
    /// Receipts are derived from it: a repeated transaction answers with the same ones.
    private let seed = RandomText.secret()

    init(_ cause: Withdrawal.Cause, _ withdrawals: Withdrawals) {
        self.cause = cause
        self.withdrawals = withdrawals
    }

    /// Queues the withdrawal of all stored grants of identities. An entry that is not configured now is queued as well: the
    /// worker parks it, so that the grant is withdrawn when the entry is back.
    ///
    /// - Parameters:
    ///   - identities: Identities of `user`.
    ///   - user: The user that the audit names.
    ///   - presented: A grant that was just obtained for an identity with this key, in the place of the stored one of the
    ///     same client.
    ///   - transaction: The transaction that deletes the grants afterwards.
    ///   - origin: Who did it, when that is another than the transaction was given.
    /// - Returns: A receipt for each stored grant, and one for each identity without any.
    /// - Throws: A store's error, or CryptoKit's.
    func queue(
        _ identities: [Identity], of user: User, presented: (identityKey: Int64, grant: UpstreamGrant)? = nil,
        in transaction: borrowing Transaction, by origin: Origin? = nil
    ) throws -> [WithdrawalReceipt] {
        guard !identities.isEmpty else { return [] }
        let stored = try transaction.grants(of: user.key)
        var receipts: [WithdrawalReceipt] = []
        for identity in identities {
            let own = stored.filter { $0.identityKey == identity.key }
            let fresh = presented.flatMap { $0.identityKey == identity.key ? $0.grant : nil }
            let replaced = fresh.flatMap { fresh in own.first { $0.clientID.hasSameBytes(as: fresh.clientID) } }
            var grants = own.filter { $0.key != replaced?.key }.compactMap { open($0, of: identity) }
            if let fresh { grants.append(withdrawals.stored.vault.completed(fresh, by: replaced, of: identity)) }
            guard !grants.isEmpty else {
                receipts.append(
                    WithdrawalReceipt(provider: identity.provider, state: try state(of: identity, in: transaction)))
                continue
            }
            for grant in grants {
                receipts.append(try queue(grant, of: identity, user: user.localID, in: transaction, by: origin))
            }
        }
        return receipts
    }

    /// Queues the withdrawal of one grant, which need not be stored; `localID` names the user for the audit, if it is
    /// still there.
    ///
    /// - Returns: `queued`, or `notSupported` if the provider's plugin cannot revoke grants.
    /// - Throws: A store's error, or CryptoKit's.
    func queue(
        _ grant: UpstreamGrant, of identity: Identity, user localID: String?, in transaction: borrowing Transaction,
        by origin: Origin? = nil
    ) throws -> WithdrawalReceipt {
        guard withdrawals.canRevoke(identity) else {
            return WithdrawalReceipt(provider: identity.provider, state: .notSupported)
        }
        let id = receiptID(of: grant, identity)
        let subjects = [identity.subject] + (try transaction.aliases(of: identity.key)).map(\.subject)
        let sealed = try WithdrawnGrant(subjects: subjects, localID: localID ?? "", grant: grant).sealed(
            by: withdrawals.sealer, for: WithdrawnGrant.row(id, identity.provider, identity.issuer, grant.clientID))
        let withdrawal = Withdrawal(
            key: transaction.nextKey(), id: id, identity: identity.identity,
            subjectHash: identity.identity.subjectHash, clientID: grant.clientID,
            tokenHint: grant.refreshToken == nil ? .accessToken : .refreshToken, cause: cause, sealedGrant: sealed,
            createdAt: transaction.now)
        try transaction.insert(withdrawal)
        try transaction.audit("queued", of: withdrawal, user: localID, by: origin)
        return WithdrawalReceipt(provider: identity.provider, state: .queued(id: id))
    }

    /// The state of an identity without a stored grant. An app that has had the grant revoked before it deletes the user
    /// gets that receipt again.
    private func state(
        of identity: Identity, in transaction: borrowing Transaction
    ) throws(StoreError) -> WithdrawalReceipt.State {
        guard withdrawals.canRevoke(identity) else { return .notSupported }
        let earlier = try transaction.latestWithdrawal(
            of: identity.identity, subjectHash: identity.identity.subjectHash, since: identity.lastSignInAt)
        return earlier.map { .queued(id: $0.id) } ?? .nothingStored
    }

    /// A damaged grant must not prevent its deletion.
    private func open(_ grant: ProviderGrant, of identity: Identity) -> UpstreamGrant? {
        do {
            return try withdrawals.stored.vault.open(grant, of: identity)
        } catch {
            Logger.current.error(
                "stored grant does not open; it cannot be withdrawn",
                metadata: ["provider": "\(identity.provider)", "client": "\(grant.clientID)", "error": "\(error)"])
            return nil
        }
    }

    /// 96 bits in hexadecimal digits: no argument of a command begins with a hyphen by chance.
    private func receiptID(of grant: UpstreamGrant, _ identity: Identity) -> String {
        var hash = SHA256()
        for part in [seed, String(identity.key), grant.clientID, grant.accessToken, grant.refreshToken ?? ""] {
            hash.update(data: Data("\(part.utf8.count) \(part)".utf8))
        }
        return Hexadecimal.encode(hash.finalize().prefix(12))
    }
}

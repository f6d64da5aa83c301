package import BrokerStore
import Crypto
import Foundation
import JOSE

/// Takes a provider's identity away from a user: the admin's way; a user's own way is ``UpdateAccount``.
package struct Unlink: Sendable {
    let policy: Policy
    let store: Store
    let keys: KeyGenerator
    let now: @Sendable () -> Date

    /// The user afterwards.
    package struct Outcome: Sendable {
        package let record: UserRecord
        /// `false` when nothing of that provider was linked.
        package let isUnlinked: Bool
    }

    /// Unlinks without asking for the user's consent or login; with `leavesNoWayIn` the last way to sign in may go as
    /// well, whatever the policy says.
    ///
    /// - Throws: ``BrokerError/userNotFound``, ``BrokerError/lastSignInMethod``; then nothing was written.
    package func callAsFunction(
        provider: String, from localID: String, leavesNoWayIn: Bool = false, origin: Origin
    ) async throws -> Outcome {
        var policy = policy
        if leavesNoWayIn { policy.lastSignInMethod = .firebase }
        let step = Step(policy: policy, keys: keys, origin: origin, count: 1, now())
        return try await store.write { transaction in
            guard let user = try transaction.user(localID: localID) else { throw BrokerError.userNotFound }
            let identities = try transaction.identities(of: user.key)
            let unlinked = identities.filter { $0.provider.utf8.elementsEqual(provider.utf8) }
            try step(unlinked, of: user, among: identities, actor: origin.actorKind, origin.actor, in: transaction)
            guard let remaining = try transaction.user(key: user.key) else { throw BrokerError.userNotFound }
            return Outcome(
                record: UserRecord(user: remaining, identities: try transaction.identities(of: user.key)),
                isUnlinked: !unlinked.isEmpty)
        }
    }

    /// The part inside the transaction: counts and deletes together, so that of two unlinks at once the second sees what
    /// the first left.
    struct Step: Sendable {
        private let policy: Policy
        private let requestID: String
        private let now: Timestamp
        private let auditKeys: [Int64]

        /// `count` is how many identities there can be to unlink at most.
        init(policy: Policy, keys: KeyGenerator, origin: Origin, count: Int, _ date: Date) {
            self.policy = policy
            requestID = origin.requestID
            now = Timestamp(date)
            auditKeys = (0..<count).map { _ in keys.next(at: date) }
        }

        func callAsFunction(
            _ unlinked: [Identity], from facts: SessionFacts, actor: AuditEntry.ActorKind,
            in transaction: borrowing Transaction
        ) throws {
            try callAsFunction(
                unlinked, of: facts.user, among: facts.identities, actor: actor, facts.user.localID, in: transaction)
        }

        /// - Throws: ``BrokerError/lastSignInMethod`` when the user could not sign in any more and the policy minds.
        func callAsFunction(
            _ unlinked: [Identity], of user: User, among identities: [Identity], actor: AuditEntry.ActorKind,
            _ actorName: String?, in transaction: borrowing Transaction
        ) throws {
            guard !unlinked.isEmpty else { return }
            // Whoever signs in with custom tokens has a way in that is no identity.
            if policy.lastSignInMethod == .strict, unlinked.count == identities.count, !user.isCustomAuth {
                throw BrokerError.lastSignInMethod
            }
            for identity in unlinked { _ = try transaction.deleteIdentity(key: identity.key) }
            let email = try transaction.settleEmail(of: user.key, at: now)
            for (identity, auditKey) in zip(unlinked, auditKeys) {
                try transaction.append(
                    AuditEntry(
                        key: auditKey, at: now, actorKind: actor, actor: actorName, event: "identity.unlinked",
                        localID: user.localID, provider: identity.provider,
                        subjectHash: Base64URL.encode(Array(SHA256.hash(data: Data(identity.subject.utf8)))),
                        requestID: requestID, detail: email.detail))
            }
        }
    }
}

import BrokerStore
import ProviderKit

/// Applies what a provider reports about a user or its own keys, in the transaction that records the event.
///
/// An event never signs a user in, and never withdraws what a later login obtained: events arrive late and in any order.
struct ProviderEventEffects: Sendable {
    let accounts: AccountContext
    let provider: ConfiguredProvider
    let origin: Origin

    /// The result, for the log.
    enum Outcome: String, Sendable {
        case applied
        /// The event was received before.
        case duplicate
        /// The user signed in since; only earlier sessions ended.
        case outdated
        case unknownUser = "unknown user"
        case unknownType = "unknown type"
        /// The event names an unusable subject.
        case unusable
    }

    /// Applies an event.
    ///
    /// - Throws: ``BrokerError`` or a store's error; then the event must not be recorded.
    func apply(_ event: ProviderEvent, in transaction: borrowing Transaction) throws -> Outcome {
        switch event.kind {
        case .unknown: return .unknownType
        case .signingKeyCompromised(let keyID): return try refuse(keyID, in: transaction)
        case .accountsMerged(let merge): return try self.merge(merge, in: transaction)
        case .mailForwarding, .consentRevoked, .grantsRevoked, .accessTokenRevoked, .accountDeleted, .loggedOut:
            guard let subject = event.subject,
                let identity = try transaction.identity(
                    IdentityKey(provider: provider.id, issuer: provider.instance, subject: subject)),
                let user = try transaction.user(key: identity.userKey)
            else { return .unknownUser }
            return try apply(
                Report(event, subject, about: identity, of: user, at: transaction.now), in: transaction)
        }
    }

    /// An event about an identity that is linked here.
    private struct Report {
        let kind: ProviderEvent.Kind
        let identity: Identity
        let user: User
        /// Whether the subject is an alias: of several merged accounts the event may be about one that was absorbed.
        let isAboutAlias: Bool
        /// The time of the change, by the provider's clock, and not in the future.
        let occurredAt: Timestamp
        /// The end of its second: some providers send whole seconds.
        let until: Timestamp

        init(
            _ event: ProviderEvent, _ subject: String, about identity: Identity, of user: User, at now: Timestamp
        ) {
            kind = event.kind
            self.identity = identity
            self.user = user
            isAboutAlias = !identity.subject.hasSameBytes(as: subject)
            occurredAt = min(Timestamp(event.occurredAt), now)
            until = Timestamp(seconds: occurredAt.seconds).advanced(by: .milliseconds(999))
        }

        /// Whether the user has signed in with the identity since.
        var isOutdated: Bool { until < identity.lastSignInAt }
    }

    private func apply(_ report: Report, in transaction: borrowing Transaction) throws -> Outcome {
        let (identity, user) = (report.identity, report.user)
        switch report.kind {
        case .mailForwarding(let isEnabled):
            guard
                try transaction.setMailDisabled(!isEnabled, ofIdentity: identity.key, since: report.occurredAt)
            else { return .outdated }
            try audit(isEnabled ? "identity.mail-enabled" : "identity.mail-disabled", report, in: transaction)
        case .accessTokenRevoked:
            try transaction.expireGrants(ofIdentity: identity.key, at: report.until)
        case .loggedOut:
            try end("logged out at the provider", report, in: transaction)
        case .grantsRevoked:
            try end("grants revoked at the provider", report, in: transaction)
            try transaction.removeGrants(ofIdentity: identity.key, obtainedBy: report.until)
        case .consentRevoked:
            try end("consent revoked at the provider", report, in: transaction)
            try transaction.removeGrants(ofIdentity: identity.key, obtainedBy: report.until)
            guard !report.isOutdated else { return .outdated }
            try withdraw(report, in: transaction)
        case .accountDeleted(let delay):
            try end("account deleted at the provider", report, in: transaction)
            try transaction.removeGrants(ofIdentity: identity.key, obtainedBy: report.until)
            // An account that can return has returned when its user signed in since.
            guard !report.isAboutAlias, delay == 0 || !report.isOutdated else { return .outdated }
            try remove(identity, of: user, after: delay, report, in: transaction)
        case .accountsMerged, .signingKeyCompromised, .unknown: break
        }
        return .applied
    }

    /// Marks the identity, or unlinks it where the policy says so and the user can sign in without it.
    private func withdraw(_ report: Report, in transaction: borrowing Transaction) throws {
        let (identity, user) = (report.identity, report.user)
        try audit("identity.consent-revoked", report, in: transaction)
        let identities = try transaction.identities(of: user.key)
        if accounts.policy.revokedConsent == .unlink, identities.count > 1 || user.isCustomAuth {
            try transaction.remove([identity], of: user, by: origin)
        } else {
            try transaction.markConsentRevoked(ofIdentity: identity.key, at: report.occurredAt)
        }
    }

    /// Removes the identity of a deleted account, now or later. A user who cannot sign in any more is disabled, so that
    /// an administrator can give them another way.
    private func remove(
        _ identity: Identity, of user: User, after delay: Int, _ report: Report,
        in transaction: borrowing Transaction
    ) throws {
        try audit("identity.account-deleted", report, in: transaction)
        let isLast = try transaction.identities(of: user.key).count == 1 && !user.isCustomAuth
        if isLast, try transaction.setDisabled(true, userKey: user.key) {
            try transaction.audit(
                "user.disabled", of: user.localID, provider: identity.provider,
                detail: ["reason": "account deleted at the provider"], by: origin)
        }
        if delay == 0 {
            try transaction.remove([identity], of: user, by: origin)
        } else {
            try transaction.scheduleRemoval(
                ofIdentity: identity.key, at: transaction.now.advanced(by: .seconds(delay)))
        }
    }

    /// Ends the sessions whose login is not later than the event.
    private func end(_ reason: String, _ report: Report, in transaction: borrowing Transaction) throws {
        try transaction.endSessions(
            begunWith: report.identity, of: report.user, authenticatedBy: report.until, reason: reason, by: origin)
    }

    /// The same merge as at a sign-in whose provider reports it.
    private func merge(
        _ merge: ExternalIdentity.Merge, in transaction: borrowing Transaction
    ) throws -> Outcome {
        let identity = ExternalIdentity(subject: merge.survivor, merge: merge)
        // An event that fails would be sent again without end.
        guard let evidence = try? Evidence(identity, from: provider) else { return .unusable }
        let found = try AccountSnapshot(of: evidence, in: transaction)
        guard let owner = found.owner else { return .unknownUser }
        let report = MergeReport(evidence: evidence, isAutomatic: provider.mergesAutomatically, origin: origin)
        _ = try accounts.mergeUsers(by: report, owner, with: found.others, in: transaction)
        for subject in found.unclaimed {
            _ = try transaction.addAlias(subject, to: owner.identity.key, at: transaction.now)
        }
        return .applied
    }

    private func refuse(_ keyID: String, in transaction: borrowing Transaction) throws -> Outcome {
        try transaction.refuseSignatureKey(keyID, of: provider.id, at: transaction.now)
        try transaction.audit(
            "provider.key-refused", of: nil, provider: provider.id, detail: ["key": .string(keyID)], by: origin)
        return .applied
    }

    private func audit(_ event: String, _ report: Report, in transaction: borrowing Transaction) throws {
        try transaction.audit(
            event, of: report.user.localID, provider: provider.id,
            subjectHash: report.identity.identity.subjectHash, by: origin)
    }
}

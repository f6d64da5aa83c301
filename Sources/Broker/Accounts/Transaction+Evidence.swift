import BrokerStore
import Foundation
import ProviderKit

extension Transaction {
    /// Everything the resolver needs to know about a piece of evidence.
    func facts(
        about evidence: Evidence, _ holders: SubjectHolders, linkingTo user: User? = nil
    ) throws(StoreError) -> AccountResolver.Facts {
        var holder: User?
        if let canonical = evidence.email?.address.canonical { holder = try self.user(holdingEmail: canonical) }
        return AccountResolver.Facts(
            owner: holders.owner, emailHolder: holder, holderProviders: try providers(of: holder),
            linkedProviders: try providers(of: user), bearer: holders.bearer)
    }

    private func providers(of user: User?) throws(StoreError) -> Set<String> {
        guard let user else { return [] }
        return Set(try identities(of: user.key).map(\.provider))
    }

    /// A returning person's provider entry, replaced by what the provider says now; the account itself stays as it is.
    func renewIdentity(_ key: IdentityKey, _ evidence: Evidence, at now: Timestamp) throws -> RenewedIdentity {
        guard let known = try identity(key) else { throw BrokerError.credentialRejected }
        let renewed = Identity(
            key: known.key, userKey: known.userKey, identity: known.identity,
            email: evidence.email?.address.display, isEmailVerified: evidence.email?.isVerified ?? false,
            // Some providers tell a name once and never again.
            displayName: evidence.displayName ?? known.displayName,
            photoURL: evidence.photoURL, screenName: evidence.screenName, profile: evidence.profile,
            linkedAt: known.linkedAt, lastSignInAt: now, isAnonymous: known.isAnonymous && evidence.isAnonymous)
        try refreshProfile(
            of: renewed.key, email: renewed.email, isEmailVerified: renewed.isEmailVerified,
            displayName: renewed.displayName, photoURL: renewed.photoURL, screenName: renewed.screenName,
            profile: renewed.profile, isAnonymous: renewed.isAnonymous, at: now)
        return RenewedIdentity(identity: renewed, isPromoted: known.isAnonymous && !renewed.isAnonymous)
    }

    /// Writes the decision record and, when something changed, the audit row.
    func record(
        _ resolution: AccountResolver.Resolution, _ evidence: Evidence, _ applied: AppliedDecision, _ fresh: Fresh,
        _ origin: Origin
    ) throws {
        let outcome = applied.summary(about: resolution.subject)
        let subjectHash = evidence.key.subjectHash
        try append(
            Decision(
                key: fresh.decisionKey, at: fresh.now, requestID: origin.requestID, provider: evidence.key.provider,
                issuer: evidence.key.issuer, subjectHash: subjectHash, localID: outcome.localID,
                rule: resolution.rule, outcome: outcome.name, evidence: evidence.summary.serialized()))
        guard let event = outcome.event else { return }
        try append(
            AuditEntry(
                key: fresh.auditKey, at: fresh.now, actorKind: origin.actorKind, actor: origin.actor, event: event,
                localID: outcome.localID, provider: evidence.key.provider, subjectHash: subjectHash,
                requestID: origin.requestID, detail: applied.auditDetail(rule: resolution.rule)))
    }
}

/// A returning person's provider entry after it was replaced.
struct RenewedIdentity: Sendable {
    let identity: Identity
    /// Whether the provider has come to know the person, who was only a device before.
    let isPromoted: Bool
}

extension AppliedDecision {
    /// The outcome's name in decision records, the user it is about, and its audit event when it changed something.
    fileprivate func summary(about user: User?) -> (name: String, localID: String?, event: String?) {
        switch self {
        case .signedIn(let facts, let isNewUser, _):
            ("signed-in", facts.user.localID, isNewUser ? "user.created" : "user.signed-in")
        case .linked(let facts): ("linked", facts.user.localID, "identity.linked")
        case .needConfirmation: ("need-confirmation", user?.localID, "sign-in.need-confirmation")
        // The wire's code, which is stable; its text is not.
        case .refused(let error): ("refused " + error.wireMessage.prefix { $0 != " " }, user?.localID, nil)
        }
    }
}

extension AppliedDecision {
    /// The rule, and who lost an address by it.
    fileprivate func auditDetail(rule: String) -> String {
        var detail = JSONObject([("rule", .string(rule))])
        if case .signedIn(_, _, let released?) = self { detail["addressTakenFrom"] = .string(released.localID) }
        return detail.serialized()
    }
}

extension Evidence {
    /// What a decision record keeps of the evidence: no address, no profile, no token.
    fileprivate var summary: JSONValue {
        ["hasEmail": .bool(email != nil), "emailVerified": .bool(email?.isVerified ?? false)]
    }
}

extension Identity {
    init(_ evidence: Evidence, of user: User, key: Int64, at now: Timestamp) {
        self.init(
            key: key, userKey: user.key, identity: evidence.key, email: evidence.email?.address.display,
            isEmailVerified: evidence.email?.isVerified ?? false, displayName: evidence.displayName,
            photoURL: evidence.photoURL, screenName: evidence.screenName, profile: evidence.profile, linkedAt: now,
            lastSignInAt: now, isAnonymous: evidence.isAnonymous)
    }
}

extension User {
    /// A new user as the provider describes the person. An address without a canonical form stays with the identity:
    /// nothing could ever be matched with it.
    init(creating evidence: Evidence, withEmail: Bool = true, _ fresh: Fresh) {
        let canonical = withEmail ? evidence.email?.address.canonical : nil
        self.init(
            key: fresh.userKey, localID: fresh.localID, email: canonical, emailCanonical: canonical,
            isEmailVerified: canonical != nil && evidence.email?.isVerified == true,
            emailAssertedBy: canonical == nil ? nil : evidence.key.provider,
            emailAssertedAt: canonical == nil ? nil : fresh.now, displayName: evidence.displayName,
            photoURL: evidence.photoURL, screenName: evidence.screenName, createdAt: fresh.now,
            lastLoginAt: fresh.now, lastRefreshAt: fresh.now)
    }
}

import BrokerStore
import Foundation
import OAuth
import ProviderKit

/// The writes of sign-in and link, each in the transaction of its flow.
struct IdentityWriter: Sendable {
    let vault: GrantVault
    let rules: SessionRules
    /// Whether a join keeps the account's name and picture where the provider sends none.
    let autoLinkProfile: Policy.Preset

    /// How long the same user may use an ID token again.
    static let grace = Duration.seconds(60)

    /// Consumes the pending token of a credential, or records the use of its ID token.
    ///
    /// - Returns: The reason the credential is no longer valid for this user; `nil` when it is.
    func consume(
        _ credential: VerifiedCredential, for localID: String, in transaction: borrowing Transaction
    ) throws(StoreError) -> BrokerError? {
        if let pending = credential.pendingToken {
            return try PendingTokens.consume(pending, for: localID, in: transaction) ? nil : .invalidPendingToken
        }
        guard let token = credential.idToken else { return nil }
        let earlier = try transaction.recordUse(
            of: UsedIDToken(
                key: transaction.nextKey(), tokenHash: token.hash, localID: localID, usedAt: transaction.now,
                expiresAt: token.expiresAt))
        guard let earlier else { return nil }
        // A sign-in whose answer was lost, or a link right after it, presents the same token once more.
        let isRepetition = earlier.localID == localID && transaction.now < earlier.usedAt.advanced(by: Self.grace)
        return isRepetition ? nil : .idTokenAlreadyUsed
    }

    /// Creates a user from evidence. An address without a canonical form stays with the identity alone: it could match
    /// no user.
    func create(
        _ localID: String, from evidence: Evidence, withEmail: Bool, in transaction: borrowing Transaction
    ) throws -> UserRecord {
        let canonical = withEmail ? evidence.email?.address.canonical : nil
        let now = transaction.now
        let user = User(
            key: transaction.nextKey(), localID: localID, email: canonical, emailCanonical: canonical,
            isEmailVerified: canonical != nil && evidence.email?.isVerified == true,
            emailAssertedBy: canonical == nil ? nil : evidence.key.provider,
            emailAssertedAt: canonical == nil ? nil : now, displayName: evidence.displayName,
            photoURL: evidence.photoURL, screenName: evidence.screenName, createdAt: now, lastLoginAt: now,
            lastRefreshAt: now)
        guard try transaction.insert(user) else { throw InternalError.uniqueKeyTaken("users") }
        return UserRecord(user: user, identities: [try add(evidence, to: user, in: transaction)])
    }

    /// Adds a new identity to a user, with every further subject of it.
    @discardableResult
    func add(_ evidence: Evidence, to user: User, in transaction: borrowing Transaction) throws -> Identity {
        let identity = Identity(
            key: transaction.nextKey(), userKey: user.key, identity: evidence.key,
            email: evidence.email?.address.display, isEmailVerified: evidence.email?.isVerified ?? false,
            displayName: evidence.displayName, photoURL: evidence.photoURL, screenName: evidence.screenName,
            profile: evidence.profile, linkedAt: transaction.now, lastSignInAt: transaction.now,
            isAnonymous: evidence.isAnonymous, wasAnonymous: evidence.wasAnonymous || evidence.isAnonymous)
        guard try transaction.insert(identity) else { throw InternalError.uniqueKeyTaken("identities") }
        try claim(evidence.subjects, for: identity, in: transaction)
        try keepGrant(of: evidence, for: identity, in: transaction)
        return identity
    }

    /// Replaces the owner's identity by what the provider asserts now, with the subjects that no user has yet; the account
    /// itself stays as it is. `isSignIn` is false where no user signs in.
    ///
    /// - Returns: The identity as it is afterwards.
    @discardableResult
    func renew(
        _ owner: AccountSnapshot.SubjectHolder, from evidence: Evidence, claiming unclaimed: [IdentityKey],
        isSignIn: Bool = true, in transaction: borrowing Transaction
    ) throws -> Identity {
        let known = owner.identity
        var renewed = known
        renewed.email = evidence.email?.address.display
        renewed.isEmailVerified = evidence.email?.isVerified ?? false
        // Some providers send a name at the first sign-in only.
        renewed.displayName = evidence.displayName ?? known.displayName
        renewed.photoURL = evidence.photoURL
        renewed.screenName = evidence.screenName
        renewed.profile = evidence.profile
        renewed.isAnonymous = known.isAnonymous && evidence.isAnonymous
        renewed.wasAnonymous = known.wasAnonymous || known.isAnonymous || evidence.wasAnonymous
        if isSignIn { renewed.lastSignInAt = transaction.now }
        (renewed.consentRevokedAt, renewed.removalAt) = (nil, nil)
        try transaction.refreshProfile(of: known, to: renewed)
        try claim(unclaimed, for: renewed, in: transaction)
        let lost = try keepGrant(of: evidence, for: renewed, in: transaction)
        if !lost.isEmpty { try transaction.auditReducedScopes(lost, of: renewed, user: owner.user.localID) }
        if renewed.wasAnonymous, !known.wasAnonymous {
            // Nothing says whether the user was known when they began.
            try transaction.forgetIdentity(known.key, ofSessionsOf: known.userKey)
        }
        guard known.isAnonymous, !renewed.isAnonymous else { return renewed }
        try transaction.insert(
            AccountNotice(
                key: transaction.nextKey(), userKey: owner.user.key, kind: .promoted, createdAt: transaction.now))
        try transaction.audit(
            "identity.promoted", of: owner.user.localID, provider: evidence.key.provider,
            subjectHash: known.identity.subjectHash)
        return renewed
    }

    /// Adds an identity to the account that holds its proven address (contract §3.4, S2 and S3), with the provider's
    /// profile. `strips` removes everything older first, since the address was not proven then.
    ///
    /// - Returns: The user as it is afterwards.
    func join(
        _ evidence: Evidence, to holder: User, strips: Bool, in transaction: borrowing Transaction
    ) throws -> User {
        if strips {
            for identity in try transaction.identities(of: holder.key) {
                try transaction.publish(.unlinked, of: holder.localID, ["provider": identity.provider])
            }
            try transaction.removeIdentities(of: holder.key)
            _ = try transaction.bumpEpoch(userKey: holder.key, validSince: transaction.now.seconds)
            try transaction.revokeSessions(
                of: holder.key, at: transaction.now, reason: "address proven by its owner")
        }
        try add(evidence, to: holder, in: transaction)
        try transaction.setProfile(of: joined(evidence, by: holder, strips: strips))
        if let canonical = evidence.email?.address.canonical {
            _ = try transaction.setEmail(
                of: holder.key, email: canonical, canonical: canonical, verified: true,
                assertedBy: evidence.key.provider, at: transaction.now)
        }
        return try transaction.current(holder)
    }

    /// The profile of an account after a join: the provider's, except for what was edited.
    private func joined(_ evidence: Evidence, by holder: User, strips: Bool) -> User {
        var user = holder
        // Of an unproven account nothing stays, not even what was edited.
        if strips { (user.displayNameEditedAt, user.photoURLEditedAt) = (nil, nil) }
        // Firebase clears what the provider does not send.
        let earlier = strips || autoLinkProfile == .firebase ? nil : holder
        if user.displayNameEditedAt == nil { user.displayName = evidence.displayName ?? earlier?.displayName }
        if user.photoURLEditedAt == nil { user.photoURL = evidence.photoURL ?? earlier?.photoURL }
        user.screenName = evidence.screenName ?? earlier?.screenName
        return user
    }

    /// Begins a session and reads everything its tokens need, with the notices for the app.
    ///
    /// A user that the same transaction has created has signed in already, and has no other session and no notices.
    func begin(
        _ session: Session, of record: UserRecord, isNewUser: Bool = false, in transaction: borrowing Transaction
    ) throws(StoreError) -> SessionFacts {
        var session = session
        session.identityKey = session.identity(among: record.identities)?.key
        var facts = SessionFacts(session: session, user: record.user, identities: record.identities)
        guard !isNewUser else {
            try transaction.insert(session)
            return facts
        }
        try transaction.insert(session)
        let signIn = try transaction.recordSignIn(userKey: record.user.key, at: transaction.now)
        try transaction.limitSessions(besides: session, rules, counted: signIn.liveSessions)
        if signIn.hasNotices, session.family != .web { facts.notices = try transaction.notices(for: facts) }
        facts.mayHaveAbsorbedUsers = session.family == .oauth
        return facts
    }

    /// Makes a credential the login of an anonymous session, which goes on with its tokens: its user had proven nothing.
    func login(
        by credential: VerifiedCredential, to session: Session, of user: User, in transaction: borrowing Transaction
    ) throws(StoreError) {
        let shape = credential.sessionShape(session.family)
        var session = session
        session.signInProvider = credential.evidence.key.provider
        session.authTime = shape.authTime(at: transaction.now)
        session.authenticationMethods = shape.authenticationMethods?.joined(separator: " ")
        session.identityKey = session.identity(among: try transaction.identities(of: user.key))?.key
        session.mergedAt = nil
        try transaction.recordLogin(of: session)
        try transaction.recordSignIn(userKey: user.key, at: transaction.now)
    }

    /// Makes further subjects stand for an identity.
    private func claim(
        _ subjects: [IdentityKey], for identity: Identity, in transaction: borrowing Transaction
    ) throws {
        for subject in subjects where subject != identity.identity {
            guard try transaction.addAlias(subject, to: identity.key, at: transaction.now) else {
                throw InternalError.uniqueKeyTaken("identity_aliases")
            }
        }
    }

    /// - Returns: The scopes that the identity's grant had before and has no more.
    @discardableResult
    private func keepGrant(
        of evidence: Evidence, for identity: Identity, in transaction: borrowing Transaction
    ) throws -> [String] {
        guard let grant = evidence.grant else { return [] }
        return try vault.keep(grant, of: identity, key: transaction.nextKey(), at: transaction.now, in: transaction)
    }
}

extension Session {
    /// The identity it begins with, unless that is anonymous.
    fileprivate func identity(among identities: [Identity]) -> Identity? {
        identities.first { !$0.isAnonymous && $0.provider.hasSameBytes(as: signInProvider) }
    }
}

package import BrokerStore
import ProviderKit

/// Adds a provider's identity to an existing user: for the user's own session, or for an administrator.
extension AccountContext {
    /// Links for the holder of an ID token, whose session is replaced by a new one.
    ///
    /// - Returns: The new session, or why the identity was not linked; its decision record is committed in both cases.
    /// - Throws: ``BrokerError`` for a session that is invalid or whose login is not recent.
    func link(
        _ credential: VerifiedCredential, idToken: String, origin: Origin
    ) async throws -> Result<SessionFacts, BrokerError> {
        let now = now
        let judged = try await sessions.verifier.judge(.idToken(idToken), at: now)
        let sessionID = Session.newID()
        return try await counting(credential) {
            try await store.write(at: now, by: origin) { [self] transaction in
                let earlier = try transaction.liveSession(behind: judged)
                try requireRecentLogin(earlier, at: now, unless: credential.evidence.isOfFormerOwner)
                switch try link(credential, to: earlier.user, origin, in: transaction) {
                case .failure(let error): return .failure(error)
                case .success(let user):
                    var session = Session(
                        sessionID, of: user, provider: credential.evidence.key.provider, as: credential.sessionShape(),
                        from: ClientDevice(userAgent: earlier.session.userAgent, address: earlier.session.address),
                        in: transaction)
                    // A link proves the new identity, not the earlier ones again; an anonymous user had proven none.
                    if earlier.session.signInProvider != Session.anonymousProvider {
                        session.authTime = earlier.session.authTime
                        session.mergedAt = earlier.session.mergedAt
                        session.authenticationMethods = earlier.session.authenticationMethods
                    }
                    return .success(
                        try writer.begin(session, of: transaction.record(of: user), in: transaction))
                }
            }
        }
    }

    private func counting<Value>(
        _ credential: VerifiedCredential, _ work: () async throws -> Result<Value, BrokerError>
    ) async throws -> Result<Value, BrokerError> {
        try await FlowMetrics.counting(
            .link, at: credential.evidence.key.provider,
            outcome: { result in
                if case .failure(let error) = result { error.code.rawValue } else { FlowMetrics.success }
            }, work)
    }

    /// Links a verified identity for the holder of a session, which stays; an anonymous one has the login of the
    /// credential from then on.
    ///
    /// - Parameters:
    ///   - credential: The identity.
    ///   - presented: The session.
    ///   - wasRecent: Whether the login was recent when the link was requested.
    ///   - origin: The request.
    /// - Returns: The session with the new identity among its user's.
    /// - Throws: ``BrokerError``, that of a refused link included.
    func link(
        _ credential: VerifiedCredential, in presented: PresentedSession, wasRecent: Bool = false, origin: Origin
    ) async throws -> SessionFacts {
        let now = now
        let judged = try await sessions.verifier.judge(presented, at: now)
        let result: Result<SessionFacts, BrokerError> = try await counting(credential) {
            try await store.write(at: now, by: origin) { [self] transaction in
                let session = try transaction.liveSession(behind: judged)
                if !wasRecent {
                    try requireRecentLogin(session, at: now, unless: credential.evidence.isOfFormerOwner)
                }
                switch try link(credential, to: session.user, origin, in: transaction) {
                case .failure(let error): return .failure(error)
                case .success(let user):
                    if session.session.signInProvider == Session.anonymousProvider {
                        try writer.login(by: credential, to: session.session, of: user, in: transaction)
                    }
                    return .success(try transaction.withNotices(transaction.liveSession(behind: judged)))
                }
            }
        }
        return try result.get()
    }

    /// Links the identity behind a pending token for the holder of a session, as a verified one.
    package func link(
        pendingToken: String, in presented: PresentedSession, wasRecent: Bool = false, origin: Origin
    ) async throws -> SessionFacts {
        try await link(
            try await verify(pendingToken: pendingToken), in: presented, wasRecent: wasRecent, origin: origin)
    }

    /// Links a verified identity to a user, as an administrator.
    ///
    /// - Returns: The user with all identities.
    /// - Throws: ``BrokerError``, that of a refused link included.
    package func link(
        _ credential: VerifiedCredential, to localID: String, origin: Origin
    ) async throws -> UserRecord {
        let result: Result<UserRecord, BrokerError> = try await write(by: origin) {
            [self] transaction in
            guard let user = try transaction.user(localID: localID) else { throw BrokerError.userNotFound }
            switch try link(credential, to: user, origin, in: transaction) {
            case .failure(let error): return .failure(error)
            case .success(let linked): return .success(try transaction.record(of: linked))
            }
        }
        return try result.get()
    }

    /// The reason why the identity behind a pending token cannot be linked to a user, so that the user is not asked to
    /// confirm a link that will be refused. Writes nothing, and the link decides again.
    ///
    /// - Returns: `nil` when it can be linked.
    /// - Throws: A store's error.
    func linkRefusal(of pendingToken: String, for localID: String) async throws -> BrokerError? {
        do {
            let evidence = try await verify(pendingToken: pendingToken).evidence
            return try await store.read { [self] transaction in
                switch try decide(evidence, for: try transaction.record(of: localID), in: transaction).decision {
                case .link, .relink: return nil
                case .refuse(let error): return error
                }
            }
        } catch let error as BrokerError {
            return error
        }
    }

    /// Refuses a session that cannot link whatever the credential is, before the credential is verified: that may use it
    /// up at its provider.
    ///
    /// - Throws: ``BrokerError/recentLoginRequired``, ``BrokerError/stepUpRequired(_:)``.
    func requireRecentLogin(_ session: SessionFacts, toLinkAt provider: String) throws(BrokerError) {
        let instance = providers.current.provider(provider)?.instance
        try requireRecentLogin(session, at: now) { identity in
            // Only the credential tells whether it is of the app's former owner.
            identity.provider.hasSameBytes(as: provider) && instance?.hasSameBytes(as: identity.issuer) == false
        }
    }

    /// A user whose only identities are of the app's former owner cannot sign in again, except with custom tokens.
    private func requireRecentLogin(
        _ session: SessionFacts, at now: Timestamp, unless isOfFormerOwner: (Identity) -> Bool
    ) throws(BrokerError) {
        let hasOthers = session.identities.isEmpty || !session.identities.allSatisfy(isOfFormerOwner)
        guard hasOthers || session.user.isCustomAuth else { return }
        try sessions.recentLogin.require(for: .link, session, at: now)
    }

    private func decide(
        _ evidence: Evidence, for user: UserRecord, in transaction: borrowing Transaction
    ) throws(StoreError) -> AccountResolver.Resolution<AccountResolver.LinkDecision> {
        AccountResolver.link(
            evidence, to: user, try AccountSnapshot(of: evidence, in: transaction), policy: policy.linkEmail)
    }

    /// Decides, records the decision, and writes what it says.
    ///
    /// - Returns: The user as it is afterwards, or why nothing was linked.
    private func link(
        _ credential: VerifiedCredential, to user: User, _ origin: Origin, in transaction: borrowing Transaction
    ) throws -> Result<User, BrokerError> {
        if let pending = credential.pendingToken, let bound = try PendingTokens.user(of: pending, in: transaction),
            bound.key != user.key
        {
            throw BrokerError.invalidPendingToken
        }
        let evidence = credential.evidence
        let resolution = try decide(evidence, for: try transaction.record(of: user), in: transaction)
        let record = DecisionRecord(evidence: evidence, rule: resolution.rule, origin: origin)
        func refuse(_ error: BrokerError) throws -> Result<User, BrokerError> {
            try record.refused(error, about: user, in: transaction)
            return .failure(error)
        }
        switch resolution.decision {
        case .refuse(let error): return try refuse(error)
        case .link(let takesEmail, let verifiesEmail):
            if let error = try writer.consume(credential, for: user.localID, in: transaction) {
                return try refuse(error)
            }
            try record.linked(to: user.localID, in: transaction)
            try writer.add(evidence, to: user, in: transaction)
            if takesEmail || verifiesEmail, let email = evidence.email, let canonical = email.address.canonical {
                _ = try transaction.setEmail(
                    of: user.key, email: canonical, canonical: canonical, verified: email.isVerified,
                    assertedBy: evidence.key.provider, at: transaction.now)
            }
            return .success(try transaction.current(user))
        case .relink(let former):
            if let error = try writer.consume(credential, for: user.localID, in: transaction) {
                return try refuse(error)
            }
            try record.linked(to: user.localID, in: transaction)
            let change = SubjectChange(former, of: user, to: evidence.key, by: evidence, .link, origin)
            guard case .changed(let identity) = try change.apply(in: transaction) else {
                return try refuse(.identityAlreadyLinked)
            }
            try writer.renew(
                .init(user: user, identity: identity), from: evidence, claiming: [], in: transaction)
            return .success(try transaction.current(user))
        }
    }
}

extension BrokerError {
    /// Whether a link is refused because another user has the identity or its address. The evidence may serve the client
    /// once it has proven that user.
    var isLinkConflict: Bool { self == .identityAlreadyLinked || self == .emailHeldByAnotherUser }
}

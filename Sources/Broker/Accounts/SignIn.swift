package import BrokerStore
import ProviderKit

/// Resolves a verified credential to a user, who may be created, and begins the user's session.
extension AccountContext {
    /// Signs a user in at Identity Toolkit.
    ///
    /// - Parameters:
    ///   - credential: What the provider has verified.
    ///   - createsUser: Whether an identity without a user becomes a user; `false` reauthenticates.
    ///   - origin: The request.
    /// - Returns: The session that began, or why none did. Its decision record is committed in every case.
    /// - Throws: ``BrokerError/invalidPendingToken``, or a store's error; then nothing was written.
    package func signIn(
        _ credential: VerifiedCredential, createsUser: Bool = true, origin: Origin
    ) async throws -> SignInOutcome<SessionFacts> {
        try await signIn(
            credential, createsUser: createsUser, as: credential.sessionShape(), origin: origin)
    }

    /// Signs a user in with a session of another shape; `onlyUser` is the localId of the only user who may sign in.
    /// `completing` writes what belongs to the session, in its transaction.
    func signIn(
        _ credential: VerifiedCredential, createsUser: Bool, as shape: SessionShape, onlyUser: String? = nil,
        origin: Origin,
        completing: @escaping @Sendable (SessionFacts, borrowing Transaction) throws -> Void = { _, _ in }
    ) async throws -> SignInOutcome<SessionFacts> {
        let (localID, sessionID) = (LocalID.generate(), Session.newID())
        let provider = credential.evidence.key.provider
        RequestAdmission.note(provider: provider)
        let outcome = try await FlowMetrics.counting(.signIn, at: provider, outcome: \.flowOutcome) {
            try await write(by: origin) { [self] transaction in
                let outcome = try resolve(
                    credential, createsUser: createsUser, onlyUser: onlyUser,
                    newUser: settings.current.allowsSignUp ? localID : nil, origin, in: transaction)
                return try outcome.map { record, isNewUser in
                    let session = Session(
                        sessionID, of: record.user, provider: credential.evidence.key.provider, as: shape,
                        from: origin.device, in: transaction)
                    let facts = try writer.begin(session, of: record, isNewUser: isNewUser, in: transaction)
                    try replace(shape.replaces, by: session, in: transaction)
                    try completing(facts, transaction)
                    return facts
                }
            }
        }
        switch outcome {
        case .signedIn: RequestAdmission.noteSignIn(at: provider)
        // Identity Toolkit answers it as a success.
        case .needConfirmation: RequestAdmission.note(.needConfirmation(providers: nil))
        case .refused: break
        }
        return outcome
    }

    /// Resolves a credential to its user without a session, for administrators.
    ///
    /// - Returns: The user, who may be new, or why there is none.
    /// - Throws: As for a sign-in.
    package func user(of credential: VerifiedCredential, origin: Origin) async throws -> SignInOutcome<UserRecord> {
        let localID = LocalID.generate()
        return try await write(by: origin) { [self] transaction in
            let outcome = try resolve(
                credential, createsUser: true, onlyUser: nil, newUser: localID, origin, in: transaction)
            return try outcome.map { record, _ in
                try transaction.recordSignIn(userKey: record.user.key, at: transaction.now)
                return try transaction.record(of: transaction.current(record.user))
            }
        }
    }

    /// Reads the accounts, decides, records the decision, and writes what it says. `newUser` is the localId of a user to
    /// be created; nil where users may not create accounts.
    ///
    /// - Returns: The user with all identities as they are afterwards.
    private func resolve(
        _ credential: VerifiedCredential, createsUser: Bool, onlyUser: String?, newUser: String?, _ origin: Origin,
        in transaction: borrowing Transaction
    ) throws -> SignInOutcome<UserRecord> {
        let evidence = credential.evidence
        let accounts = try AccountSnapshot(of: evidence, in: transaction)
        let resolution = AccountResolver.signIn(
            evidence, accounts, createsUser: createsUser, onlyUser: onlyUser, policy: policy.emailCollision)
        if let pending = credential.pendingToken, let bound = try PendingTokens.user(of: pending, in: transaction),
            !resolution.decision.signsIn(bound)
        {
            throw BrokerError.invalidPendingToken
        }
        let record = DecisionRecord(evidence: evidence, rule: resolution.rule, origin: origin)
        func refuse(_ error: BrokerError) throws -> SignInOutcome<UserRecord> {
            try record.refused(error, about: accounts.subject, in: transaction)
            return .refused(error)
        }
        switch resolution.decision {
        case .refuse(let error): return try refuse(error)
        case .needConfirmation(let holder, let discloses, let isRecycled):
            try record.needConfirmation(by: holder, in: transaction)
            let disclosed = EmailHolder(localID: holder.localID, providers: accounts.emailHolderProviders)
            return .needConfirmation(discloses ? disclosed : nil, isRecycled: isRecycled)
        case .signIn(let owner):
            if let error = try writer.consume(credential, for: owner.user.localID, in: transaction) {
                return try refuse(error)
            }
            try record.signedIn(owner.user.localID, isNewUser: false, in: transaction)
            if credential.isKnown { return .signedIn(try transaction.record(of: owner.user), isNewUser: false) }
            let report = MergeReport(
                evidence: evidence, isAutomatic: credential.mergesAutomatically, origin: origin)
            let user = try mergeUsers(by: report, owner, with: accounts.others, in: transaction)
            let owner =
                try accounts.announced.map { try $0.migrate(owner, by: evidence, origin, in: transaction) } ?? owner
            let renewed = try writer.renew(owner, from: evidence, claiming: accounts.unclaimed, in: transaction)
            // A merge would have brought further identities.
            let record =
                try owner.isOnlyIdentity && accounts.others.isEmpty
                ? UserRecord(user: user, identities: [renewed]) : transaction.record(of: user)
            return .signedIn(record, isNewUser: false)
        case .join(let holder, let strips):
            if let error = try writer.consume(credential, for: holder.localID, in: transaction) {
                return try refuse(error)
            }
            try record.signedIn(holder.localID, isNewUser: false, in: transaction)
            let user = try writer.join(evidence, to: holder, strips: strips, in: transaction)
            try record.publish(.linked, of: holder.localID, in: transaction)
            return .signedIn(try transaction.record(of: user), isNewUser: false)
        case .createUser(let released, let withEmail):
            guard let newUser else { return try refuse(.signUpOff) }
            if let error = try writer.consume(credential, for: newUser, in: transaction) { return try refuse(error) }
            try record.signedIn(newUser, isNewUser: true, released: released, in: transaction)
            if let released { try transaction.releaseEmail(of: released.key) }
            return .signedIn(
                try writer.create(newUser, from: evidence, withEmail: withEmail, in: transaction), isNewUser: true)
        }
    }

    /// Ends the session in whose place another one of the same browser has begun, if there is one.
    private func replace(
        _ earlier: Session?, by session: Session, in transaction: borrowing Transaction
    ) throws(StoreError) {
        guard let earlier else { return }
        let hasEnded = try transaction.revokeSession(
            id: earlier.id, at: transaction.now, reason: "signed in again")
        // Sessions that descend from the user's earlier one continue under the new one, unless it had been revoked.
        if hasEnded, earlier.userKey == session.userKey {
            try transaction.moveSessions(from: earlier.id, to: session.id)
        }
    }
}

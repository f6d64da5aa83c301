package import BrokerStore
import ProviderKit

/// The login by which a user proves to own the other account of a merge.
package enum OtherLogin: Sendable {
    /// A session of its own, by a token.
    case session(PresentedSession)
    /// A login at a provider that began no session.
    case provider(ProvenLogin)
}

/// A login at a provider in the browser of a user who is signed in to another account: it began no session. It is valid in
/// the epoch of its user and as long as the identity is that user's. It is never stored, only sealed into a form.
package struct ProvenLogin: Codable, Sendable, Hashable {
    let localID: String
    let epoch: Int64
    let identityKey: Int64
    /// When the user authenticated, in whole seconds since 1970.
    let authTime: Int64
    /// `amr` (RFC 8176).
    let methods: [String]
}

/// The same once the token behind it is known to be valid.
enum JudgedLogin: Sendable {
    case session(JudgedSession)
    /// With the id of the session that begins if the other account's user remains.
    case provider(ProvenLogin, sessionID: String)
}

extension AccountContext {
    /// Turns the credential of a provider into the login of the user who has its identity, and uses it up. Begins no session.
    ///
    /// - Parameters:
    ///   - credential: What the provider has verified.
    ///   - origin: The request.
    /// - Returns: The login. The user may be disabled.
    /// - Throws: ``BrokerError/noAccount`` where no user has the identity, ``BrokerError/idTokenAlreadyUsed``.
    func proveLogin(_ credential: VerifiedCredential, origin: Origin) async throws -> ProvenLogin {
        let now = now
        let result: Result<ProvenLogin, BrokerError> = try await store.write(at: now, by: origin) {
            [self] transaction in
            let evidence = credential.evidence
            guard let owner = try AccountSnapshot(of: evidence, in: transaction).owner else {
                return .failure(.noAccount)
            }
            if let refusal = try writer.consume(credential, for: owner.user.localID, in: transaction) {
                return .failure(refusal)
            }
            try transaction.audit(
                "user.reauthenticated", of: owner.user.localID, provider: evidence.key.provider,
                subjectHash: evidence.key.subjectHash)
            let shape = credential.sessionShape(.web)
            return .success(
                ProvenLogin(
                    localID: owner.user.localID, epoch: owner.user.epoch, identityKey: owner.identity.key,
                    authTime: shape.authTime(at: now), methods: shape.authenticationMethods ?? []))
        }
        return try result.get()
    }

    /// Looks at what is presented without looking at the store.
    ///
    /// - Throws: ``BrokerError/otherLoginInvalid(_:)``, or a store's error.
    func judge(_ login: OtherLogin, at now: Timestamp) async throws -> JudgedLogin {
        switch login {
        case .session(.session(let id, let family)): return .session(.session(id: id, family, now))
        case .session(.idToken(let token)):
            do {
                return .session(.claims(try await sessions.verifier.claims(of: token, at: now)))
            } catch BrokerError.invalidIDToken {
                throw BrokerError.otherLoginEnded
            }
        case .provider(let login): return .provider(login, sessionID: Session.newID())
        }
    }
}

extension BrokerError {
    /// One answer to every login that is none of a session or a user here: unknown, foreign, expired or ended.
    static let otherLoginEnded = BrokerError.otherLoginInvalid(
        "The other account's login is unknown, has expired or ended, or is another client's. Sign in to it again.")
}

extension Transaction {
    /// The session of the other account's login, with its user, who may be disabled.
    ///
    /// - Throws: ``BrokerError/otherLoginInvalid(_:)``, or a store's error.
    func facts(of login: JudgedLogin) throws -> SessionFacts {
        switch login {
        case .session(let session): return try facts(of: session)
        case .provider(let login, let sessionID):
            guard let identity = try identity(key: login.identityKey), let user = try user(key: identity.userKey),
                user.localID.hasSameBytes(as: login.localID), user.epoch == login.epoch
            else { throw BrokerError.otherLoginEnded }
            var session = Session(
                sessionID, of: user, provider: identity.provider,
                as: SessionShape(
                    family: .web, authTime: login.authTime, authenticationMethods: login.methods),
                from: ClientDevice(), in: self)
            // A transaction that only reads was given no moment, by which the time of the login could be limited.
            session.authTime = login.authTime
            session.identityKey = identity.key
            return SessionFacts(session: session, user: user, identities: try identities(of: user.key))
        }
    }

    private func facts(of judged: JudgedSession) throws -> SessionFacts {
        let facts: SessionFacts?
        do {
            facts = try liveSession(behind: judged)
        } catch BrokerError.userDisabled {
            // The session would be live otherwise.
            facts = try sessionFacts(id: judged.sessionID)
        } catch is BrokerError {
            facts = nil
        }
        guard let facts, facts.session.allowsAccountAccess else { throw BrokerError.otherLoginEnded }
        return facts
    }
}

extension JudgedSession {
    fileprivate var sessionID: String {
        switch self {
        case .claims(let claims): claims.sessionID
        case .session(let id, _, _): id
        }
    }
}

extension Session {
    /// Whether its holder may act on the account: a client needs the scope for it.
    fileprivate var allowsAccountAccess: Bool { family != .oauth || Scopes(scope ?? "").contains(.account) }
}

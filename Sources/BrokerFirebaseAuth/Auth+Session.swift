import BrokerClient
import Locks

extension Auth {
    /// What is known of the session.
    struct State: Sendable {
        var broker: BrokerAuth?
        /// Reads the stored session.
        var restoration: Task<Void, Never>?
        /// Whether the stored session was read, or there is none.
        var isRestored = false
        private(set) var user: User?
        var lastSignOut: Task<Void, Never>?
        private var signOuts = 0
        /// Rises with every sign-out, so that what was read before one is not taken after it.
        private(set) var revision = 0
        /// Rises with every new token.
        var tokens = 0
        var listeners: [AuthListener] = []

        var isSigningOut: Bool { signOuts > 0 }

        mutating func beginSignOut() {
            (user, signOuts, revision) = (nil, signOuts + 1, revision + 1)
        }

        mutating func endSignOut() { (signOuts, revision) = (signOuts - 1, revision + 1) }

        /// Makes the user what a session says, unless a sign-out has begun.
        mutating func follow(_ session: AuthSession?, of auth: Auth) {
            guard let session, !isSigningOut else {
                user = nil
                return
            }
            if let user, user.uid == session.userID { return user.follow(session) }
            user = User(session, auth)
        }
    }

    /// Restores the stored session of a broker, and follows it.
    func use(_ broker: BrokerAuth) {
        // Before the session is read, so that no change is missed.
        let events = broker.events
        state.withLock { state in
            (state.broker, state.isRestored) = (broker, false)
            state.restoration = Task { await self.readSession() }
        }
        Task { [weak self] in
            await self?.restore()
            for await event in events {
                guard let self else { return }
                await self.follow(event)
            }
        }
    }

    /// The broker, once the stored session was read and all sign-outs have ended.
    ///
    /// - Throws: ``AuthErrorCode/internalError`` before ``configure(_:)``.
    func ready() async throws -> BrokerAuth {
        let broker = try configured()
        let (restoration, signOut) = state.withLock { ($0.restoration, $0.lastSignOut) }
        await restoration?.value
        await signOut?.value
        return broker
    }

    func configured() throws -> BrokerAuth {
        guard let broker = state.withLock({ $0.broker }) else {
            throw AuthErrors.error(.internalError, "Auth.configure was not called.")
        }
        return broker
    }

    /// Makes the user what the broker's session says, also when a sign-out comes between.
    func readSession() async {
        while let broker = state.withLock({ $0.broker }) {
            let before = state.withLock { $0.revision }
            let session = await broker.session
            let isCurrent = state.withLock { state in
                guard state.revision == before else { return false }
                state.follow(session, of: self)
                return true
            }
            if isCurrent { return }
        }
    }

    private func restore() async {
        guard let broker = state.withLock({ $0.broker }) else { return }
        await state.withLock { $0.restoration }?.value
        // Another process may have changed the account, and a session may lack its user.
        if currentUser != nil { markRestored() }
        do throws(BrokerAuthError) {
            _ = try await broker.restore()
            await readSession()
        } catch {
            // The device is locked: whether there is a session is not known yet.
            if error == .storageLocked, currentUser == nil { return }
        }
        markRestored()
        try? await currentUser?.reload()
    }

    private func follow(_ event: SessionEvent) async {
        await readSession()
        switch event {
        case .signedIn, .refreshed: state.withLock { $0.tokens += 1 }
        default: break
        }
        markRestored()
    }

    private func markRestored() {
        state.withLock { $0.isRestored = true }
        notifyListeners()
    }

    /// The result of a sign-in, link or reauthentication, whose user is the current one when the call returns.
    func result(
        of credential: (any AuthCredential)?, _ work: () async throws(BrokerAuthError) -> SignInResult
    ) async throws -> AuthDataResult {
        let result = try await translating(of: credential, work)
        await readSession()
        let user = currentUser.flatMap { $0.uid == result.session.userID ? $0 : nil } ?? User(result.session, self)
        // The user is signed in even if the record cannot be read now.
        try? await user.reload()
        return AuthDataResult(result, user: user)
    }

    /// Runs a call of the broker's client, whose errors become those of ``AuthErrors/domain``.
    func translating<Value>(
        of credential: (any AuthCredential)? = nil, _ work: () async throws(BrokerAuthError) -> Value
    ) async throws -> Value {
        do throws(BrokerAuthError) {
            return try await work()
        } catch {
            throw AuthErrors.error(error, of: credential)
        }
    }
}

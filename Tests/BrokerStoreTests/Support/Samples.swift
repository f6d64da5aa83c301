import BrokerStore

let keys = KeyGenerator()

/// A unique key of this process.
func newKey() -> Int64 { keys.next(at: Timestamp.noon.date) }

extension User {
    static func sample(email: String? = nil) -> User {
        User(key: newKey(), localID: randomText(), email: email, emailCanonical: email, createdAt: .noon)
    }
}

extension IdentityKey {
    static func sample(provider: String = "github.com", subject: String = randomText(9)) -> IdentityKey {
        IdentityKey(provider: provider, issuer: "https://\(provider)", subject: subject)
    }
}

extension Identity {
    static func sample(of user: User, _ identity: IdentityKey = .sample()) -> Identity {
        Identity(
            key: newKey(), userKey: user.key, identity: identity, profile: "{}", linkedAt: .noon, lastSignInAt: .noon)
    }
}

extension Session {
    static func sample(of user: User) -> Session {
        Session(
            key: newKey(), id: randomText(22), userKey: user.key, signInProvider: "github.com",
            authTime: Timestamp.noon.seconds, createdAt: .noon, epoch: user.epoch)
    }
}

extension MergeSnapshot {
    static func sample(of survivor: User, expiresAt: Timestamp = .seconds(afterNoon: 60)) -> MergeSnapshot {
        MergeSnapshot(
            key: newKey(), id: randomText(12), survivorKey: survivor.key, absorbedLocalID: randomText(28),
            provider: "1pass.dev", createdAt: .noon, expiresAt: expiresAt, sealedUsers: randomBytes(64))
    }
}

extension Store {
    /// Adds a user without any identity.
    @discardableResult
    func addUser(_ user: User = .sample()) async throws -> User {
        let isAdded = try await write { tx in try tx.insert(user) }
        guard isAdded else { throw StoreError(.constraint, "the sample user is there already") }
        return user
    }

    /// Adds a session of `user`.
    func addSession(of user: User) async throws -> Session {
        let session = Session.sample(of: user)
        try await write { tx in try tx.insert(session) }
        return session
    }

    func user(_ user: User) async throws -> User? {
        try await read { tx in try tx.user(key: user.key) }
    }
}

import BrokerStore
import Synchronization

/// The users of a store, with identities, sessions and rows of every other table.
final class Crowd: Sendable {
    /// What a store has acknowledged last about a user.
    struct Acknowledged: Sendable {
        var user: User
        var sessions: [Session] = []
    }

    let store: Store
    private let count = Atomic<Int>(0)
    private let known = Mutex<[Int64: Acknowledged]>([:])

    init(of store: Store) {
        self.store = store
    }

    /// What the store has promised to keep.
    var acknowledged: [Acknowledged] { known.withLock { Array($0.values) } }

    /// How many things they have done.
    var writes: Int { count.load(ordering: .relaxed) }

    /// Adds a user with a row in every table.
    @discardableResult
    func join() async throws -> User {
        let user = User.sample(email: "\(randomText(8))@example.com")
        let identity = Identity.sample(of: user)
        let session = Session.sample(of: user)
        let rows = Rows(user: user, identity: identity)
        store.forgetEventSubscriptions()
        try await store.write { tx in
            guard try tx.insert(user), try tx.insert(identity) else { throw StoreError(.constraint, "taken") }
            try tx.insert(session)
            try rows.insert(into: tx)
        }
        known.withLock { $0[user.key] = Acknowledged(user: user, sessions: [session]) }
        return user
    }

    /// A random action of a user.
    func act() async throws {
        defer { count.add(1, ordering: .relaxed) }
        guard let one = acknowledged.randomElement(), Int.random(in: 0..<4) > 0 else {
            try await join()
            return
        }
        switch Int.random(in: 0..<6) {
        case 0: try await leave(one.user)
        case 1: try await passAddress(from: one.user)
        case 2: try await merge(one.user)
        case 3: try await signIn(one.user)
        default: try await refresh(one)
        }
    }

    private func leave(_ user: User) async throws {
        known.withLock { $0[user.key] = nil }
        try await store.write { tx in _ = try tx.deleteUser(key: user.key) }
    }

    /// The address of one user becomes another's, which no order of copying rows can get wrong unnoticed.
    private func passAddress(from user: User) async throws {
        guard let other = acknowledged.randomElement(), other.user.key != user.key else { return }
        try await store.write { tx in
            guard let email = try tx.user(key: user.key)?.email, try tx.user(key: other.user.key) != nil else { return }
            try tx.releaseEmail(of: user.key)
            _ = try tx.setEmail(
                of: other.user.key, email: email, canonical: email, verified: true, assertedBy: nil, at: .noon)
        }
    }

    /// Moves a user's identities, with all rows that depend on them, to a new user.
    private func merge(_ user: User) async throws {
        let heir = User.sample()
        try await store.write { tx in
            guard try tx.user(key: user.key) != nil, try tx.insert(heir) else { return }
            try tx.moveRows(from: user.key, to: heir.key)
            _ = try tx.deleteUser(key: user.key)
        }
        known.withLock { $0[user.key] = nil }
    }

    private func signIn(_ user: User) async throws {
        let session = Session.sample(of: user)
        let isThere = try await store.write { tx in
            guard try tx.user(key: user.key) != nil else { return false }
            try tx.insert(session)
            return true
        }
        if isThere { known.withLock { $0[user.key]?.sessions.append(session) } }
    }

    private func refresh(_ one: Acknowledged) async throws {
        guard let session = one.sessions.randomElement() else { return }
        let rotation = try await store.rotate(
            sessionID: session.id, generation: session.generation, at: .noon, idleSince: .noon, createdSince: .noon)
        guard case .rotated(let facts) = rotation else { return }
        known.withLock { known in
            guard let index = known[one.user.key]?.sessions.firstIndex(where: { $0.key == session.key }) else { return }
            known[one.user.key]?.sessions[index] = facts.session
        }
    }
}

/// The rows of the less frequented tables.
private struct Rows: Sendable {
    let user: User
    let identity: Identity

    func insert(into tx: borrowing Transaction) throws {
        _ = try tx.addAlias(.sample(), to: identity.key, at: .noon)
        _ = try tx.addUserAlias(randomText(28), of: user.key, at: .noon)
        try tx.insert(
            AccountNotice(
                key: newKey(), userKey: user.key, kind: .mergedFrom, value: randomText(28), createdAt: .noon))
        let session = Session.sample(of: user)
        try tx.insert(session)
        _ = try tx.deliverNotices(in: session, at: .noon, repeatedSince: .noon)
        try tx.insert(MergeSnapshot.sample(of: user))
        try tx.insert(
            PendingToken(
                key: newKey(), tokenHash: randomBytes(), sealedEvidence: randomBytes(), createdAt: .noon,
                expiresAt: .seconds(afterNoon: 60), authTime: 0))
        _ = try tx.recordUse(
            of: UsedIDToken(
                key: newKey(), tokenHash: randomBytes(), localID: user.localID, usedAt: .noon,
                expiresAt: .seconds(afterNoon: 60)))
        try tx.keep(
            FirstTimeProfile(
                key: newKey(), identity: identity.identity, givenName: "Åsa", familyName: nil, email: nil,
                isEmailVerified: false, capturedAt: .noon))
        let instance = "https://\(randomText(8)).example"
        try tx.putInForce(
            SubjectMapping(
                provider: randomText(8), version: 1, instance: instance, rule: "", issuer: instance, createdAt: .noon))
        let entry = AuditEntry(key: newKey(), at: .noon, actorKind: .user, event: "user.joined")
        try tx.append(entry)
        _ = try tx.place(SealedAuditEntry(entry: entry, sequence: entry.key, keyID: "key", seal: randomBytes()))
        // One row for all: users who join at the same time must not wait for one another.
        if try tx.auditAnchors().isEmpty {
            try tx.put(
                AuditAnchor(
                    name: .head, sequence: entry.key, seal: randomBytes(), at: .noon, keyID: "key",
                    signature: randomBytes()))
        }
        _ = try tx.insertSetting("setting-\(randomText(6))", randomBytes(0))
        try tx.put(MasterKeyRow(key: newKey(), id: randomText(8), checkValue: randomBytes(), endedAt: .noon))
        try tx.insert(
            WrappedKey(
                key: newKey(), purpose: randomText(), generation: 1, id: randomText(8), sealedKey: randomBytes(48),
                createdAt: .noon, activatesAt: .noon))
        try tx.append(
            Decision(
                key: newKey(), at: .noon, requestID: randomText(), provider: "github.com", issuer: "https://github.com",
                subjectHash: randomText(), rule: "new-user", outcome: "created", evidence: "{}"))
        let grant = ProviderGrant(
            key: newKey(), identityKey: identity.key, provider: identity.provider, clientID: "web", scopes: "",
            sealedAccessToken: randomBytes(48), sealedRefreshToken: nil, expiresAt: nil, obtainedAt: .noon,
            version: 1)
        try tx.upsertGrant(grant)
        _ = try tx.lease(grant, to: GrantLease(holder: "broker", until: .seconds(afterNoon: 30)), at: .noon)
        _ = try tx.refuse(grant, GrantRefusal(at: .noon, reason: .revoked))
        try tx.recordProbe(of: grant, .valid, at: .noon)
        _ = try tx.pauseProbes(ProbePause(provider: randomText(8), at: .noon, counts: .init(probes: 30, failures: 20)))
        try tx.insert(
            Withdrawal(
                key: newKey(), id: randomText(24), identity: identity.identity, subjectHash: randomText(),
                clientID: "web", tokenHint: .accessToken, cause: .unlink, sealedGrant: randomBytes(48),
                createdAt: .noon))
        try insertEvents(into: tx)
        try insertDeliveries(into: tx)
        try tx.insert(
            AdminCredential(
                key: newKey(), id: randomText(12), name: "Backend", tokenHash: randomBytes(),
                scopes: "provider-tokens:read", createdAt: .noon))
        _ = try tx.insert(
            StoredProviderEntry(
                key: newKey(), id: "oidc.\(randomText(8))", sealedEntry: randomBytes(48), version: 1, createdAt: .noon,
                changedAt: .noon))
        let account = StoredServiceAccount(
            key: newKey(), id: randomText(12), name: randomText(12), email: "\(randomText(12))@demo.iam.example",
            scopes: "users:read", createdAt: .noon)
        _ = try tx.insert(account)
        try tx.insert(
            StoredServiceAccountKey(
                key: newKey(), accountKey: account.key, id: randomText(43), publicJWK: "{}", createdAt: .noon))
        try insertConsoleAdministrator(into: tx)
        try insertOutcomes(into: tx)
        try insertDevice(into: tx)
        try insertBrowsers(into: tx)
        try insertMigration(into: tx)
    }

    /// An app that goes to another owner.
    private func insertMigration(into tx: borrowing Transaction) throws {
        let job = try tx.begin(
            SubjectMigrationJob(
                key: newKey(), provider: identity.provider, sourceIssuer: identity.issuer,
                targetIssuer: "https://\(randomText(8)).example", phase: .prepare, windowSeconds: 60, startedAt: .noon))
        _ = try tx.enlist(for: job, after: identity.key - 1, limit: 1)
        try tx.pause(job, .init(at: .noon, code: "client-refused", reason: "The client was refused."))
    }

    private func insertOutcomes(into tx: borrowing Transaction) throws {
        try tx.append(
            RecordedRefusal(
                key: newKey(), at: .noon, requestID: randomText(20), route: "/oauth/token", status: 400,
                code: "INVALID_GRANT", text: "The code expired.", provider: identity.provider, clientID: randomText()))
        try tx.put(
            OutcomeCount(
                hour: .noon, code: "INVALID_GRANT", provider: identity.provider, clientID: randomText(),
                holder: randomText(), count: 1))
    }

    private func insertConsoleAdministrator(into tx: borrowing Transaction) throws {
        let administrator = ConsoleAdministrator(
            key: newKey(), id: randomText(12), provider: identity.provider, issuer: "https://github.com",
            subject: randomText(), name: "Ada", createdAt: .noon)
        try tx.insert(administrator)
        try tx.insert(
            ConsoleSession(
                key: newKey(), administratorKey: administrator.key, tokenHash: randomBytes(),
                partiesHash: randomBytes(), authTime: Timestamp.noon.seconds, createdAt: .noon, lastUsedAt: .noon))
    }

    private func insertDevice(into tx: borrowing Transaction) throws {
        let device = ProviderDevice(
            key: newKey(), provider: identity.provider, deviceHash: randomBytes(), claim: randomText(),
            claimedUntil: .seconds(afterNoon: 60), createdAt: .noon)
        _ = try tx.claim(device)
        // A claim has no identity yet.
        _ = try tx.claim(
            ProviderDevice(
                key: newKey(), provider: identity.provider, deviceHash: randomBytes(), claim: randomText(),
                claimedUntil: .seconds(afterNoon: 60), createdAt: .noon))
        _ = try tx.confirmDevice(
            key: device.key, claim: device.claim ?? "", secretHash: randomBytes(), sealedSecret: randomBytes(48),
            identityKey: identity.key, at: .noon)
    }

    /// What backends are told.
    private func insertDeliveries(into tx: borrowing Transaction) throws {
        // One of each for all: every subscriber adds a delivery for every user.
        if try tx.webhooks().isEmpty {
            try tx.insert(webhook(subscribedTo: "user.deleted"))
            try tx.insert(webhook(subscribedTo: "user.created"))
        }
        try tx.publish(.created, of: user.localID, ["provider": "github.com"])
    }

    private func webhook(subscribedTo event: String) -> Webhook {
        var webhook = Webhook(
            key: newKey(), id: randomText(20), url: "https://backend.example/events", events: [event],
            sealedSecret: randomBytes(48), createdAt: .noon)
        guard event == "user.deleted" else { return webhook }
        webhook.previousSecret = .init(sealed: randomBytes(48), until: .seconds(afterNoon: 60))
        webhook.disabling = .init(at: .noon, reason: "answered with status 410")
        return webhook
    }

    /// What providers report.
    private func insertEvents(into tx: borrowing Transaction) throws {
        _ = try tx.record(
            ReceivedEvent(
                key: newKey(), provider: identity.provider, eventHash: randomBytes(), receivedAt: .noon,
                expiresAt: .seconds(afterNoon: 60)))
        try tx.setFeedCursor(randomText(), of: randomText(), at: .noon)
        try tx.refuseSignatureKey(randomText(), of: identity.provider, at: .noon)
        _ = try tx.setMailDisabled(true, ofIdentity: identity.key, since: .noon)
        try tx.markConsentRevoked(ofIdentity: identity.key, at: .noon)
        try tx.scheduleRemoval(ofIdentity: identity.key, at: .seconds(afterNoon: 60))
    }

    /// The sign-in attempts that have not ended.
    private func insertBrowsers(into tx: borrowing Transaction) throws {
        var client = Client(
            key: newKey(), id: randomText(22), kind: .confidential, name: "App",
            redirectURIs: ["https://app.example/callback"], secretHash: randomBytes(), createdAt: .noon)
        client.backChannelLogout = .init(uri: "https://app.example/logout", requiresSession: true)
        client.logo = randomText(64) + ".svg"
        try tx.insert(client)
        try tx.keepLogos(
            of: client,
            adding: [ClientLogo(clientKey: client.key, name: client.logo ?? "", content: randomBytes(80))])
        try tx.insert(
            SignInAttemptRow(
                key: newKey(), stateHash: randomBytes(), purpose: "browser", provider: "github.com",
                bindingHash: randomBytes(), sealedRequest: randomBytes(48), createdAt: .noon,
                expiresAt: .seconds(afterNoon: 600)))
        try tx.insert(
            AuthorizationCode(
                key: newKey(), codeHash: randomBytes(), clientID: client.id,
                redirectURI: "https://app.example/callback", codeChallenge: randomText(43), scope: "openid",
                nonce: nil, userKey: user.key, epoch: user.epoch, provider: "github.com", authTime: 1,
                authenticationMethods: "fed", sessionID: randomText(22), parentID: nil, createdAt: .noon,
                expiresAt: .seconds(afterNoon: 60)))
        _ = try tx.insert(
            DeviceAuthorizationRow(
                key: newKey(), deviceCodeHash: randomBytes(), userCodeHash: randomBytes(), purpose: .client,
                party: client.id, scope: "openid", sealedRequest: nil, createdAt: .noon,
                expiresAt: .seconds(afterNoon: 600), pollInterval: 5))
    }
}

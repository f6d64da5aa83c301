import Foundation

/// The session of this app: reads and stores it, refreshes its tokens once for all callers, and ends it.
///
/// Everything that changes the session runs one after the other, in this process by ``exclusively(_:)`` and between
/// processes by the storage's lock.
actor CurrentSession {
    let key: StorageKey
    /// The place of what outlives the session.
    let dataKey: StorageKey
    /// The place of the secrets that identify the device.
    let deviceKey: StorageKey
    /// The place of the token for sensitive calls.
    let highAssuranceKey: StorageKey
    /// The place of a sign-in that the system may have interrupted.
    let pendingKey: StorageKey
    let storage: any SessionStorage
    let endpoints: BrokerEndpoints
    let environment: ClientEnvironment
    let accountData: (any AccountDataHandler)?
    let events = EventBroadcast()
    let states = SessionStates()

    /// The session in memory; `nil` when none was read. Absence is not cached, since another process may sign in.
    private(set) var known: StoredSession?
    /// The session is newer than the storage, which has not saved it yet, or failed to.
    private(set) var isUnsaved = false
    /// What the storage has not saved yet of the data, or failed to.
    private var unsavedData: LocalAccountData?
    /// The user is signed out although the storage may still have the session: it failed to remove it.
    private(set) var isForgotten = false
    /// Rises with every change, so that a slow read of the storage does not undo one.
    private var revision = 0
    private var lastInLine: Task<Void, Never>?
    /// Rises with every sign-out, so that a refresh that was under way does not bring the session back.
    private(set) var epoch = 0
    var runningRefresh: Task<Result<StoredSession, BrokerAuthError>, Never>?
    var backoff = RefreshBackoff()
    var runningWork: Task<Void, Never>?
    /// Whether the task runs an ``AccountDataHandler``.
    @TaskLocal static var isInHandler = false

    init(
        of configuration: BrokerConfiguration, storage: any SessionStorage, endpoints: BrokerEndpoints,
        environment: ClientEnvironment,
        accountData: (any AccountDataHandler)?
    ) {
        key = .session(of: configuration)
        dataKey = .localUsers(of: configuration)
        deviceKey = .deviceSecret(of: configuration)
        highAssuranceKey = .highAssurance(of: configuration)
        pendingKey = .pendingSignIn(of: configuration)
        self.storage = storage
        self.endpoints = endpoints
        self.environment = environment
        self.accountData = accountData
    }

    /// The session as this process knows it.
    func current() async throws(BrokerAuthError) -> StoredSession? {
        if let known { return known }
        return try await reload()
    }

    /// The session as the storage has it now.
    func reload() async throws(BrokerAuthError) -> StoredSession? {
        if isForgotten { return nil }
        if isUnsaved { return known }
        let revision = revision
        let stored = try await storage.load(key).flatMap { StoredSession(content: $0.content) }
        guard self.revision == revision else { return known }
        known = stored
        states.set(state)
        return stored
    }

    private var state: SessionState {
        guard let known else { return .signedOut }
        // A refresh tells the user of a refresh token.
        return known.session.map(SessionState.signedIn) ?? .restoring
    }

    /// What this device holds of users, as it is stored.
    func data() async throws(BrokerAuthError) -> LocalAccountData {
        if let unsavedData { return unsavedData }
        if let stored = try await storage.load(dataKey).flatMap({ LocalAccountData(content: $0.content) }) {
            return stored
        }
        return try await storage.load(key).map { LocalAccountData(ofSession: $0.content) } ?? LocalAccountData()
    }

    /// Stores a session. On failure it stays in memory, to be stored before it is used.
    func save(_ session: StoredSession) async throws(BrokerAuthError) {
        (known, isUnsaved, isForgotten) = (session, true, false)
        revision += 1
        try await storage.save(StoredItem(key: key, content: try session.content()))
        isUnsaved = false
        states.set(state)
    }

    /// Stores a session after what its tokens mean for the data of this device.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - data: The data as it is from now on.
    ///   - former: The data as it was.
    /// - Throws: ``BrokerAuthError``; both stay in memory then, to be stored before they are used.
    func save(
        _ session: StoredSession, _ data: LocalAccountData, insteadOf former: LocalAccountData
    ) async throws(BrokerAuthError) {
        (known, isUnsaved, isForgotten) = (session, true, false)
        revision += 1
        if data != former { try await save(data) }
        try await save(session)
    }

    private func save(_ data: LocalAccountData) async throws(BrokerAuthError) {
        unsavedData = data
        try await storage.save(StoredItem(key: dataKey, content: try data.content()))
        unsavedData = nil
    }

    /// Stores the session of a sign-in. On failure the former session goes on.
    func replace(
        _ former: StoredSession?, with session: StoredSession, _ data: LocalAccountData,
        insteadOf formerData: LocalAccountData
    ) async throws(BrokerAuthError) {
        let (wasUnsaved, wasForgotten, wasUnsavedData) = (isUnsaved, isForgotten, unsavedData)
        do throws(BrokerAuthError) {
            try await save(session, data, insteadOf: formerData)
        } catch {
            (known, isUnsaved, isForgotten, unsavedData) = (former, wasUnsaved, wasForgotten, wasUnsavedData)
            revision += 1
            throw error
        }
    }

    /// Stores a session and the data that could not be stored before.
    func saveAgain() async throws(BrokerAuthError) {
        if let unsavedData { try await save(unsavedData) }
        if isUnsaved, let known { try await save(known) }
    }

    /// Changes what is stored of the data of this device.
    func changeData(
        _ change: @escaping @Sendable (inout LocalAccountData) -> Void
    ) async throws(BrokerAuthError) {
        try await exclusively { current in
            do throws(BrokerAuthError) {
                var data = try await current.data()
                change(&data)
                try await current.save(data)
                return .success(())
            } catch {
                return .failure(error)
            }
        }
    }

    /// Removes what must not outlive a session that the user has ended: after a sign-out the secret of the device or an
    /// interrupted sign-in would sign in again; after a deletion nothing of the user stays.
    func removeCredentials(after reason: SignOutReason) async throws(BrokerAuthError) {
        switch reason {
        case .requested:
            try await storage.remove(deviceKey)
            try await storage.remove(pendingKey)
        case .accountDeleted:
            try await storage.remove(deviceKey)
            try await storage.remove(pendingKey)
            unsavedData = nil
            try await storage.remove(dataKey)
        case .endedByBroker, .endedByAnotherProcess: break
        }
    }

    /// Forgets the session in memory and in the storage. On failure the storage is read no more.
    func remove() async throws(BrokerAuthError) {
        forgetInMemory()
        try await storage.remove(highAssuranceKey)
        try await storage.remove(key)
        isForgotten = false
    }

    /// Forgets the session here, whatever the storage has.
    func forgetInMemory() {
        (known, isUnsaved, isForgotten) = (nil, false, true)
        backoff.succeed()
        epoch += 1
        revision += 1
        states.set(.signedOut)
    }

    /// Stops a refresh that is under way from storing what it gets.
    func abandonRefresh() {
        epoch += 1
        runningRefresh?.cancel()
    }

    /// Runs work that changes the session while no other does.
    func exclusively<Value: Sendable>(
        _ work: @escaping @Sendable (isolated CurrentSession) async -> Result<Value, BrokerAuthError>
    ) async throws(BrokerAuthError) -> Value {
        let task = Task { [lastInLine, storage, key] in
            await lastInLine?.value
            do throws(BrokerAuthError) {
                return try await storage.withExclusiveAccess(to: key) { await work(self) }
            } catch {
                return .failure(error)
            }
        }
        lastInLine = Task { _ = await task.value }
        return try await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }.get()
    }

    /// Changes the stored session, if there is one.
    func change(_ change: @escaping @Sendable (inout StoredSession) -> Void) async throws(BrokerAuthError) {
        try await exclusively { current in
            do throws(BrokerAuthError) {
                guard var session = try await current.reload() else { return .success(()) }
                change(&session)
                try await current.save(session)
                return .success(())
            } catch {
                return .failure(error)
            }
        }
    }
}

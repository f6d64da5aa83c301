import Foundation

/// Whose data this device holds, and what is left to do for it. It has an item of its own beside the session, which it
/// outlives: a session may end before its app has moved anything.
struct LocalAccountData: Codable, Sendable, Equatable {
    /// The users under whose ids the app's data may be stored on this device, the latest last.
    var userIDs: [String] = []
    /// The user of the latest tokens, which the work below is for.
    var userID: String?
    /// Users whose data on this device is to be moved to ``userID``.
    var toMigrate: [String] = []
    /// Merged users whose data was never on this device, as far as it knows.
    var toAbsorb: [String] = []
    /// Users whose merge with ``userID`` was undone.
    var toSeparate: [String] = []
    /// Merged users that the handler has finished with. The broker names them in each answer.
    var finished: [String] = []
    /// Whether this device may hold data of the time when the user was anonymous.
    var hasAnonymousData = false
    /// The provider of the last sign-in.
    var lastProvider: String?

    /// The number of users that are remembered on one device.
    private static let limit = 100

    init() {}

    /// Reads the stored form; `nil` for content of another form.
    init?(content: Data) {
        guard let data = try? JSONDecoder().decode(LocalAccountData.self, from: content) else { return nil }
        self = data
    }

    /// Reads what earlier versions stored with the session.
    init(ofSession content: Data) {
        guard let session = try? JSONDecoder().decode(EarlierSession.self, from: content) else { return }
        let local = session.localUserID ?? session.userID
        (userIDs, userID) = (local.map { [$0] } ?? [], session.userID)
        if let local, local != userID { toMigrate = [local] }
        (toAbsorb, hasAnonymousData) = (session.toAbsorb ?? [], session.hasAnonymousData ?? false)
    }

    private struct EarlierSession: Decodable {
        let userID, localUserID: String?
        let toAbsorb: [String]?
        let hasAnonymousData: Bool?
    }

    /// The stored form.
    func content() throws(BrokerAuthError) -> Data {
        do {
            return try JSONEncoder().encode(self)
        } catch {
            throw .storageFailed("the local user ids cannot be encoded")
        }
    }

    /// Notes what new tokens mean for the data of this device.
    ///
    /// - Parameters:
    ///   - tokens: The tokens.
    ///   - previous: The session that they continue or replace.
    ///   - session: The session that has them.
    ///   - purpose: What they were requested for; `nil` for a refresh.
    mutating func follow(
        _ tokens: VerifiedTokens, after previous: StoredSession?, with session: StoredSession,
        for purpose: SignInPurpose?
    ) {
        let (user, merged) = (tokens.claims.subject, tokens.answer.mergedFrom)
        // The session may have ended in between.
        if let former = previous?.userID ?? userID, former != user {
            // Another user who signs in without a sign-out before does not inherit the data, unless it is of an anonymous
            // user or the broker says that both are one.
            if purpose != .signIn || previous?.isAnonymous == true || merged.contains(former) {
                add(former, to: \.toMigrate)
            } else {
                forgetWork()
            }
        } else if userID != user {
            forgetWork()
        }
        userID = user
        forgetMerges(of: tokens.answer.unmerged)
        for other in merged where !finished.contains(other) {
            add(other, to: userIDs.contains(other) ? \.toMigrate : \.toAbsorb)
        }
        toAbsorb.removeAll { $0 == user || toMigrate.contains($0) }
        for list in [\LocalAccountData.toMigrate, \.finished] { self[keyPath: list].removeAll { $0 == user } }
        for held in toMigrate + [user] { add(held, to: \.userIDs) }
        userIDs = userIDs.suffix(Self.limit)
        if session.isAnonymous || tokens.answer.isPromoted { hasAnonymousData = true }
        if purpose != nil, let provider = session.provider { lastProvider = provider }
    }

    private mutating func add(_ userID: String, to list: WritableKeyPath<LocalAccountData, [String]>) {
        if !self[keyPath: list].contains(userID) { self[keyPath: list].append(userID) }
    }

    /// Forgets what was left to do for the former user. Where its user signs in again, the broker names the merged users
    /// again.
    private mutating func forgetWork() {
        (toMigrate, toAbsorb, toSeparate, hasAnonymousData) = ([], [], [], false)
    }

    private mutating func forgetMerges(of users: [String]) {
        for user in users where userIDs.contains(user) || finished.contains(user) { add(user, to: \.toSeparate) }
        for list in [\LocalAccountData.toMigrate, \.toAbsorb, \.finished] {
            self[keyPath: list].removeAll { users.contains($0) }
        }
    }
}

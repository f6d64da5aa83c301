import BrokerStore
import OAuth
import ProviderKit

/// The browser sessions of the console, by their cookie: `cs1_<256 random bits>.<HMAC-SHA256 over that>`. The store has the
/// hash. Nothing of another session stands for one: not that of the hosted pages, no token, no admin credential.
package struct ConsoleSessions: StoreLayer {
    package let stored: StoreContext
    private let cookies: SignedText

    init(_ stored: StoreContext) {
        self.stored = stored
        // What is signed begins with the prefix, so that no cookie of the hosted pages is one of the console's.
        cookies = SignedText("cs1_", stored.masterKey, .webSessions, maximumLength: 128)
    }

    /// The time after which a session that is not used ends.
    static let idleLifetime = Duration.seconds(900)
    /// The time after which every session ends.
    static let lifetime = Duration.seconds(8 * 3600)
    /// The precision of ``ConsoleSession/lastUsedAt``, so that not every request writes.
    private static let usePrecision = Duration.seconds(15)

    /// A new cookie.
    func newCookie() -> String {
        let secret = RandomText.secret()
        return cookies.sign { _ in [secret] }
    }

    /// The hash of a cookie of ours; nil for anything else, which costs no request to the store.
    func hash(of cookie: String?) -> [UInt8]? {
        cookie.flatMap { cookies.body(of: $0) == nil ? nil : RandomText.hash(of: $0) }
    }

    /// The session of a cookie with its administrator. Its use is recorded.
    ///
    /// - Returns: nil for a session that has ended.
    /// - Throws: A store's error.
    func session(
        hash: [UInt8], at now: Timestamp
    ) async throws -> (session: ConsoleSession, administrator: ConsoleAdministrator)? {
        let found = try await store.read { transaction -> (ConsoleSession, ConsoleAdministrator)? in
            guard let session = try transaction.consoleSession(tokenHash: hash),
                let administrator = try transaction.consoleAdministrator(key: session.administratorKey)
            else { return nil }
            return (session, administrator)
        }
        guard let (session, administrator) = found, Self.isLive(session, at: now) else { return nil }
        let earlier = now.advanced(by: .zero - Self.usePrecision)
        if session.lastUsedAt <= earlier {
            try await store.write(at: now) { try $0.noteUse(ofConsoleSession: session.key, at: now, since: earlier) }
        }
        return (session, administrator)
    }

    private static func isLive(_ session: ConsoleSession, at now: Timestamp) -> Bool {
        now < session.lastUsedAt.advanced(by: idleLifetime) && now < session.createdAt.advanced(by: lifetime)
    }

    /// Ends a session.
    ///
    /// - Throws: A store's error.
    func end(_ session: ConsoleSession, origin: Origin) async throws {
        try await write(by: origin) { transaction in
            guard try transaction.removeConsoleSession(tokenHash: session.tokenHash) else { return }
            try transaction.audit("console.signed-out", of: nil, detail: [:])
        }
    }
}

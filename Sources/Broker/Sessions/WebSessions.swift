package import BrokerStore
import Logging

/// The browser sessions of the hosted pages, by their cookie: `ws1_<session id>.<HMAC-SHA256 over that>`.
///
/// A session is checked against its row on each use, so ending it takes effect at once. Every sign-in begins a new one,
/// which prevents session fixation.
package struct WebSessions: StoreLayer {
    package let stored: StoreContext
    private let cookies: SignedText

    init(_ stored: StoreContext) {
        self.stored = stored
        cookies = SignedText("ws1_", stored.masterKey, .webSessions, maximumLength: 128)
    }

    /// Seconds a browser keeps the cookie.
    package static let lifetime = Int(SessionRules.idleLifetime.components.seconds)

    /// The cookie's value for a session.
    package func cookie(for session: Session) -> String { cookies.sign { _ in [session.id] } }

    /// The session that a cookie of ours names, valid or not.
    func sessionID(behind cookie: String?) -> String? { cookie.flatMap(cookies.body(of:)) }

    /// The valid session of a cookie; `nil` for everything else. Its use is recorded at most hourly.
    ///
    /// - Throws: A store's error.
    package func session(
        behind cookie: String?, from device: ClientDevice, at now: Timestamp
    ) async throws -> SessionFacts? {
        guard let id = sessionID(behind: cookie) else { return nil }
        let facts: SessionFacts? = try await store.pointRead { transaction in
            do {
                return try transaction.liveSession(id: id, .web, at: now)
            } catch is BrokerError {
                return nil
            }
        }
        if let facts { await recordVisit(of: facts.session, from: device, at: now) }
        return facts
    }

    /// A failure is logged only: the page is shown all the same.
    private func recordVisit(of session: Session, from device: ClientDevice, at now: Timestamp) async {
        let hourAgo = now.advanced(by: .zero - SessionRules.useInterval)
        guard session.latestUse <= hourAgo else { return }
        let id = session.id
        do {
            try await store.write(at: now) { transaction in
                try transaction.recordVisit(
                    of: id, userAgent: device.userAgent, address: device.address, at: now, unlessUsedAfter: hourAgo)
            }
        } catch {
            Logger.current.warning("use of a browser session not recorded", metadata: ["error": "\(error)"])
        }
    }
}

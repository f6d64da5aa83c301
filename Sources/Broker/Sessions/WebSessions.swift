package import BrokerStore
import Crypto
import Foundation
import JOSE
import Logging

/// The sessions of browsers at the hosted pages, by their cookie: `ws1_<session id>.<HMAC-SHA256 over that>`.
///
/// The store holds nothing a thief could make a cookie of. A session is judged by its row on each use, so ending it
/// counts at once, and every sign-in begins a new one, so that nobody can have planted it.
package struct WebSessions: Sendable {
    private let key: SymmetricKey
    private let store: Store

    init(_ masterKey: MasterKey, store: Store) {
        key = masterKey.derive(.webSessions)
        self.store = store
    }

    /// Seconds a browser keeps the cookie.
    package static let lifetime = Int(SessionRules.idleLifetime.components.seconds)

    /// The cookie's value for a session.
    package func cookie(for session: Session) -> String {
        let signed = Self.prefix + session.id
        let mac = HMAC<SHA256>.authenticationCode(for: Data(signed.utf8), using: key)
        return "\(signed).\(Base64URL.encode(Array(mac)))"
    }

    /// The session behind a cookie, when it still counts; `nil` for everything else. Its use is recorded at most hourly.
    ///
    /// - Throws: A store's error.
    package func session(
        behind cookie: String?, from device: ClientDevice, at now: Timestamp
    ) async throws -> SessionFacts? {
        guard let id = cookie.flatMap(sessionID) else { return nil }
        let facts: SessionFacts? = try await store.read { transaction in
            do {
                return try transaction.liveSession(id: id, .web, at: now)
            } catch is BrokerError {
                return nil
            }
        }
        if let facts { await recordVisit(of: facts.session, from: device, at: now) }
        return facts
    }

    /// A store that cannot write now is no reason to show no page.
    private func recordVisit(of session: Session, from device: ClientDevice, at now: Timestamp) async {
        let hourAgo = now.advanced(by: .zero - SessionRules.useInterval)
        guard session.latestUse <= hourAgo else { return }
        let id = session.id
        do {
            try await store.write { transaction in
                try transaction.recordVisit(
                    of: id, userAgent: device.userAgent, address: device.address, at: now, unlessUsedAfter: hourAgo)
            }
        } catch {
            Logger.current.warning("use of a browser session not recorded", metadata: ["error": "\(error)"])
        }
    }

    private func sessionID(in cookie: String) -> String? {
        guard cookie.utf8.count <= 128, cookie.utf8.starts(with: Self.prefix.utf8),
            let dot = cookie.utf8.lastIndex(of: UInt8(ascii: ".")),
            let mac = Base64URL.decode(cookie.utf8[cookie.utf8.index(after: dot)...])
        else { return nil }
        let signed = cookie.utf8[..<dot]
        guard HMAC<SHA256>.isValidAuthenticationCode(mac, authenticating: Data(signed), using: key) else { return nil }
        return String(Substring(signed.dropFirst(Self.prefix.utf8.count)))
    }

    private static let prefix = "ws1_"
}

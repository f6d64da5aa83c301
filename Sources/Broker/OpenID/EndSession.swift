package import BrokerStore
package import Foundation
import ProviderKit

/// Signs a user out at the request of an app (OpenID Connect RP-Initiated Logout): the app's session, the one of the
/// hosted pages it came from, and all that came from that.
package struct EndSession: Sendable {
    let openID: OpenIDProvider
    let store: Store
    package let now: @Sendable () -> Date

    /// A logout request: the client, the session, and the redirect URI.
    package struct Asked: Sendable {
        package let client: Client?
        /// The session that `id_token_hint` names.
        package let sessionID: String?
        package let localID: String?
        /// The registered redirect URI, with the client's `state`.
        package let location: String?
        /// The `form-action` source for a form that redirects there.
        package let formTarget: String?
    }

    /// Reads the request of an app. Invalid parameters are ignored: they do not prevent the sign-out, and the browser is
    /// redirected to registered addresses only.
    package func read(_ parameters: [String: String]) async throws -> Asked {
        let now = Timestamp(now())
        var claims: OpenIDTokenVerifier.Claims?
        if let hint = parameters["id_token_hint"] { claims = try await openID.verifier.claims(ofHint: hint, at: now) }
        let named = parameters["client_id"]
        // A token of another app's is no hint (RP-Initiated Logout §2): the page asks the user, and does not redirect.
        let contradicts = claims.map { claims in !(named?.hasSameBytes(as: claims.clientID) ?? true) } ?? false
        if contradicts { claims = nil }
        var client: Client?
        if !contradicts, let id = claims?.clientID ?? named { client = try await openID.clients.client(id: id) }
        let uri = parameters["post_logout_redirect_uri"].flatMap { client?.postLogoutRedirectURI(matching: $0) }
        let state = parameters["state"].map { [(name: "state", value: $0)] } ?? []
        return Asked(
            client: client, sessionID: claims?.sessionID, localID: claims?.localID,
            location: uri.map { state.isEmpty ? $0.text : $0.adding(state) }, formTarget: uri?.contentSecuritySource)
    }

    /// Ends the session that an ID token names, with its siblings, and the browser's own.
    package func callAsFunction(_ sessionID: String?, browser: SessionFacts?, origin: Origin) async throws {
        let now = Timestamp(now())
        try await store.write(at: now, by: origin) { transaction in
            var ended: User?
            if let sessionID, let facts = try transaction.sessionFacts(id: sessionID), facts.session.family == .oauth,
                SessionState(facts.session, of: facts.user, at: now, .rotating) == .live
            {
                try end(facts.session, at: now, in: transaction)
                ended = facts.user
            }
            if let browser {
                try end(browser.session, at: now, in: transaction)
                ended = browser.user
            }
            guard let ended else { return }
            try transaction.audit("session.signed-out", of: ended.localID)
        }
    }

    private func end(_ session: Session, at now: Timestamp, in transaction: borrowing Transaction) throws {
        let reason = "sign-out"
        _ = try transaction.revokeSession(id: session.id, at: now, reason: reason)
        let root = session.parentID ?? session.id
        _ = try transaction.revokeSession(id: root, at: now, reason: reason)
        try transaction.revokeSessions(from: root, at: now, reason: reason)
    }
}

package import BrokerStore
import ProviderKit

/// A logout request (OpenID Connect RP-Initiated Logout): the client, the session, and the redirect URI.
package struct LogoutRequest: Sendable {
    package let client: Client?
    /// The session that `id_token_hint` names.
    package let sessionID: String?
    package let localID: String?
    /// The registered redirect URI, with the client's `state`.
    package let location: String?
    /// The `form-action` source for a form that redirects there.
    package let formTarget: String?
}

/// Signs a user out at the request of an app (OpenID Connect RP-Initiated Logout): the app's session, the one of the
/// hosted pages it came from, and all that came from that.
extension OpenIDContext {
    /// Reads the request of an app. Invalid parameters are ignored: they do not prevent the sign-out, and the browser is
    /// redirected to registered addresses only.
    package func readLogoutRequest(_ parameters: [String: String]) async throws -> LogoutRequest {
        let now = now
        var claims: OpenIDTokenVerifier.Claims?
        if let hint = parameters[OAuthParameter.idTokenHint.name] {
            claims = try await verifier.claims(ofHint: hint, at: now)
        }
        let named = parameters[OAuthParameter.clientID.name]
        // A token of another app's is no hint (RP-Initiated Logout §2): the page asks the user, and does not redirect.
        let contradicts = claims.map { claims in !(named?.hasSameBytes(as: claims.clientID) ?? true) } ?? false
        if contradicts { claims = nil }
        var client: Client?
        if !contradicts, let id = claims?.clientID ?? named { client = try await clients.client(id: id) }
        let uri = parameters[OAuthParameter.postLogoutRedirectURI.name].flatMap {
            client?.postLogoutRedirectURI(matching: $0)
        }
        let state = parameters[OAuthParameter.state.name].map { [(name: "state", value: $0)] } ?? []
        return LogoutRequest(
            client: client, sessionID: claims?.sessionID, localID: claims?.localID,
            location: uri.map { state.isEmpty ? $0.text : $0.adding(state) }, formTarget: uri?.contentSecuritySource)
    }

    /// Ends the session that an ID token names, with its siblings, and the browser's own.
    package func endSession(_ sessionID: String?, browser: SessionFacts?, origin: Origin) async throws {
        let now = now
        try await store.write(at: now, by: origin) { [self] transaction in
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

package import BrokerStore
import ProviderKit

extension OpenIDContext {
    /// Revokes a token of a client, with its session and all other tokens of it (RFC 7009).
    ///
    /// An invalid token and one of another client change nothing and are no error (RFC 7009 §2.2).
    package func revokeToken(_ text: String, by client: Client, origin: Origin) async throws {
        let now = now
        guard let sessionID = try await sessionID(of: text, at: now) else { return }
        try await store.write(at: now, by: origin) { transaction in
            guard let facts = try transaction.sessionFacts(id: sessionID), facts.session.family == .oauth,
                facts.session.clientID?.hasSameBytes(as: client.id) ?? false,
                try transaction.revokeSession(id: sessionID, at: now, reason: "revoked by the client")
            else { return }
            try transaction.audit(
                "session.revoked", of: facts.user.localID,
                detail: ["session": .string(sessionID), "client": .string(client.id)])
        }
    }

    private func sessionID(of text: String, at now: Timestamp) async throws -> String? {
        if let token = tokens.refreshTokens.decode(text) { return token.sessionID }
        return try await verifier.claims(of: text, .accessToken, at: now)?.sessionID
    }
}

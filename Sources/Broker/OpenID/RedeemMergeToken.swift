package import BrokerStore
import ProviderKit

extension OpenIDContext {
    private static let mergeRefusal = OAuthError(
        .invalidGrant, "The merge token is unknown, has expired, or was used before.")

    /// Exchanges a merge token for tokens of the user that the session's user was merged into. The session goes on with its
    /// id, and a mark that its user has not logged in by it.
    ///
    /// - Parameters:
    ///   - text: The merge token.
    ///   - client: The authenticated client.
    ///   - origin: The same, for the audit.
    /// - Returns: New tokens, with the refresh token of the session's next generation.
    /// - Throws: ``OAuthError``, or a store's error. A refused token changes nothing.
    package func redeemMergeToken(
        _ text: String, by client: Client, origin: Origin
    ) async throws -> IssuedOpenIDTokens {
        guard client.isFirstParty else {
            throw OAuthError(.unauthorizedClient, "Merge tokens are for first-party clients.")
        }
        let (now, admission) = (now, RequestAdmission.current)
        guard let token = tokens.mergeTokens.decode(text), now < token.expiresAt else { throw Self.mergeRefusal }
        try admission?.checkRefresh(of: token.sessionID)
        let resumed = try await store.write(at: now, by: origin) { transaction in
            try Self.resume(token, of: client, in: transaction)
        }
        guard let resumed else { throw Self.mergeRefusal }
        admission?.prove(refreshOf: token.sessionID)
        return try await tokens.issue(resumed, for: client, at: now)
    }

    private static func resume(
        _ token: MergeToken, of client: Client, in transaction: borrowing Transaction
    ) throws -> SessionView<TokenIdentity>? {
        let now = transaction.now
        guard var session = try transaction.session(id: token.sessionID), session.family == .oauth,
            session.clientID?.hasSameBytes(as: client.id) ?? false
        else { return nil }
        (session.generation, session.mergedFrom) = (token.generation, token.absorbed)
        guard
            try transaction.resume(
                session, of: token.survivor, SessionRules.rotating.age(of: .oauth, at: now), at: now),
            let facts = try transaction.session(id: token.sessionID, with: TokenIdentity.self)
        else { return nil }
        try transaction.audit(
            "session.resumed", of: facts.user.localID, provider: facts.session.signInProvider,
            detail: [
                "session": .string(facts.session.id), "client": .string(client.id), "absorbed": .string(token.absorbed),
            ])
        return try transaction.withNotices(facts)
    }
}

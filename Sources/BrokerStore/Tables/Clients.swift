/// The statements of `clients`.
enum ClientStatements {
    static let insert = Statement(
        "insert_client",
        """
        INSERT INTO clients (\(Client.columns))
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,
            $14, $15)
        """,
        .integer, .text, .text, .text, .text, .text, .text, .blob, .blob, .integer, .integer, .text, .integer,
        .text, .integer)

    static let byID = Statement("client_by_id", "SELECT \(Client.columns) FROM clients WHERE id = $1", .text)

    static let everyClient = Statement("clients", "SELECT \(Client.columns) FROM clients ORDER BY key")

    static let publicRedirectURIs = Statement(
        "public_redirect_uris", "SELECT redirect_uris FROM clients WHERE type = 'public' ORDER BY key")

    static let rotateSecret = Statement(
        "rotate_client_secret",
        """
        UPDATE clients SET secret_hash = $2, previous_secret_hash = $3, previous_secret_until = $4
        WHERE id = $1 AND secret_hash IS NOT NULL RETURNING \(Client.columns)
        """, .text, .blob, .blob, .integer)

    static let update = Statement(
        "update_client",
        """
        UPDATE clients SET name = $2, redirect_uris = $3, post_logout_redirect_uris = $4, pkce = $5,
            provider_tokens = $6, backchannel_logout_uri = $7, backchannel_logout_session_required = $8
        WHERE id = $1 RETURNING \(Client.columns)
        """, .text, .text, .text, .text, .text, .integer, .text, .integer)

    static let remove = Statement("remove_client", "DELETE FROM clients WHERE id = $1 RETURNING key", .text)

    static let revokeSessions = Statement(
        "revoke_sessions_of_client",
        """
        UPDATE sessions SET revoked_at = $2, revoked_reason = $3
        WHERE client_id = $1 AND revoked_at IS NULL RETURNING \(EndedSession.columns)
        """, .text, .integer, .text)

    static let all = [insert, byID, everyClient, publicRedirectURIs, rotateSecret, update, remove, revokeSessions]
}

extension Transaction {
    /// Registers `client`.
    package func insert(_ client: Client) throws(StoreError) {
        try run(ClientStatements.insert, values: client.values)
    }

    /// The client with this id.
    package func client(id: String) throws(StoreError) -> Client? {
        guard var row = try run(ClientStatements.byID, .text(id)).first else { return nil }
        return try Client(reading: &row)
    }

    /// All clients, in the order in which they were registered.
    package func clients() throws(StoreError) -> [Client] {
        try run(ClientStatements.everyClient).map { row throws(StoreError) in
            var row = row
            return try Client(reading: &row)
        }
    }

    /// The redirect URIs of all public clients.
    package func publicRedirectURIs() throws(StoreError) -> [String] {
        let lists = try run(ClientStatements.publicRedirectURIs).map { row throws(StoreError) in
            var row = row
            return try row.words()
        }
        return lists.flatMap(\.self)
    }

    /// Gives a confidential client another secret.
    ///
    /// - Parameters:
    ///   - id: The client.
    ///   - hash: SHA-256 of the new secret.
    ///   - previous: The previous secret that stays valid.
    /// - Returns: The updated client; nil if there is none, or it has no secret.
    /// - Throws: ``StoreError``.
    package func rotateSecret(
        ofClient id: String, hash: [UInt8], keeping previous: Client.PreviousSecret?
    ) throws(StoreError) -> Client? {
        let rows = try run(
            ClientStatements.rotateSecret, .text(id), .blob(hash), .blob(orNull: previous?.hash),
            .time(orNull: previous?.until))
        guard var row = rows.first else { return nil }
        return try Client(reading: &row)
    }

    /// Writes what an operator may change of a client: name, redirect URIs, the rule for PKCE, provider
    /// tokens and back-channel logout.
    ///
    /// - Returns: the client as it is now; nil if there is none.
    /// - Throws: ``StoreError``.
    package func update(_ client: Client) throws(StoreError) -> Client? {
        let rows = try run(ClientStatements.update, values: client.changeableValues)
        guard var row = rows.first else { return nil }
        return try Client(reading: &row)
    }

    /// Removes a client.
    ///
    /// - Returns: false if there is none.
    package func removeClient(id: String) throws(StoreError) -> Bool {
        try !run(ClientStatements.remove, .text(id)).isEmpty
    }

    /// Ends all sessions of a client.
    ///
    /// - Returns: how many were still alive.
    package func revokeSessions(
        ofClient id: String, at now: Timestamp, reason: String
    ) throws(StoreError) -> Int {
        try publishEnds(
            run(ClientStatements.revokeSessions, .text(id), .time(now), .text(reason)), reason: reason)
    }
}

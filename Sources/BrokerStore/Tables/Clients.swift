extension Client {
    /// The client type, which determines the client authentication.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Runs in browsers and can keep no secret.
        case `public`
        /// Runs on a server and has a secret.
        case confidential
        /// Is installed on devices and can keep no secret (RFC 8252).
        case native
    }

    /// Whether the client must use PKCE (RFC 7636).
    package enum PKCE: String, Sendable, Hashable, CaseIterable {
        case required
        /// A confidential client's OpenID Connect requests with a `nonce` may do without.
        case optional
    }

    /// JWS names (RFC 7518 §3.1).
    package typealias Algorithm = StoredSigningKey.Algorithm
}

extension Transaction {
    /// The client with this id.
    package func client(id: String) throws(StoreError) -> Client? {
        try first("client_by_id", "SELECT \(Client.columns) FROM clients WHERE id = $1", .text(id))
    }

    /// All clients, in the order in which they were registered.
    package func clients() throws(StoreError) -> [Client] {
        try all("clients", "SELECT \(Client.columns) FROM clients ORDER BY key")
    }

    /// The redirect URIs of all public clients.
    package func publicRedirectURIs() throws(StoreError) -> [String] {
        let lists = try rows(
            "public_redirect_uris", "SELECT redirect_uris FROM clients WHERE type = 'public' ORDER BY key"
        ) { row throws(StoreError) in try row.words() }
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
        try first(
            "rotate_client_secret",
            """
            UPDATE clients SET secret_hash = $2, previous_secret_hash = $3, previous_secret_until = $4
            WHERE id = $1 AND secret_hash IS NOT NULL RETURNING \(Client.columns)
            """, .text(id), .blob(hash), .blob(orNull: previous?.hash), .time(orNull: previous?.until))
    }

    /// Writes what an operator may change of a client: name, redirect URIs, the rule for PKCE, provider
    /// tokens, back-channel logout, whether it is first-party, and what pages show of it.
    ///
    /// - Returns: the client as it is now; nil if there is none.
    /// - Throws: ``StoreError``.
    package func update(_ client: Client) throws(StoreError) -> Client? {
        // Brokers that knew no choice of PKCE wrote and read none.
        try first(
            "update_client",
            """
            UPDATE clients SET name = $2, redirect_uris = $3, post_logout_redirect_uris = $4, pkce = $5,
                provider_tokens = $6, backchannel_logout_uri = $7, backchannel_logout_session_required = $8,
                first_party = $9, home_url = $10, terms_url = $11, privacy_url = $12, support_url = $13, logo = $14,
                logo_dark = $15
            WHERE id = $1 RETURNING \(Client.columns)
            """,
            .text(client.id), .text(client.name), .words(client.redirectURIs), .words(client.postLogoutRedirectURIs),
            .text(orNull: client.pkce == .required ? nil : client.pkce.rawValue),
            .flag(client.receivesProviderTokens), .text(orNull: client.backChannelLogout?.uri),
            .flag(client.backChannelLogout?.requiresSession ?? false), .flag(client.isFirstParty),
            .text(orNull: client.homeURL), .text(orNull: client.termsURL), .text(orNull: client.privacyURL),
            .text(orNull: client.supportURL), .text(orNull: client.logo), .text(orNull: client.logoDark))
    }

    /// The content of a client's logo.
    package func logo(named name: String, of client: Client) throws(StoreError) -> [UInt8]? {
        try rows(
            "client_logo", "SELECT content FROM client_logos WHERE client_key = $1 AND name = $2",
            .integer(client.key), .text(name)
        ) { row throws(StoreError) in try row.blob() }.first
    }

    /// Removes the logos that a client has no more, and adds new ones.
    package func keepLogos(of client: Client, adding logos: [ClientLogo]) throws(StoreError) {
        try run(
            "remove_client_logos", "DELETE FROM client_logos WHERE client_key = $1 AND name <> $2 AND name <> $3",
            .integer(client.key), .text(client.logo ?? ""), .text(client.logoDark ?? ""))
        for logo in logos {
            try run(
                "insert_client_logo",
                """
                INSERT INTO client_logos (client_key, name, content) VALUES ($1, $2, $3)
                ON CONFLICT (client_key, name) DO NOTHING
                """, .integer(client.key), .text(logo.name), .blob(logo.content))
        }
    }

    /// Removes a client.
    ///
    /// - Returns: false if there is none.
    package func removeClient(id: String) throws(StoreError) -> Bool {
        try run("remove_client", "DELETE FROM clients WHERE id = $1", .text(id)) > 0
    }

    /// Ends all sessions of a client.
    ///
    /// - Returns: how many were still alive.
    package func revokeSessions(
        ofClient id: String, at now: Timestamp, reason: String
    ) throws(StoreError) -> Int {
        let ended = try rows(
            "revoke_sessions_of_client",
            """
            UPDATE sessions SET revoked_at = $2, revoked_reason = $3
            WHERE client_id = $1 AND revoked_at IS NULL RETURNING \(EndedSession.columns)
            """, .text(id), .time(now), .text(reason)
        ) { row throws(StoreError) in try EndedSession(reading: &row) }
        return try publishEnds(of: ended, reason: reason)
    }
}

package import BrokerStore

extension OpenIDContext {
    /// Authenticates a client (RFC 6749 §2.3).
    ///
    /// - Parameters:
    ///   - id: Its `client_id`.
    ///   - secret: Its secret; public and native clients have none.
    /// - Returns: The client.
    /// - Throws: ``OAuthError``; the same for an unknown client as for a wrong secret.
    package func authenticateClient(id: String, secret: String?) async throws -> Client {
        guard let client = try await clients.client(id: id) else { throw Self.clientRefusal }
        RequestAdmission.note(clientID: client.id)
        switch (client.kind, secret) {
        case (.confidential, let secret?):
            guard client.accepts(secret: secret, at: now) else { throw Self.clientRefusal }
            try RequestAdmission.current?.prove(credential: "client:" + client.id)
        case (.confidential, nil): throw OAuthError(.invalidClient, "This client must authenticate with its secret.")
        case (.public, nil), (.native, nil): break
        case (.public, _?), (.native, _?):
            throw OAuthError(.invalidClient, "This client has no secret. Send client_id alone.")
        }
        return client
    }

    private static let clientRefusal = OAuthError(.invalidClient, "The client is unknown, or its secret is wrong.")
}

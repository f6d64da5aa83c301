import ProviderKit

extension IdentityToolkitApp {
    /// `accounts:signInWithIdp` with an ID token: links the identity behind an access token.
    func link(_ accessToken: String, provider: String, to idToken: String) async throws -> Answer {
        let fields = [(name: "access_token", value: accessToken), (name: "providerId", value: provider)]
        return try await post(
            "/v1/accounts:signInWithIdp",
            [
                "requestUri": "http://localhost", "returnSecureToken": true, "idToken": .string(idToken),
                "postBody": .string(FormEncoding.encode(fields)),
            ])
    }

    /// `accounts:update` with the wish to lose a provider.
    func unlink(_ provider: String, from idToken: String) async throws -> Answer {
        try await post("/v1/accounts:update", ["idToken": .string(idToken), "deleteProvider": [.string(provider)]])
    }

    func delete(_ idToken: String) async throws -> Answer {
        try await post("/v1/accounts:delete", ["idToken": .string(idToken)])
    }

    func signOut(_ idToken: String) async throws -> Answer {
        try await post("/v1/broker/sessions:signOut", ["idToken": .string(idToken)])
    }

    func signOutAll(_ idToken: String) async throws -> Answer {
        try await post("/v1/broker/sessions:signOutAll", ["idToken": .string(idToken)])
    }
}

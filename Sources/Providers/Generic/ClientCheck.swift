import ProviderKit

/// Asks a token endpoint whether it knows our client, with a code that cannot exist.
struct ClientCheck: Sendable {
    /// Codes that speak of the code rather than of the client. Merged into the client's own before it is asked.
    static let faults: [String: ProviderError.Fault] = [
        "invalid_request": .credential, "redirect_uri_mismatch": .credential, "bad_redirect_uri": .credential,
    ]

    let client: OAuth2Client
    let context: ProviderContext

    func findings() async -> [ConfigurationFinding] {
        let code = Credential.AuthorizationCode(
            code: "configuration-check", redirectURI: "http://localhost/configuration-check",
            verifier: String(repeating: "configuration-check", count: 3))
        do {
            _ = try await client.redeem(code, over: context.upstream, now: context.now())
            return [
                .init(
                    code: "provider-accepts-anything", text: "the token endpoint gave tokens for an invented code",
                    fix: "Do not use this provider: it proves nothing about anybody.")
            ]
        } catch {
            return Self.finding(error).map { [$0] } ?? []
        }
    }

    /// What an error says about the configuration; a code that was turned away says that all is well.
    static func finding(_ error: ProviderError) -> ConfigurationFinding? {
        switch (error.fault, error.step) {
        case (.credential, _), (.cancelled, _), (.nonce, _): nil
        case (.configuration, .discover):
            .init(
                code: "discovery-refused", text: error.reason,
                fix: "Write options.issuer exactly as the provider's discovery document has it.")
        case (.configuration, _):
            .init(
                code: "client-refused", text: error.reason,
                fix: "Compare options.clientId, its secret or key, and tokenEndpointAuthMethod with the provider's page.")
        case (.upstream, _):
            .init(
                code: "provider-unavailable", text: error.reason,
                fix: "Try again later; check that this host reaches the provider.")
        }
    }
}

public import ProviderKit

extension OnePassProvider: ConfigurationCheck {
    /// Reads discovery and keys, then redeems a code that cannot exist: 1Pass answers `invalid_grant` to a client it
    /// knows, `invalid_client` to one it does not.
    public func checkConfiguration() async -> [ConfigurationFinding] {
        do {
            try await api.checkKeys()
            _ = try await api.redeem(Self.impossibleCode)
            return []
        } catch {
            return Self.findings(of: error, url: instance)
        }
    }

    /// A redirect URI and verifier of the right form, so that only the code is wrong.
    private static let impossibleCode = Credential.AuthorizationCode(
        code: "configuration-check", redirectURI: "http://127.0.0.1/",
        verifier: String(repeating: "configuration-check", count: 3))

    private static func findings(of error: ProviderError, url: String) -> [ConfigurationFinding] {
        switch (error.fault, error.step) {
        case (.credential, _), (.cancelled, _), (.nonce, _): []
        case (.configuration, .discover):
            [
                .init(
                    code: "discovery-issuer-mismatch", text: error.reason,
                    fix: "Set options.issuer to what \(url)/.well-known/openid-configuration says about itself.")
            ]
        case (.configuration, _):
            [
                .init(
                    code: "client-refused", text: error.reason,
                    fix: "Copy client id and secret from the developer console once more. A public client must have no "
                        + "clientSecret, a confidential one needs it.")
            ]
        case (.upstream, .verifyIDToken):
            [
                .init(
                    code: "keys-unavailable", text: error.reason,
                    fix: "Try again later; check that this host reaches the jwks_uri of \(url).")
            ]
        case (.upstream, _):
            [
                .init(
                    code: "provider-unavailable", text: error.reason,
                    fix: "Try again later; check options.url and that this host reaches \(url).")
            ]
        }
    }
}

public import ProviderKit

extension AppleProvider: ConfigurationCheck {
    /// Apple's keys.
    public var probeURL: String? { url + "/auth/keys" }

    /// Loads Apple's keys, then redeems an invalid code as each client: Apple returns `invalid_grant` to a known
    /// client.
    public func checkConfiguration() async -> [ConfigurationFinding] {
        if let finding = await ConfigurationProbe(context).keySet(at: url + "/auth/keys") { return [finding] }
        var findings: [ConfigurationFinding] = []
        for clientID in clientIDs {
            if let finding = await finding(about: clientID) { findings.append(finding) }
        }
        return findings
    }

    private func finding(about clientID: String) async -> ConfigurationFinding? {
        let client: OAuth2Client
        do {
            client = try authenticatedClient(clientID)
        } catch {
            return ConfigurationFinding(
                code: "apple-key-unusable", text: error.reason,
                fix: "Set options.privateKey to the text of the .p8 file Apple let you download once.")
        }
        let finding = await ConfigurationProbe(context).client(client)
        guard finding?.code == "client-refused" else { return finding }
        return ConfigurationFinding(
            code: "apple-client-refused",
            text: "Apple refused client \(clientID) with team \(teamID) and key \(key.keyID ?? "")\(thumbprint).",
            fix: """
                Compare with Apple's developer site: (1) keyId and teamId are those of the .p8 file; (2) the key is not \
                revoked and has Sign in with Apple enabled; (3) \(clientID) exists as an App ID or Services ID with \
                Sign in with Apple, grouped with the key's primary App ID; (4) this host's clock is right.
                """)
    }

    /// The thumbprint of the public key (RFC 7638), to compare it with the registered key.
    private var thumbprint: String {
        let unnamed = ClientAssertion.Key(pem: key.pem, keyID: nil, algorithm: key.algorithm)
        guard let name = (try? context.tokens.publicKey(of: unnamed))?["kid"]?.string else { return "" }
        return " (public key \(name))"
    }
}

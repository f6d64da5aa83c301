public import ProviderKit

extension AppleProvider: ConfigurationCheck {
    /// Reads the keys, then redeems a code that cannot exist, as each client: Apple answers `invalid_grant` to a client
    /// it knows.
    public func checkConfiguration() async -> [ConfigurationFinding] {
        let probe = ConfigurationProbe(context)
        var findings: [ConfigurationFinding] = .distinct(await probe.keySet(at: url + "/auth/keys"))
        for clientID in clientIDs {
            do throws(ProviderError) {
                let code = Credential.AuthorizationCode(code: "configuration-check", redirectURI: nil)
                _ = try await authenticatedClient(clientID).redeem(code, over: context.upstream, now: context.now())
            } catch {
                guard let finding = finding(behind: error, clientID), !findings.contains(finding) else { continue }
                findings.append(finding)
            }
        }
        return findings
    }

    private func finding(behind error: ProviderError, _ clientID: String) -> ConfigurationFinding? {
        switch error.fault {
        case .credential, .cancelled, .nonce: nil
        case .configuration where error.step == .configure:
            ConfigurationFinding(
                code: "apple-key-unusable", text: error.reason,
                fix: "Set options.privateKey to the text of the .p8 file Apple let you download once.")
        case .configuration:
            ConfigurationFinding(
                code: "apple-client-refused",
                text: "Apple refused client \(clientID) with team \(teamID) and key \(key.keyID ?? "")\(thumbprint).",
                fix: """
                    Compare with Apple's developer site: (1) keyId and teamId are those of the .p8 file; (2) the key is \
                    not revoked and has Sign in with Apple enabled; (3) \(clientID) exists as an App ID or Services ID \
                    with Sign in with Apple, grouped with the key's primary App ID; (4) this host's clock is right.
                    """)
        case .upstream: .unanswered(error, asking: url + "/auth/token")
        }
    }

    /// What names the public half everywhere (RFC 7638), for comparing it with the key one believes to use.
    private var thumbprint: String {
        let unnamed = ClientAssertion.Key(pem: key.pem, keyID: nil, algorithm: key.algorithm)
        guard let name = (try? context.tokens.publicKey(of: unnamed))?["kid"]?.string else { return "" }
        return " (public key \(name))"
    }
}

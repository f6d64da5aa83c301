public import ProviderKit

extension OpenIDProvider: ConfigurationCheck {
    /// Asks for the discovery document, for the keys and, as our client, about a code that cannot exist.
    public func checkConfiguration() async -> [ConfigurationFinding] {
        do {
            let endpoints = try await discovery.configuration()
            guard try await context.tokens.usableKeys(at: endpoints.keySetURL) > 0 else {
                return [
                    .init(
                        code: "no-usable-keys", text: "the key set has no RSA key of 2048 bits and no P-256 key",
                        fix: "Have the provider sign ID tokens with RS256 or ES256.")
                ]
            }
            let client = client(at: endpoints).expectingErrors(ClientCheck.faults)
            return unsupported(by: endpoints) + (await ClientCheck(client: client, context: context).findings())
        } catch {
            return ClientCheck.finding(error).map { [$0] } ?? []
        }
    }

    /// What the provider says it does not do and the options ask for.
    private func unsupported(by endpoints: OpenIDConfiguration) -> [ConfigurationFinding] {
        var findings: [ConfigurationFinding] = []
        // Absent means client_secret_basic (OpenID Connect Discovery §3).
        let methods = endpoints.tokenEndpointAuthMethods ?? [ClientProof.Method.basic.rawValue]
        if settings.proof.method != .none, !methods.contains(settings.proof.method.rawValue) {
            findings.append(
                .init(
                    code: "auth-method-unsupported",
                    text: "the provider does not list \(settings.proof.method.rawValue)",
                    fix: "Set options.tokenEndpointAuthMethod to a method it lists in its discovery document."))
        }
        if let listed = endpoints.idTokenSigningAlgorithms,
            !settings.algorithms.contains(where: { listed.contains($0.rawValue) })
        {
            findings.append(
                .init(
                    code: "algorithm-unsupported", text: "the provider signs ID tokens with none of options.algorithms",
                    fix: #"Set options.algorithms to ["ES256"] or have the provider sign with RS256."#))
        }
        return findings
    }
}

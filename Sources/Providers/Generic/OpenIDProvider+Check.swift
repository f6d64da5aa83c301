public import ProviderKit

extension OpenIDProvider: ConfigurationCheck {
    /// The discovery document.
    public var probeURL: String? { OpenIDDiscovery.documentURL(below: instance) }

    /// Loads the discovery document and the keys, and redeems an invalid code as our client.
    public func checkConfiguration() async -> [ConfigurationFinding] {
        let probe = ConfigurationProbe(context)
        let document: OpenIDConfiguration
        do throws(ConfigurationFinding) {
            document = try await probe.discovery(at: instance)
        } catch {
            return [error]
        }
        let client = await probe.client(client(at: document), fix: OAuth2Provider.clientFix)
        return .distinct(await probe.keySet(at: document.keySetURL), client) + unsupported(by: document)
    }

    /// The options that the provider's metadata does not support.
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

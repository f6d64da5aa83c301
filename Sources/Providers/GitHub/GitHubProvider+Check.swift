public import ProviderKit

extension GitHubProvider: ConfigurationCheck {
    /// The root of the REST API, which needs no credential.
    public var probeURL: String? { api.url + "/" }

    /// Checks an invalid token: GitHub returns 404 or 422 to a known client, 401 to an unknown one.
    public func checkConfiguration() async -> [ConfigurationFinding] {
        .distinct(await clientFinding(), await siteFinding())
    }

    /// Checks the host that redeems codes, which a firewall may treat differently from the API's host.
    private func siteFinding() async -> ConfigurationFinding? {
        api.url.hasPrefix(instance + "/") ? nil : await ConfigurationProbe(context).reach(instance)
    }

    private func clientFinding() async -> ConfigurationFinding? {
        do {
            _ = try await api.check("configuration-check")
            return nil
        } catch {
            switch error.fault {
            case .credential, .cancelled, .nonce: return nil
            case .configuration:
                return .clientRefused(
                    error.reason,
                    fix: "Copy client id and secret from the app's page at GitHub once more; check options.url.")
            case .upstream: return .unanswered(error, asking: api.url)
            }
        }
    }
}

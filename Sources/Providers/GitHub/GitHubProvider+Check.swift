public import ProviderKit

extension GitHubProvider: ConfigurationCheck {
    /// The root of the REST API, which needs no credential.
    public var probeURL: String? { api.url + "/" }

    /// Asks about a token that cannot exist: GitHub answers 404 or 422 to a client it knows, 401 to one it does not.
    public func checkConfiguration() async -> [ConfigurationFinding] {
        .distinct(await clientFinding(), await siteFinding())
    }

    /// Codes are redeemed at the installation's own host, which a firewall may treat differently from its API's.
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

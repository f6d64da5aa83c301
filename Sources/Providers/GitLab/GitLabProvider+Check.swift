public import ProviderKit

extension GitLabProvider: ConfigurationCheck {
    /// Refreshes a token that cannot exist: GitLab answers `invalid_grant` to a client it knows, `invalid_client` to
    /// one it does not.
    public func checkConfiguration() async -> [ConfigurationFinding] {
        let nobody = UpstreamGrant(clientID: clientID, accessToken: "", refreshToken: "configuration-check")
        do {
            _ = try await refresh(nobody)
            return []
        } catch {
            switch error.fault {
            case .credential, .cancelled, .nonce: return []
            case .configuration:
                return [
                    .init(
                        code: "client-refused", text: error.reason,
                        fix: "Copy Application ID and Secret from the application's page at \(instance) once more. "
                            + "Without clientSecret, the application must not be marked as confidential.")
                ]
            case .upstream:
                return [
                    .init(
                        code: "provider-unavailable", text: error.reason,
                        fix: "Try again later; check that options.url is the installation's whole base, including a "
                            + "path such as /gitlab, and that this host reaches \(instance).")
                ]
            }
        }
    }
}

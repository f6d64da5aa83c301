public import ProviderKit

extension GitLabProvider: ConfigurationCheck {
    /// Reads discovery and keys, then redeems a code that cannot exist: GitLab answers `invalid_grant` to a client it
    /// knows, `invalid_client` to one it does not.
    public func checkConfiguration() async -> [ConfigurationFinding] {
        let probe = ConfigurationProbe(context)
        do throws(ConfigurationFinding) {
            _ = try await probe.discovery(at: instance)
        } catch {
            return [error]
        }
        let client = await probe.client(
            oauth, redirectURI: "http://127.0.0.1/",
            fix: "Copy Application ID and Secret from the application's page at \(instance) once more. "
                + "Without clientSecret, the application must not be marked as confidential.")
        return .distinct(await probe.keySet(at: policy.keySetURL), client)
    }
}

import Apple
import Generic
import GitHub
import GitLab
import OnePass
public import ProviderKit

extension ProviderPlugin {
    /// The plugins of the standard build: `BrokerProgram.run(plugins: ProviderPlugin.standard + [.acme])`.
    public static let standard: [ProviderPlugin] = [.github, .gitlab, .apple, .onePass, .oidc, .oauth2]
}

import Foundation
package import ProviderKit

/// An enabled entry of `plugins.json` brought to life.
package struct ConfiguredProvider: Sendable {
    /// The wire's `providerId`.
    package let id: String
    package let kind: ProviderKind
    /// Whether the provider's word on who owns an address counts.
    package let trustsEmail: Bool
    /// Whether users the provider says are one person become one without an administrator's word.
    package var mergesAutomatically = false
    package let provider: any IdentityProvider
    /// What applications may add to its authorization requests.
    package var allowance = AuthorizationAllowance.standard
    /// What users call it where its own name does not do: the entry's `displayName`, or a name with the id beside it.
    var label: String?
    /// What it was made of.
    var source: ProviderSource?
    /// What it has refused, and how much more each client may try.
    var attempts = CredentialAttempts(now: { Date() })

    /// The name space of its subjects.
    package var instance: String { provider.instance }

    /// What operators register at a provider, one path for each: an answer that comes by another's is refused.
    package static func callbackURL(of provider: String, at publicURL: String) -> String {
        "\(publicURL)/oauth/callback/\(provider)"
    }
}

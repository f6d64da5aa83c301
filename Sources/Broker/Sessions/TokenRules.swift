import Foundation
import JOSE

/// Issuer, audience and algorithm of the Identity Toolkit family of tokens, as the policy's token row says.
package struct TokenRules: Sendable {
    package let issuer: String
    package let audience: String
    let algorithm: SignatureAlgorithm

    package init(_ configuration: Configuration) {
        audience = configuration.project.id
        switch configuration.policy.tokens {
        case .strict:
            issuer = "\(configuration.publicURL)/\(configuration.project.id)"
            algorithm = .es256
        case .firebase:
            // What Firebase's Admin SDKs insist on, also of a broker that is not Google.
            issuer = "https://securetoken.google.com/\(configuration.project.id)"
            algorithm = .rs256
        }
    }

    /// Seconds an ID token lives.
    package static let lifetime: Int64 = 3600

    /// Seconds two hosts' clocks may differ by.
    static let clockSkew: Int64 = 30
}

/// How long sessions live and how their refresh tokens rotate.
enum SessionRules {
    /// How long a session may go unused: 30 days.
    static let idleLifetime = Duration.seconds(30 * 86_400)
    /// How long a session may live at all: 90 days.
    static let absoluteLifetime = Duration.seconds(90 * 86_400)
    /// How long the direct parent of a refresh token still gets the same successor.
    static let grace = Duration.seconds(10)
}

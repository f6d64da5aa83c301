import BrokerStore
import Foundation

/// Issuer, audience and algorithm of the Identity Toolkit family of tokens, as the policy's token row says.
package struct TokenRules: Sendable {
    package let issuer: String
    /// The issuer of session cookies, which no ID token has.
    let cookieIssuer: String
    package let audience: String
    let algorithm: StoredSigningKey.Algorithm

    package init(_ configuration: Configuration) {
        audience = configuration.project.id
        switch configuration.policy.tokens {
        case .strict:
            issuer = "\(configuration.publicURL)/\(configuration.project.id)"
            cookieIssuer = issuer + "/session"
            algorithm = .es256
        case .firebase:
            // What Firebase's Admin SDKs insist on, also of a broker that is not Google.
            issuer = "https://securetoken.google.com/\(configuration.project.id)"
            cookieIssuer = "https://session.firebase.google.com/\(configuration.project.id)"
            algorithm = .rs256
        }
    }

    /// The most verified tokens of one family and kind that are remembered.
    static let verifiedTokens = 32_768

    /// Seconds an ID token lives.
    package static let lifetime: Int64 = 3600

    /// Seconds two hosts' clocks may differ by.
    static let clockSkew: Int64 = 30
}

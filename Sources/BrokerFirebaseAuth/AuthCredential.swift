import BrokerClient

/// What signs a user in, links an identity or proves the user again.
public protocol AuthCredential: Sendable {
    /// The provider's id, such as `github.com`.
    var provider: String { get }
}

/// A credential of a provider that speaks OAuth 2 or OpenID Connect.
public final class OAuthCredential: AuthCredential {
    /// How the provider proves the user.
    enum Source: Sendable {
        /// A token that the app has.
        case token(ProviderCredential)
        /// The provider's page, which is shown when the credential is used.
        case page(ProviderID, SignInOptions)
    }

    /// The provider's id.
    public let provider: String
    /// The provider's ID token, if the app had one: a secret.
    public let idToken: String?
    /// The provider's access token, if there is one: a secret.
    public let accessToken: String?
    /// Nil where the credential only tells what a provider returned.
    let source: Source?

    init(provider: String, idToken: String? = nil, accessToken: String? = nil, _ source: Source?) {
        self.provider = provider
        self.idToken = idToken
        self.accessToken = accessToken
        self.source = source
    }
}

extension OAuthCredential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The provider, and nothing of the tokens.
    public var description: String { "OAuthCredential(\(provider), <redacted>)" }
    /// The provider, and nothing of the tokens.
    public var debugDescription: String { description }
    /// The provider, and nothing of the tokens.
    public var customMirror: Mirror { Mirror(self, children: ["provider": provider]) }
}

extension AuthCredential {
    /// - Throws: ``AuthErrorCode/invalidCredential`` for a credential that signs no one in.
    var source: OAuthCredential.Source {
        get throws {
            guard let source = (self as? OAuthCredential)?.source else {
                throw AuthErrors.error(.invalidCredential, "The credential cannot be used to sign in.")
            }
            return source
        }
    }
}

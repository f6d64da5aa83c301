import BrokerClient
public import Foundation

/// Presents pages in Firebase's SDK. Here the system does; a delegate is not asked.
public protocol AuthUIDelegate: AnyObject {}

/// A provider with a page at which users sign in.
public protocol FederatedAuthProvider {
    /// A credential of the provider's page.
    ///
    /// - Parameter uiDelegate: Not asked: the system shows the page.
    /// - Returns: The credential. The page is shown when it is used, because a sign-in, a link and a reauthentication are
    ///   different requests; a user who cancels is told of there.
    /// - Throws: An error of ``AuthErrors/domain``.
    func credential(with uiDelegate: (any AuthUIDelegate)?) async throws -> any AuthCredential

    /// A credential of the provider's page, as ``credential(with:)``.
    ///
    /// - Parameters:
    ///   - uiDelegate: Not asked: the system shows the page.
    ///   - completion: Called on the main actor with the credential.
    func getCredentialWith(
        _ uiDelegate: (any AuthUIDelegate)?, completion: (@MainActor ((any AuthCredential)?, (any Error)?) -> Void)?)
}

/// A provider that speaks OAuth 2 or OpenID Connect: its page, and credentials from its tokens.
public final class OAuthProvider: FederatedAuthProvider {
    /// The provider's id.
    public let providerID: String
    /// Scopes of the provider beyond the basic profile; the broker's configuration must allow them.
    public var scopes: [String]?
    /// Further parameters of the request; the broker's configuration must allow them.
    public var customParameters: [String: String]?

    /// - Parameters:
    ///   - providerID: The id of the broker's entry, such as `github.com`.
    ///   - auth: Where the credential is used; any is the same.
    public init(providerID: String, auth: Auth = .auth()) { self.providerID = providerID }

    /// A provider.
    ///
    /// - Parameter providerID: The id of the broker's entry, such as `github.com`.
    /// - Returns: The provider.
    public static func provider(providerID: String) -> OAuthProvider { OAuthProvider(providerID: providerID) }

    /// A provider.
    ///
    /// - Parameters:
    ///   - providerID: The id of the broker's entry, such as `github.com`.
    ///   - auth: Where the credential is used; any is the same.
    /// - Returns: The provider.
    public static func provider(providerID: String, auth: Auth) -> OAuthProvider {
        OAuthProvider(providerID: providerID)
    }

    /// A provider.
    ///
    /// - Parameter providerID: The id of the broker's entry.
    /// - Returns: The provider.
    public static func provider(providerID: AuthProviderID) -> OAuthProvider {
        OAuthProvider(providerID: providerID.rawValue)
    }

    /// A credential of the provider's page, which is shown when it is used.
    ///
    /// - Parameter uiDelegate: Not asked: the system shows the page.
    /// - Returns: The credential.
    /// - Throws: Nothing.
    public func credential(with uiDelegate: (any AuthUIDelegate)?) async throws -> any AuthCredential { pageCredential }

    /// A credential of the provider's page, as ``credential(with:)``.
    ///
    /// - Parameters:
    ///   - uiDelegate: Not asked: the system shows the page.
    ///   - completion: Called on the main actor with the credential.
    public func getCredentialWith(
        _ uiDelegate: (any AuthUIDelegate)?,
        completion: (@MainActor ((any AuthCredential)?, (any Error)?) -> Void)? = nil
    ) {
        let credential = pageCredential
        complete(completion) { credential }
    }

    private var pageCredential: any AuthCredential {
        let options = SignInOptions(
            providerScopes: (scopes ?? []).filter { !$0.isEmpty }, parameters: customParameters ?? [:])
        return OAuthCredential(
            provider: providerID, .page(ProviderID(rawValue: providerID), options))
    }
}

extension OAuthProvider {
    /// A credential from a provider's ID token.
    ///
    /// - Parameters:
    ///   - providerID: The provider.
    ///   - idToken: Its ID token.
    ///   - rawNonce: The nonce whose SHA-256 was in the request.
    ///   - accessToken: Its access token, which the broker does not need.
    /// - Returns: The credential, for one use.
    public static func credential(
        providerID: AuthProviderID, idToken: String, rawNonce: String, accessToken: String? = nil
    ) -> OAuthCredential {
        credential(withProviderID: providerID.rawValue, idToken: idToken, rawNonce: rawNonce, accessToken: accessToken)
    }

    /// A credential from a provider's ID token.
    ///
    /// - Parameters:
    ///   - providerID: The provider's id.
    ///   - idToken: Its ID token.
    ///   - rawNonce: The nonce whose SHA-256 was in the request.
    ///   - accessToken: Its access token, which the broker does not need.
    /// - Returns: The credential, for one use.
    public static func credential(
        withProviderID providerID: String, idToken: String, rawNonce: String, accessToken: String? = nil
    ) -> OAuthCredential {
        let token = ProviderCredential.idToken(
            idToken, of: ProviderID(rawValue: providerID), nonce: SignInNonce(raw: rawNonce))
        return OAuthCredential(provider: providerID, idToken: idToken, accessToken: accessToken, .token(token))
    }

    /// A credential of Sign in with Apple.
    ///
    /// - Parameters:
    ///   - idToken: The identity token.
    ///   - rawNonce: The nonce whose SHA-256 in lower-case hexadecimal was in the request. The broker insists on one.
    ///   - fullName: The name, which Apple sends with the first sign-in only.
    /// - Returns: The credential, for one use.
    public static func appleCredential(
        withIDToken idToken: String, rawNonce: String?, fullName: PersonNameComponents?
    ) -> OAuthCredential {
        let token = ProviderCredential.appleIDToken(
            idToken, nonce: SignInNonce(raw: rawNonce ?? ""), fullName: fullName)
        return OAuthCredential(provider: AuthProviderID.apple.rawValue, idToken: idToken, .token(token))
    }
}

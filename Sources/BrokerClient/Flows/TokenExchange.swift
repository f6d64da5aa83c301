import Foundation
import OAuth

/// The token exchange of the broker (RFC 8693): a provider's ID token, or nothing but the wish to be anonymous, for
/// tokens.
struct TokenExchange: Sendable {
    let endpoints: BrokerEndpoints

    private static let grantType = "urn:ietf:params:oauth:grant-type:token-exchange"
    private static let idTokenType = "urn:ietf:params:oauth:token-type:id_token"
    private static let accessTokenType = "urn:ietf:params:oauth:token-type:access_token"
    private static let anonymousType = "urn:broker:oauth:token-type:anonymous"
    private static let appAuthorizationType = "urn:broker:oauth:token-type:app_authorization"

    /// Signs up anonymously.
    func anonymous() async throws(BrokerAuthError) -> TokenAnswer {
        try await tokens(for: "anonymous", Self.anonymousType, [])
    }

    /// Exchanges a credential, which is used up unless the request failed on its way or the user has to sign in first.
    ///
    /// - Parameters:
    ///   - credential: The credential.
    ///   - purpose: What it is for.
    ///   - actorToken: An access token of the signed-in user, for everything but a sign-in.
    /// - Returns: The tokens.
    /// - Throws: ``BrokerAuthError``.
    func tokens(
        for credential: ProviderCredential, _ purpose: SignInPurpose, actorToken: String?
    ) async throws(BrokerAuthError) -> TokenAnswer {
        let sendsCode = try credential.use.begin()
        var form: [(name: String, value: String)] = [
            ("provider", credential.provider.rawValue), ("nonce", credential.rawNonce),
        ]
        if sendsCode, let code = credential.authorizationCode { form.append(("authorization_code", code)) }
        if let user = credential.user { form.append(("user", user)) }
        form += Self.actor(actorToken, purpose)
        do throws(BrokerAuthError) {
            return try await tokens(for: credential.idToken, Self.idTokenType, form)
        } catch {
            switch error {
            case .network: credential.use.revert()
            case .server("NEED_CONFIRMATION", _): credential.use.revertWithoutCode()
            default: break
            }
            throw error
        }
    }

    /// Redeems a provider's answer to an app authorization.
    ///
    /// - Parameters:
    ///   - handle: The handle of the authorization.
    ///   - redirect: The URL that the provider redirected to.
    ///   - purpose: What it is for.
    ///   - actorToken: An access token of the signed-in user, for everything but a sign-in.
    /// - Returns: The tokens.
    /// - Throws: ``BrokerAuthError``.
    func tokens(
        forHandle handle: String, redirect: URL, _ purpose: SignInPurpose, actorToken: String?
    ) async throws(BrokerAuthError) -> TokenAnswer {
        try await tokens(
            for: handle, Self.appAuthorizationType,
            [("authorization_response", redirect.absoluteString)] + Self.actor(actorToken, purpose))
    }

    /// The parameters that name the signed-in user and the purpose; none for a sign-in.
    static func actor(_ token: String?, _ purpose: SignInPurpose) -> [(name: String, value: String)] {
        guard let token else { return [] }
        return [
            ("actor_token", token), ("actor_token_type", accessTokenType),
            ("prompt", purpose == .reauthenticate ? "login" : "link"),
        ]
    }

    private func tokens(
        for subjectToken: String, _ type: String, _ form: [(name: String, value: String)]
    ) async throws(BrokerAuthError) -> TokenAnswer {
        let common: [(name: String, value: String)] = [
            ("grant_type", Self.grantType), ("subject_token_type", type), ("subject_token", subjectToken),
            ("scope", ScopeList(endpoints.configuration.scopes).text),
        ]
        return try TokenAnswer(try await endpoints.token(common + form).members())
    }
}

import Foundation
import OAuth
import StrictJSON

/// The token exchange of the broker (RFC 8693): a provider's ID token, or nothing but the wish to be anonymous, for
/// tokens.
struct TokenExchange: Sendable {
    let endpoints: BrokerEndpoints

    private static let grantType = "urn:ietf:params:oauth:grant-type:token-exchange"
    private static let idTokenType = "urn:ietf:params:oauth:token-type:id_token"
    private static let accessTokenType = "urn:ietf:params:oauth:token-type:access_token"
    private static let pendingTokenType = "urn:broker:oauth:token-type:pending_token"
    private static let deviceType = "urn:broker:oauth:token-type:device"
    private static let anonymousType = "urn:broker:oauth:token-type:anonymous"
    private static let appAuthorizationType = "urn:broker:oauth:token-type:app_authorization"

    /// Signs up anonymously.
    func anonymous() async throws(BrokerAuthError) -> TokenAnswer {
        try TokenAnswer(try await answer(for: "anonymous", Self.anonymousType, []).members())
    }

    /// Introduces a device to a provider, or signs its user in with its secret.
    func introduction(
        of device: StoredDevices.Device, at provider: ProviderID, accessToken: String?
    ) async throws(BrokerAuthError) -> JSONObject {
        var form: [(name: String, value: String)] = [
            ("provider", provider.rawValue), ("platform", StoredDevices.Device.platform),
        ]
        if let secret = device.secret { form.append(("device_secret", secret)) }
        if let accessToken { form.append(("access_token", accessToken)) }
        return try await answer(for: device.id, Self.deviceType, form).members(at: provider)
    }

    /// Exchanges a credential, which is used up unless the request failed on its way or was refused for another reason.
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
        let sent = try credential.use.begin()
        let answer: Answer
        do throws(BrokerAuthError) {
            answer = try await exchange(credential, sent, Self.actor(actorToken, purpose))
        } catch {
            // It may not have arrived, and the broker takes a repetition of one that has.
            credential.use.revert(to: sent)
            throw error
        }
        if case .refusal(let refusal) = answer { credential.use.revert(to: refusal.rest(of: sent)) }
        return try TokenAnswer(try answer.members(at: credential.provider))
    }

    private func exchange(
        _ credential: ProviderCredential, _ sent: CredentialUse.Form, _ actor: [(name: String, value: String)]
    ) async throws(BrokerAuthError) -> Answer {
        if case .pendingToken(let token) = sent { return try await answer(for: token, Self.pendingTokenType, actor) }
        var form: [(name: String, value: String)] = [
            ("provider", credential.provider.rawValue), ("nonce", credential.rawNonce),
        ]
        if sent == .whole, let code = credential.authorizationCode { form.append(("authorization_code", code)) }
        if let user = credential.user { form.append(("user", user)) }
        return try await answer(for: credential.idToken, Self.idTokenType, form + actor)
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
        let answer = try await answer(
            for: handle, Self.appAuthorizationType,
            [("authorization_response", redirect.absoluteString)] + Self.actor(actorToken, purpose))
        return try TokenAnswer(try answer.members())
    }

    /// The parameters that name the signed-in user and the purpose; none for a sign-in.
    static func actor(_ token: String?, _ purpose: SignInPurpose) -> [(name: String, value: String)] {
        guard let token else { return [] }
        return [
            ("actor_token", token), ("actor_token_type", accessTokenType),
            ("prompt", purpose == .reauthenticate ? "login" : "link"),
        ]
    }

    private func answer(
        for subjectToken: String, _ type: String, _ form: [(name: String, value: String)]
    ) async throws(BrokerAuthError) -> Answer {
        let common: [(name: String, value: String)] = [
            ("grant_type", Self.grantType), ("subject_token_type", type), ("subject_token", subjectToken),
            ("scope", ScopeList(endpoints.configuration.scopes).text),
        ]
        return try await endpoints.token(common + form)
    }
}

extension Refusal {
    /// What is left of a credential that was sent; nil when it was consumed or is worth nothing.
    fileprivate func rest(of sent: CredentialUse.Form) -> CredentialUse.Form? {
        if let pendingToken { return .pendingToken(pendingToken) }
        // The request was refused, and the broker did not look at the credential.
        guard kind == "invalid_grant" else { return sent }
        switch error {
        // Refused for the session, before the credential was verified.
        case .recentLoginRequired, .tokenExpired: return sent
        // Refused for the account: the credential was verified, for which the provider redeems its code.
        case .needConfirmation, .accountExists, .emailExists, .accountNotFound, .userMismatch, .userDisabled,
            .providerAlreadyLinked, .adminOnlyOperation:
            return sent == .whole ? .withoutCode : sent
        default: return nil
        }
    }
}

public import ProviderKit

/// Sign-in with 1Pass ("logi"): its public service and private installations.
///
/// 1Pass supports OpenID Connect and requires PKCE of every client. Its ID tokens contain only a subject, so the plugin
/// requests userinfo where it has an access token. Userinfo shows anonymous and merged accounts.
public struct OnePassProvider: IdentityProvider {
    public static let kind: ProviderKind = "1pass"
    public static let displayName: String? = "1Pass"
    public static let isNonBlocking = true
    public static let publicInstance: PublicInstance? = PublicInstance(
        id: "1pass.dev", instance: "https://api.1pass.dev")

    public let accepts: Set<Credential.Kind> = [.authorizationCode, .idToken, .accessToken]
    public let instance: String
    public let clientID: String

    let api: OnePassAPI
    let redirectURIs: OnePassRedirectURIs
    let notifications: OnePassNotifications
    public let scopes: [String]
    let deviceEndpoint: OnePassDeviceEndpoint?
    private let allowsAnonymous: Bool

    public init(_ options: Options, in context: ProviderContext) throws(ProviderError) {
        let clientIDs = [options.clientId] + options.additionalClientIds
        guard !clientIDs.contains(where: \.isEmpty) else {
            throw .options("clientId and additionalClientIds must not be empty")
        }
        guard options.clientSecret?.reveal().isEmpty != true else {
            throw .options("clientSecret must not be empty: leave it out for a public client")
        }
        scopes = options.scopes
        guard scopes.contains("openid") else { throw .options(#"scopes must contain "openid""#) }
        instance = try context.baseURL(options.url, option: "url")
        clientID = options.clientId
        // A token of another issuer would count.
        if let issuer = options.issuer { context.declareEndpoint(issuer) }
        api = OnePassAPI(
            url: instance, issuer: options.issuer ?? instance, clientIDs: clientIDs, secret: options.clientSecret,
            context: context)
        redirectURIs = try OnePassRedirectURIs(registered: options.redirectUris, providerURL: instance)
        allowsAnonymous = options.allowAnonymous
        deviceEndpoint = options.deviceBootstrap
        guard deviceEndpoint?.isAnonymous != true || allowsAnonymous else {
            throw .options("deviceBootstrap makes anonymous accounts: set allowAnonymous to true as well")
        }
        notifications = try OnePassNotifications(options)
    }

    /// 1Pass requires PKCE of every client.
    public func checksCodeVerifier() -> Bool { true }

    public func verify(_ credential: Credential) async throws(ProviderError) -> ExternalIdentity {
        switch credential.proof {
        case .authorizationCode(let code): try await verify(code)
        case .idToken(let token): try await verify(token)
        case .accessToken(let token): try await verify(accessToken: token)
        case .assertion: throw ProviderError(.credential, at: .redeem, "1Pass does not issue a credential of this kind")
        }
    }

    private func verify(_ code: Credential.AuthorizationCode) async throws(ProviderError) -> ExternalIdentity {
        guard code.verifier != nil, code.redirectURI != nil else {
            throw ProviderError(
                .credential, at: .redeem, "1Pass redeems no code without PKCE verifier and redirect URI")
        }
        let grant = try await api.redeem(code)
        return try await identity(behind: grant, nonce: code.nonce)
    }

    /// The identity of an ID token; without an access token it has only the subject.
    private func verify(_ token: Credential.IDToken) async throws(ProviderError) -> ExternalIdentity {
        let verified = try await api.verify(
            idToken: token.token, for: api.clientIDs, maximumAge: Self.presentedMaximumAge,
            nonce: .native(rawNonce: token.rawNonce), accessToken: token.accessToken)
        guard let accessToken = token.accessToken else {
            return try identity(OnePassProfile(verified.claims), grant: nil)
        }
        let access = try await api.verify(accessToken: accessToken)
        guard access.subject.utf8.elementsEqual(verified.subject.utf8) else {
            throw ProviderError(.credential, at: .verifyIDToken, "ID token and access token have different users")
        }
        return try await identity(of: verified, with: access.grant(accessToken, idToken: token.token))
    }

    /// The maximum age of an ID token that a client presents, in seconds since `iat`.
    private static let presentedMaximumAge = 3600

    /// The signed token names its client; userinfo shows whether it is still valid.
    private func verify(accessToken: String) async throws(ProviderError) -> ExternalIdentity {
        let access = try await api.verify(accessToken: accessToken)
        return try await identity(of: access, with: access.grant(accessToken, idToken: nil))
    }

    /// The identity of a grant from the token endpoint.
    func identity(
        behind grant: UpstreamGrant, nonce: NonceExpectation
    ) async throws(ProviderError) -> ExternalIdentity {
        guard let idToken = grant.idToken else {
            // The user may deny scopes; without openid there is no subject.
            guard grant.scopes.isEmpty || grant.scopes.contains("openid") else {
                throw ProviderError(.credential, at: .redeem, "the user did not grant openid")
            }
            throw ProviderError(.upstream, at: .redeem, "the token endpoint answered without an ID token")
        }
        // The client that redeemed the code, and no other one of ours.
        let verified = try await api.verify(
            idToken: idToken, for: [grant.clientID], nonce: nonce, accessToken: grant.accessToken)
        return try await identity(of: verified, with: grant)
    }

    private func identity(
        of token: VerifiedIDToken, with grant: UpstreamGrant
    ) async throws(ProviderError) -> ExternalIdentity {
        let userinfo = try await api.userinfo(grant.accessToken)
        // Nothing but userinfo says whether the account is anonymous.
        guard userinfo["sub"]?.subject != nil else {
            throw ProviderError(.upstream, at: .readProfile, "userinfo has no sub")
        }
        let user = try OnePassProfile(token.claims.overridden(by: userinfo))
        guard user.subject.utf8.elementsEqual(token.subject.utf8) else {
            throw ProviderError(.credential, at: .fetchProfile, "the token and userinfo have different users")
        }
        return try identity(user, grant: grant)
    }

    func identity(
        _ user: OnePassProfile, grant: UpstreamGrant?
    ) throws(ProviderError) -> ExternalIdentity {
        guard !user.isAnonymous || allowsAnonymous else {
            throw ProviderError(
                .credential, at: .readProfile, "the account is anonymous, and options.allowAnonymous is not set")
        }
        return ExternalIdentity(
            subject: user.subject, merge: user.merge, isAnonymous: user.isAnonymous,
            wasAnonymous: user.wasAnonymous, email: user.email, displayName: user.displayName,
            pictureURL: user.pictureURL, profile: .object(user.claims), grant: grant)
    }
}

extension ProviderPlugin {
    /// Sign in with 1Pass.
    public static let onePass = ProviderPlugin(OnePassProvider.self)
}

extension ProviderError {
    /// An error of the entry's options, with the fix.
    static func options(_ problem: String) -> ProviderError {
        ProviderError(.configuration, at: .configure, "options.\(problem)")
    }
}

public import ProviderKit

/// Sign in with 1Pass ("logi"): its public service and installations of one's own.
///
/// 1Pass speaks OpenID Connect and insists on PKCE for every client. Its ID tokens name a subject and nothing else, so
/// whoever can be asked about at userinfo is; accounts may be anonymous, and they may be merged, which userinfo tells.
public struct OnePassProvider: IdentityProvider {
    public static let kind: ProviderKind = "1pass"
    public static let displayName: String? = "1Pass"
    public static let publicInstance: PublicInstance? = PublicInstance(
        id: "1pass.dev", instance: "https://api.1pass.dev")

    /// The entry's `options` in `plugins.json`.
    public struct Options: Decodable, Sendable {
        let clientId: String
        /// Absent for public clients, which 1Pass refuses when they send one.
        let clientSecret: Secret?
        /// Further registrations of the same app, one for each surface: tokens issued to them are taken too.
        let additionalClientIds: [String]?
        /// Asked for at sign-in; `openid profile:basic email` when absent.
        let scopes: [String]?
        /// The installation's API; `https://api.1pass.dev` when absent.
        let url: String?
        /// What its tokens say about who made them; `url` when absent.
        let issuer: String?
        /// Whether people whom 1Pass knows only by a device may sign in.
        let allowAnonymous: Bool?
        /// The redirect URIs registered at 1Pass, which compares them byte by byte; unchecked when absent.
        let redirectUris: [String]?
    }

    public let accepts: Set<Credential.Kind> = [.authorizationCode, .idToken, .accessToken]
    public let instance: String
    public let clientID: String

    let api: OnePassAPI
    let redirectURIs: OnePassRedirectURIs
    public let scopes: [String]
    private let allowsAnonymous: Bool

    public init(_ options: Options, in context: ProviderContext) throws(ProviderError) {
        let clientIDs = [options.clientId] + (options.additionalClientIds ?? [])
        guard !clientIDs.contains(where: \.isEmpty) else {
            throw .options("clientId and additionalClientIds must not be empty")
        }
        guard options.clientSecret?.reveal().isEmpty != true else {
            throw .options("clientSecret must not be empty: leave it out for a public client")
        }
        scopes = options.scopes ?? ["openid", "profile:basic", "email"]
        guard scopes.contains("openid") else { throw .options(#"scopes must contain "openid""#) }
        instance = try context.baseURL(options.url ?? "https://api.1pass.dev", option: "url")
        clientID = options.clientId
        api = OnePassAPI(
            url: instance, issuer: options.issuer ?? instance, clientIDs: clientIDs, secret: options.clientSecret,
            context: context)
        redirectURIs = try OnePassRedirectURIs(registered: options.redirectUris, providerURL: instance)
        allowsAnonymous = options.allowAnonymous ?? false
    }

    /// 1Pass wants PKCE of every client.
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

    /// Without an access token there is only the subject: what userinfo would tell stays unknown.
    private func verify(_ token: Credential.IDToken) async throws(ProviderError) -> ExternalIdentity {
        let verified = try await api.verify(
            idToken: token.token, for: api.clientIDs, maximumAge: Self.presentedMaximumAge,
            nonce: .native(rawNonce: token.rawNonce), accessToken: token.accessToken)
        guard let accessToken = token.accessToken else {
            return try identity(OnePassPerson(verified.claims), grant: nil)
        }
        let access = try await api.verify(accessToken: accessToken)
        guard access.subject.utf8.elementsEqual(verified.subject.utf8) else {
            throw ProviderError(.credential, at: .verifyIDToken, "ID token and access token name two people")
        }
        return try await identity(of: verified, with: access.grant(accessToken, idToken: token.token))
    }

    /// Seconds since `iat` for which a client may present an ID token: its login may be older.
    private static let presentedMaximumAge = 3600

    /// The token is signed, so it says itself whom it was issued to; whether it still counts, userinfo says.
    private func verify(accessToken: String) async throws(ProviderError) -> ExternalIdentity {
        let access = try await api.verify(accessToken: accessToken)
        return try await identity(of: access, with: access.grant(accessToken, idToken: nil))
    }

    /// Whom a grant straight from the token endpoint stands for.
    func identity(
        behind grant: UpstreamGrant, nonce: NonceExpectation
    ) async throws(ProviderError) -> ExternalIdentity {
        guard let idToken = grant.idToken else {
            // People may take scopes away; without this one nobody says who they are.
            guard grant.scopes.isEmpty || grant.scopes.contains("openid") else {
                throw ProviderError(.credential, at: .redeem, "the person did not grant openid")
            }
            throw ProviderError(.upstream, at: .redeem, "the token endpoint answered without an ID token")
        }
        // The one that redeemed the code, never an app's own registration.
        let verified = try await api.verify(
            idToken: idToken, for: [clientID], nonce: nonce, accessToken: grant.accessToken)
        return try await identity(of: verified, with: grant)
    }

    private func identity(
        of token: VerifiedIDToken, with grant: UpstreamGrant
    ) async throws(ProviderError) -> ExternalIdentity {
        let userinfo = try await api.userinfo(grant.accessToken)
        let person = try OnePassPerson(token.claims.overridden(by: userinfo))
        guard person.subject.utf8.elementsEqual(token.subject.utf8) else {
            throw ProviderError(.credential, at: .fetchProfile, "the token and userinfo name two people")
        }
        return try identity(person, grant: grant)
    }

    private func identity(
        _ person: OnePassPerson, grant: UpstreamGrant?
    ) throws(ProviderError) -> ExternalIdentity {
        guard !person.isAnonymous || allowsAnonymous else {
            throw ProviderError(
                .credential, at: .readProfile, "the account is anonymous, and options.allowAnonymous is not set")
        }
        return ExternalIdentity(
            subject: person.subject, merge: person.merge, isAnonymous: person.isAnonymous, email: person.email,
            displayName: person.displayName, pictureURL: person.pictureURL, profile: .object(person.claims),
            grant: grant)
    }
}

extension ProviderPlugin {
    /// Sign in with 1Pass.
    public static let onePass = ProviderPlugin(OnePassProvider.self)
}

extension ProviderError {
    /// What is wrong with the entry's options, and what to write instead.
    static func options(_ problem: String) -> ProviderError {
        ProviderError(.configuration, at: .configure, "options.\(problem)")
    }
}

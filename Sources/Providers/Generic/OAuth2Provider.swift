public import ProviderKit

/// Sign-in with an OAuth 2 provider without ID tokens: the plugin `oauth2`. A profile URL says who the user is, or the
/// token response does.
///
/// It accepts only codes: it redeems them as our client, so the tokens were issued to us. Of a bare access token this
/// cannot be verified.
public struct OAuth2Provider: RedirectSignIn {
    public static let kind: ProviderKind = "oauth2"

    public let accepts: Set<Credential.Kind> = [.authorizationCode]
    public let authorizationResponseIssuer: String?

    let settings: OAuth2Settings
    let context: ProviderContext
    let revocationURL: String?

    public init(_ options: Options, in context: ProviderContext) throws(ProviderError) {
        settings = try options.checked(in: context)
        authorizationResponseIssuer = options.issuer
        revocationURL = options.revocationUrl
        self.context = context
    }

    public var instance: String { settings.instance }
    public var clientID: String { client.clientID }
    public var scopes: [String] { client.scopes }
    var client: OAuth2Client { settings.client }

    /// The places of `options.claims.subject`, in their order, with the team or organisation that is required.
    public var subjectRule: String {
        let tenant = settings.requiredClaims.tenant
        return settings.subject.description + (tenant.isEmpty ? "" : ", where \(tenant)")
    }

    /// The value of `options.pkce`.
    public func checksCodeVerifier() -> Bool { client.sendsCodeChallenge }

    public func authorizationURL(for attempt: SignInAttempt) -> String {
        client.authorizationURL(for: attempt, additional: settings.parameters.pairs)
    }

    public func verify(_ credential: Credential) async throws(ProviderError) -> ExternalIdentity {
        guard case .authorizationCode(let code) = credential.proof else {
            throw ProviderError(.credential, at: .redeem, "an oauth2 provider takes codes only")
        }
        let (grant, rest) = try await client.redeemed(code, over: context.upstream, now: context.now())
        var documents = ClaimDocuments(profile: rest, token: rest, callback: Self.claims(of: code.callback))
        documents.hasUserinfo = settings.profileURL != nil
        if let template = settings.profileURL {
            let url = try template.url(with: documents)
            documents.profile = try await context.upstream.json(
                JSONValue.self,
                settings.userinfo.profileRequest(url, with: grant.accessToken, inPath: template.endsWithToken))
        }
        context.report(settings.readings(in: documents))
        try settings.requiredClaims.check(documents.profile)
        let subject = try settings.subject.subject(in: documents)
        let listed = try await listedEmail(grant, &documents)
        return settings.claims.identity(subject, in: documents, listed: listed, grant: grant)
    }

    /// The parameters of the authorization response as claims.
    private static func claims(of callback: [String: String]) -> JSONValue {
        .object(JSONObject(callback.map { ($0.key, .string($0.value)) }))
    }

    /// The address of `options.emails`, whose response joins the profile. A user may have refused the scope of addresses:
    /// the sign-in goes on without one.
    private func listedEmail(
        _ grant: UpstreamGrant, _ documents: inout ClaimDocuments
    ) async throws(ProviderError) -> ExternalIdentity.Email? {
        guard let emails = settings.emails else { return nil }
        let responses = try await context.upstream.pages(
            settings.userinfo.request(emails.url, with: grant.accessToken), next: emails.next)
        var pages: [JSONValue] = []
        for response in responses {
            if pages.isEmpty, [403, 404].contains(response.status), !response.isRateLimited { return nil }
            guard (200..<300).contains(response.status) else { throw response.refusal(at: .fetchProfile) }
            pages.append(try response.jsonValue(at: .fetchProfile))
        }
        context.report(pages.flatMap(emails.readings))
        let email = try emails.email(in: pages, acceptsText: settings.claims.acceptsText)
        if case .object(var members) = documents.profile {
            members["emails"] = pages.count == 1 ? pages[0] : .array(pages)
            documents.profile = .object(members)
        }
        return email
    }
}

extension ProviderPlugin {
    /// Any OAuth 2 provider (`"use": "oauth2"`).
    public static let oauth2 = ProviderPlugin(OAuth2Provider.self)
}

extension OAuth2Provider: ConfigurationCheck {
    /// Redeems an invalid code as our client, asks for the profile of an invalid token, and names what the entry puts into
    /// URLs.
    public func checkConfiguration() async -> [ConfigurationFinding] {
        let probe = ConfigurationProbe(context)
        return .distinct(
            await probe.client(client, fix: Self.clientFix), await userinfoFinding(probe), tokenInQuery)
    }

    /// Only a URL that needs no value of a token response can be asked.
    private func userinfoFinding(_ probe: ConfigurationProbe) async -> ConfigurationFinding? {
        guard let url = settings.profileURL?.fixedURL else { return nil }
        return await probe.userinfo(settings.userinfo.profileRequest(url, with: "configuration-check", inPath: false))
    }

    /// The hint that a token or a secret is in a URL.
    private var tokenInQuery: ConfigurationFinding? {
        var places: [String] = []
        if settings.profileURL?.endsWithToken == true { places.append("the access token in the path (userinfoUrl)") }
        if settings.userinfo.hasTokenInQuery { places.append("the access token in the query (userinfoToken)") }
        if client.sendsTokenRequestsInQuery {
            places.append("the code and the client's secret in the query (tokenRequest)")
        }
        guard !places.isEmpty else { return nil }
        return ConfigurationFinding(
            code: "token-in-query", text: "the provider gets \(places.joined(separator: ", "))",
            fix:
                "Its servers may log URLs. Send tokens in a header field and in a body, if the provider takes them there.",
            isHint: true)
    }

    static let clientFix =
        "Compare options.clientId, its secret or key, and tokenEndpointAuthMethod with the provider's page."
}

extension OAuth2Provider: UnverifiedEmailTrust {
    /// The value of `options.trustUnverifiedEmails`.
    public var trustsUnverifiedEmails: Bool { settings.claims.trustsUnverified }
    /// Whether `options.requiredClaims` fix a team or organisation.
    public var isOfOneTenant: Bool { settings.requiredClaims.fixesTenant }
}

extension OAuth2Provider: GrantRefresh {
    public func refresh(_ grant: UpstreamGrant) async throws(ProviderError) -> UpstreamGrant {
        try await client.refresh(grant, over: context.upstream, now: context.now())
    }
}

extension OAuth2Provider: GrantRevocation {
    public func revoke(_ grant: UpstreamGrant) async throws(ProviderError) {
        guard let revocationURL else {
            throw ProviderError(.configuration, at: .revoke, "the entry names no revocationUrl")
        }
        try await client.revoke(grant, at: revocationURL, over: context.upstream)
    }

    /// Whether the entry names a `revocationUrl`.
    public func offersRevocation() -> Bool { revocationURL != nil }
}

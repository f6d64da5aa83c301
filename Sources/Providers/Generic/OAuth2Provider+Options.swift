public import ProviderKit

extension OAuth2Provider {
    /// The entry's `options` in `plugins.json`.
    public struct Options: ClientOptions {
        var authorizationUrl = ""
        var tokenUrl = ""
        var userinfoUrl: String?
        var userinfoHosts: [String] = []
        var revocationUrl: String?
        var url: String?
        var issuer: String?
        var clientId = ""
        var clientSecret: Secret?
        var privateKey: ClientProof.PrivateKey?
        var tokenEndpointAuthMethod: ClientProof.Method?
        var scopes: [String] = []
        var scopeSeparator = ""
        var pkce = true
        var authorizationRequest = AuthorizationRequestOptions()
        var tokenRequest = TokenRequestOptions()
        var tokenResponse = TokenResponseOptions()
        var userinfoToken = UserinfoToken()
        var userinfoRequest = UserinfoRequest()
        var userinfoHeaders: [String: String] = [:]
        var claims = Claims()
        var subjectNamespace: SubjectNamespace?
        var requiredClaims = RequiredClaims()
        var emails: EmailListOptions?
        var textBooleans = false
        var trustUnverifiedEmails = false
        var authorizationParameters: [String: String] = [:]

        public init() {}

        public static let declaration = DeclaredObject<Options>(
            "Any OAuth 2 provider that tells who the user is.",
            endpoints + clientKeys + requests + profile + requestKeys)

        private static let endpoints: [DeclaredKey<Options>] = [
            .key("authorizationUrl", \.authorizationUrl, "the authorization endpoint").required()
                .narrowed(by: ProviderContext.baseURLs),
            .key("tokenUrl", \.tokenUrl, "the token endpoint").required().narrowed(by: ProviderContext.baseURLs),
            .key(
                "userinfoUrl", \.userinfoUrl,
                """
                the URL of the user's profile, in JSON; may have values of the token response in path and query, as in \
                `https://api.example/users/{/user/id}`, and `{callback/name}` for a parameter of the authorization response
                """
            ).initially(inWords: "the token response is the profile")
                .narrowed(by: ["pattern": "^(https?://|[{]/)[!-~]+$"]),
            .key(
                "userinfoHosts", \.userinfoHosts,
                """
                the hosts of a `userinfoUrl` whose host is in the token response, as in `https://{/host}/me`, or \
                `{/instance_url}/me` for one with `https://` before it
                """
            ).initially([]).narrowed(by: ["items": ["type": "string", "pattern": "^[a-z0-9.-]+(:[0-9]+)?$"]])
                .example(["eu.api.example", "us.api.example"]),
            .key("revocationUrl", \.revocationUrl, "the revocation endpoint (RFC 7009)")
                .initially(inWords: "none; grants are not revoked").narrowed(by: ProviderContext.baseURLs),
            .key("url", \.url, "the namespace of its subjects").initially(inWords: "the origin of `tokenUrl`")
                .narrowed(by: ProviderContext.baseURLs),
            .key(
                "issuer", \.issuer,
                "the expected `iss` of authorization responses, for servers that send it (RFC 9207)"
            ).narrowed(by: ["minLength": 1]),
        ]

        private static let requests: [DeclaredKey<Options>] = [
            .key("scopes", \.scopes, "the scopes of sign-ins").initially([])
                .narrowed(by: ["items": ["type": "string", "minLength": 1]]),
            .key("scopeSeparator", \.scopeSeparator, "the separator of scopes").initially(" ")
                .narrowed(by: ["minLength": 1]),
            .key("pkce", \.pkce, "whether the server accepts PKCE parameters; only a few refuse them").initially(true),
            .key("authorizationRequest", \.authorizationRequest, "the request of `authorizationUrl`")
                .initially(inWords: "that of OAuth 2"),
            .key("tokenRequest", \.tokenRequest, "the request of `tokenUrl`").initially(inWords: "that of OAuth 2"),
            .key("tokenResponse", \.tokenResponse, "the response of `tokenUrl`").initially(inWords: "that of OAuth 2"),
            .key("userinfoToken", \.userinfoToken, "the place of the access token in the userinfo request")
                .initially(inWords: "a bearer token in the header").example(["in": "query", "name": "access_token"]),
            .key("userinfoRequest", \.userinfoRequest, "the method and body of the userinfo request")
                .initially(inWords: "`GET`").example(["method": "POST", "body": ["query": "{ me { id name } }"]]),
            .key("userinfoHeaders", \.userinfoHeaders, "further header fields of the userinfo request").initially([:])
                .narrowed(by: [
                    "propertyNames": [
                        "pattern": "^[A-Za-z0-9-]+$", "not": ["pattern": "^([Aa]uthorization|[Hh]ost|[Cc]ookie)$"],
                    ]
                ]),
        ]

        private static let profile: [DeclaredKey<Options>] = [
            .key("claims", \.claims, "the places of claims in the profile").required()
                .example(["subject": "/id", "email": "/email"]),
            .key(
                "subjectNamespace", \.subjectNamespace,
                """
                what tells ids of several places apart, where `claims.subject` is a list: a name for each, which begins its \
                subjects; or `shared`, if no id of one place is another user's at another one. Needed as `shared` with \
                several `userinfoHosts` too
                """
            ).example(["union", "open"]),
            .key(
                "requiredClaims", \.requiredClaims,
                """
                required values of the profile by their JSON Pointers, each exactly, such as the id of one team: any other \
                profile signs no user in
                """
            ).initially([:]).example(["/ok": true, "/team/id": "T123"]),
            .key("emails", \.emails, "the list of the user's addresses, instead of `claims.email`")
                .example(["url": "https://api.example/emails", "list": "/values", "verified": "/is_confirmed"]),
        ]
    }
}

/// The parts of an instance, checked.
struct OAuth2Settings: Sendable {
    let instance: String
    let client: OAuth2Client
    let parameters: AuthorizationParameters
    /// The URL of the profile; nil when the token response is the profile.
    let profileURL: URLTemplate?
    let userinfo: UserinfoCall
    let subject: SubjectReader
    let requiredClaims: RequiredClaims
    let emails: EmailList?
    let claims: OAuth2Claims
}

extension OAuth2Provider.Options {
    /// - Throws: ``ProviderError`` with fault ``ProviderError/Fault/configuration`` and the fix.
    func checked(in context: ProviderContext) throws(ProviderError) -> OAuth2Settings {
        guard !clientId.isEmpty else { throw Self.refusal("clientId must not be empty") }
        var endpoints = [("authorizationUrl", authorizationUrl), ("tokenUrl", tokenUrl)]
        if let revocationUrl { endpoints.append(("revocationUrl", revocationUrl)) }
        if let emails { endpoints.append(("emails.url", emails.url)) }
        for (option, url) in endpoints { try check(url, option, in: context) }
        let parameters = try AuthorizationParameters(authorizationParameters)
        let profileURL = try profileURL(in: context)
        try claims.check(hasUserinfo: profileURL != nil)
        guard emails == nil || claims.profile.email == nil && claims.profile.emailVerified == nil else {
            throw Self.refusal("emails names the addresses: remove claims.email and claims.emailVerified")
        }
        return OAuth2Settings(
            instance: try instance(in: context), client: try client(parameters, in: context), parameters: parameters,
            profileURL: profileURL,
            userinfo: try UserinfoCall(userinfoRequest, token: userinfoToken, headers: userinfoHeaders),
            subject: try SubjectReader(
                claims.subject, subjectNamespace, ofSeveralHosts: profileURL?.hasSeveralHosts ?? false),
            requiredClaims: requiredClaims,
            emails: try emails.map { options throws(ProviderError) in try EmailList(options) },
            claims: OAuth2Claims(
                pointers: claims.profile, acceptsText: textBooleans, trustsUnverified: trustUnverifiedEmails))
    }

    private func client(
        _ parameters: AuthorizationParameters, in context: ProviderContext
    ) throws(ProviderError) -> OAuth2Client {
        let proof = try ClientProof(tokenEndpointAuthMethod, secret: clientSecret, key: privateKey, in: context)
        var dialect = OAuth2Client.Dialect(scopeSeparator: scopeSeparator, sendsCodeChallenge: pkce)
        dialect.authorizationRequest = try authorizationRequest.checked(with: parameters)
        dialect.tokenRequest = try tokenRequest.checked()
        dialect.tokenResponse = tokenResponse.dialect
        return OAuth2Client(
            authorizeURL: authorizationUrl, tokenURL: tokenUrl, clientID: clientId,
            authentication: proof.authentication(of: clientId, audience: issuer ?? tokenUrl, in: context),
            scopes: scopes, errorFaults: TokenErrors.faults, dialect: dialect)
    }

    private func profileURL(in context: ProviderContext) throws(ProviderError) -> URLTemplate? {
        guard let userinfoUrl else {
            guard userinfoHosts.isEmpty else { throw Self.refusal("userinfoHosts needs a userinfoUrl") }
            return nil
        }
        return try URLTemplate(userinfoUrl, hosts: userinfoHosts, in: context)
    }

    private static func refusal(_ reason: String) -> ProviderError {
        ProviderError(.configuration, at: .configure, "options." + reason)
    }

    private func check(_ url: String, _ option: String, in context: ProviderContext) throws(ProviderError) {
        do {
            try context.checkEndpoint(url)
        } catch {
            throw Self.refusal(
                #"\#(option) must be an https URL without fragment or user name; http only on this host and with "#
                    + #""allowInsecureLoopback": true"#)
        }
    }

    /// The configured namespace, else the normalized scheme, host and port of the token endpoint.
    private func instance(in context: ProviderContext) throws(ProviderError) -> String {
        if let url { return try context.baseURL(url, option: "url") }
        let withoutQuery = String(tokenUrl.prefix { $0 != "?" })
        let parts = try context.baseURL(withoutQuery, option: "tokenUrl").split(
            separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return parts.prefix(3).joined(separator: "/")
    }
}

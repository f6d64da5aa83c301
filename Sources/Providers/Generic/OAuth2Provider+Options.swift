public import ProviderKit

extension OAuth2Provider {
    /// The entry's `options` in `plugins.json`.
    public struct Options: ClientOptions {
        var authorizationUrl = ""
        var tokenUrl = ""
        var userinfoUrl = ""
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
        var claims = Claims()
        var textBooleans = false
        var userinfoHeaders: [String: String] = [:]
        var authorizationParameters: [String: String] = [:]

        public init() {}

        public static let declaration = DeclaredObject<Options>(
            "Any OAuth 2 provider with a profile URL.", endpoints + clientKeys + requests + requestKeys)

        private static let endpoints: [DeclaredKey<Options>] = [
            .key("authorizationUrl", \.authorizationUrl, "the authorization endpoint").required()
                .narrowed(by: ProviderContext.baseURLs),
            .key("tokenUrl", \.tokenUrl, "the token endpoint").required().narrowed(by: ProviderContext.baseURLs),
            .key("userinfoUrl", \.userinfoUrl, "the URL of the user's profile: `GET`, with a bearer token, JSON")
                .required().narrowed(by: ProviderContext.baseURLs),
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
            .key("claims", \.claims, "the places of claims in the userinfo response").required()
                .example(["subject": "/id", "email": "/email"]),
            .key("userinfoHeaders", \.userinfoHeaders, "further header fields of the userinfo request").initially([:])
                .narrowed(by: [
                    "propertyNames": [
                        "pattern": "^[A-Za-z0-9-]+$", "not": ["pattern": "^([Aa]uthorization|[Hh]ost|[Cc]ookie)$"],
                    ]
                ]),
        ]
    }
}

extension OAuth2Provider.Options {
    /// The places of the profile's claims in the userinfo response.
    var profileClaims: ProfileClaims {
        var profile = claims.profile.claims()
        profile.acceptsTextBooleans = textBooleans
        return profile
    }

    /// - Throws: ``ProviderError`` with fault ``ProviderError/Fault/configuration`` and the fix.
    func checked(
        in context: ProviderContext
    ) throws(ProviderError) -> (instance: String, client: OAuth2Client, userinfo: UserinfoCall) {
        guard !clientId.isEmpty else { throw Self.refusal("clientId must not be empty") }
        let endpoints = [
            ("authorizationUrl", authorizationUrl), ("tokenUrl", tokenUrl), ("userinfoUrl", userinfoUrl),
            ("revocationUrl", revocationUrl ?? tokenUrl),
        ]
        for (option, url) in endpoints { try check(url, option, in: context) }
        try checkSubject()
        let proof = try ClientProof(tokenEndpointAuthMethod, secret: clientSecret, key: privateKey, in: context)
        let client = OAuth2Client(
            authorizeURL: authorizationUrl, tokenURL: tokenUrl, clientID: clientId,
            authentication: proof.authentication(of: clientId, audience: issuer ?? tokenUrl, in: context),
            scopes: scopes, errorFaults: TokenErrors.faults,
            dialect: .init(scopeSeparator: scopeSeparator, sendsCodeChallenge: pkce))
        return (try instance(in: context), client, UserinfoCall(url: userinfoUrl, headers: try checkedHeaders()))
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

    /// Refuses a subject that can be reassigned: it would sign its next owner in as the previous user.
    private func checkSubject() throws(ProviderError) {
        for pointer in claims.subject.pointers where MutableClaims.contain(pointer) {
            throw Self.refusal(
                "claims.subject must point to an id that is never reassigned, not to a name or an address")
        }
    }

    /// The provider's additional header fields, without those of the protocol.
    private func checkedHeaders() throws(ProviderError) -> [(name: String, value: String)] {
        let headers = userinfoHeaders.sorted { $0.key < $1.key }
        for (name, value) in headers {
            guard !name.isEmpty, name.utf8.allSatisfy(Self.isTokenByte), !Self.ownHeaders.contains(name.lowercased()),
                value.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
            else { throw Self.refusal("userinfoHeaders cannot set \(name)") }
        }
        return headers.map { ($0.key, $0.value) }
    }

    private static let ownHeaders: Set<String> = [
        "authorization", "connection", "content-length", "content-type", "cookie", "host", "te", "transfer-encoding",
        "upgrade",
    ]

    /// Whether a byte is allowed in a header name: letters, digits and hyphen.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}

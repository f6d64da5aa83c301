import ProviderKit

/// 1Pass's endpoints, from its discovery document, and its tokens.
struct OnePassAPI: Sendable {
    let url: String
    let issuer: String
    /// Our clients; the first one is that of sign-ins at the broker's own redirect URI.
    let clientIDs: [String]
    private let secret: Secret?
    let context: ProviderContext
    private let discovery: OpenIDDiscovery

    init(url: String, issuer: String, clientIDs: [String], secret: Secret?, context: ProviderContext) {
        self.url = url
        self.issuer = issuer
        self.clientIDs = clientIDs
        self.secret = secret
        self.context = context
        discovery = OpenIDDiscovery(url: url, issuer: issuer, context: context)
    }

    func configuration() async throws(ProviderError) -> OpenIDConfiguration {
        try await discovery.configuration()
    }

    /// One of our clients. Only the first one has a secret; the clients of apps are public.
    func client(_ clientID: String? = nil, scopes: [String] = []) async throws(ProviderError) -> OAuth2Client {
        client(clientID, scopes: scopes, at: try await configuration())
    }

    func client(
        _ clientID: String? = nil, scopes: [String] = [], at configuration: OpenIDConfiguration
    ) -> OAuth2Client {
        let clientID = clientID ?? clientIDs[0]
        let isMain = clientID.utf8.elementsEqual(clientIDs[0].utf8)
        return OAuth2Client(
            authorizeURL: configuration.authorizationEndpoint, tokenURL: configuration.tokenEndpoint,
            clientID: clientID,
            authentication: isMain ? secret.map(OAuth2Client.ClientAuthentication.requestBody) ?? .none : .none,
            scopes: scopes)
    }

    func redeem(_ code: Credential.AuthorizationCode) async throws(ProviderError) -> UpstreamGrant {
        try await client(code.clientID).redeem(code, over: context.upstream, now: context.now())
    }

    func refresh(_ grant: UpstreamGrant) async throws(ProviderError) -> UpstreamGrant {
        try await client(grant.clientID).refresh(grant, over: context.upstream, now: context.now())
    }

    /// Revokes the tokens of one sign-in.
    func revoke(_ grant: UpstreamGrant) async throws(ProviderError) {
        guard let endpoint = try await configuration().revocationEndpoint else {
            throw ProviderError(.configuration, at: .revoke, "discovery names no revocation endpoint")
        }
        let client = try await client(grant.clientID)
        if let refreshToken = grant.refreshToken {
            try await client.revoke(refreshToken, hint: "refresh_token", at: endpoint, over: context.upstream)
        }
        try await client.revoke(grant.accessToken, hint: "access_token", at: endpoint, over: context.upstream)
    }

    func startDeviceAuthorization(scopes: [String]) async throws(ProviderError) -> DeviceAuthorization {
        guard let endpoint = try await configuration().deviceAuthorizationEndpoint else {
            throw ProviderError(.configuration, at: .authorizeDevice, "discovery names no device endpoint")
        }
        return try await client().startDeviceAuthorization(at: endpoint, scopes: scopes, over: context.upstream)
    }

    func pollDeviceAuthorization(_ deviceCode: String) async throws(ProviderError) -> OAuth2Client.DevicePoll {
        try await client().pollDeviceAuthorization(deviceCode, over: context.upstream, now: context.now())
    }

    /// Verifies an ID token. Its nonce is the client's raw nonce: 1Pass does not hash it.
    func verify(
        idToken: String, for audiences: [String], maximumAge: Int? = nil, nonce: NonceExpectation,
        accessToken: String?
    ) async throws(ProviderError) -> VerifiedIDToken {
        var policy = try await policy()
        policy.audiences = audiences
        policy.maximumAge = maximumAge
        policy.nativeNonce = .plain
        policy.requiresNativeNonce = true
        return try await context.tokens.verify(idToken, by: policy, nonce: nonce, accessToken: accessToken)
    }

    /// Verifies an access token. Its audience is the client it was issued to, so another application's token is
    /// refused.
    func verify(accessToken: String) async throws(ProviderError) -> VerifiedIDToken {
        var policy = try await policy()
        policy.types = ["JWT", "at+jwt", "application/at+jwt"]
        return try await context.tokens.verify(accessToken, by: policy, nonce: .unchecked, accessToken: nil)
    }

    /// A page of the events of our confidential client.
    func events(after cursor: String?) async throws(ProviderError) -> JSONValue {
        guard let secret else { throw ProviderError(.configuration, at: .pollEvents, "a public client has no events") }
        var query: [(name: String, value: String)] = [("limit", "100")]
        if let cursor, !cursor.isEmpty { query.append(("since", cursor)) }
        let response = try await context.upstream.send(
            UpstreamRequest(.get, "\(url)/api/v1/events?\(FormEncoding.encode(query))", at: .pollEvents)
                .basic(clientIDs[0], secret))
        switch response.status {
        case 200: return try response.jsonValue(at: .pollEvents)
        case 400, 401, 403, 404:
            throw ProviderError(
                .configuration, at: .pollEvents, "the event feed refused our client with status \(response.status)")
        default: throw response.refusal(at: .pollEvents)
        }
    }

    /// The profile of the user of a valid token.
    func userinfo(_ accessToken: String) async throws(ProviderError) -> JSONObject {
        let endpoint = try await configuration().userinfoEndpoint ?? url + "/oauth/userinfo"
        let response = try await context.upstream.send(
            UpstreamRequest(.get, endpoint, at: .fetchProfile).bearer(accessToken))
        guard response.status == 200 else {
            // A missing path is not a fault of the token.
            throw response.status == 404
                ? ProviderError(.configuration, at: .fetchProfile, "userinfo is missing there: check options.url")
                : response.refusal(at: .fetchProfile)
        }
        guard let claims = try response.jsonValue(at: .readProfile).object else {
            throw ProviderError(.upstream, at: .readProfile, "userinfo is not an object")
        }
        return claims
    }

    func policy() async throws(ProviderError) -> IDTokenPolicy {
        IDTokenPolicy(issuers: [issuer], audiences: clientIDs, keySetURL: try await configuration().keySetURL)
    }
}

extension VerifiedIDToken {
    /// The grant of an access token that a client presents.
    func grant(_ accessToken: String, idToken: String?) -> UpstreamGrant {
        UpstreamGrant(
            clientID: audience, accessToken: accessToken, idToken: idToken,
            scopes: (claims["scope"]?.string ?? "").split(separator: " ").map(String.init), expiresAt: expiresAt)
    }
}

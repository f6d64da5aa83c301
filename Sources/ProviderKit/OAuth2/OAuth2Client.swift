public import Foundation

/// Our client at an OAuth 2 provider (RFC 6749): builds authorization URLs, redeems codes, refreshes tokens.
///
/// It tolerates deviations that stay unambiguous (errors with status 200, scopes separated by commas). It is strict
/// where a mistake could sign a user in: a response without an access token is an error.
public struct OAuth2Client: Sendable {
    /// The authorization endpoint (RFC 6749 §3.1).
    public let authorizeURL: String
    /// The token endpoint (RFC 6749 §3.2).
    public let tokenURL: String
    /// The client id at the provider (RFC 6749 §2.2).
    public let clientID: String
    /// The scopes of every sign-in.
    public let scopes: [String]
    let authentication: ClientAuthentication
    let errorFaults: [String: ProviderError.Fault]
    let dialect: Dialect

    /// Whether authorization requests have a PKCE challenge (RFC 7636 §4.3).
    public var sendsCodeChallenge: Bool { dialect.sendsCodeChallenge }

    /// Whether token requests have their parameters, the code and the client's secret among them, in the query.
    public var sendsTokenRequestsInQuery: Bool { dialect.tokenRequest.format == .query }

    /// The client authentication at the token endpoint (RFC 6749 §2.3).
    public enum ClientAuthentication: Sendable {
        case requestBody(Secret)
        case basic(Secret)
        /// A signed assertion, new for every request (RFC 7523 §2.2, `private_key_jwt`).
        case assertion(@Sendable () throws(ProviderError) -> String)
        /// A public client: PKCE alone protects the code.
        case none
    }

    /// Makes a registered client; `errorFaults` maps the provider's own error codes to faults.
    public init(
        authorizeURL: String, tokenURL: String, clientID: String, authentication: ClientAuthentication,
        scopes: [String], errorFaults: [String: ProviderError.Fault] = [:], dialect: Dialect = Dialect()
    ) {
        self.authorizeURL = authorizeURL
        self.tokenURL = tokenURL
        self.clientID = clientID
        self.authentication = authentication
        self.scopes = scopes
        self.errorFaults = errorFaults.merging(Self.standardFaults) { own, _ in own }
        self.dialect = dialect
    }

    /// The authorization URL (RFC 6749 §4.1.1 with RFC 7636 §4.3).
    ///
    /// An app's parameters never replace those of the protocol.
    ///
    /// - Parameters:
    ///   - attempt: The broker's values.
    ///   - additional: Further parameters of this provider, such as `response_mode`.
    /// - Returns: The absolute URL.
    public func authorizationURL(
        for attempt: SignInAttempt, additional: [(name: String, value: String)] = []
    ) -> String {
        let names = dialect.authorizationRequest
        var query: [(name: String, value: String)] = [
            ("response_type", "code"), (names.clientIDName, clientID), ("redirect_uri", attempt.redirectURI),
            ("state", attempt.state),
        ]
        let wanted = scopes + attempt.scopes.filter { !scopes.contains($0) }
        if !wanted.isEmpty { query.append((names.scopeName, wanted.joined(separator: dialect.scopeSeparator))) }
        if dialect.sendsCodeChallenge {
            query += [("code_challenge", attempt.codeChallenge), ("code_challenge_method", "S256")]
        }
        if let nonce = attempt.nonce { query.append(("nonce", nonce)) }
        if let hint = attempt.loginHint { query.append(("login_hint", hint)) }
        query += additional
        for (name, value) in attempt.parameters.sorted(by: { $0.key < $1.key })
        where !Self.isReserved(name) {
            let folded = name.lowercasedASCII
            guard !query.contains(where: { $0.name.lowercasedASCII.hasSameBytes(as: folded) }) else { continue }
            query.append((name, value))
        }
        let fragment = names.fragment.map { "#" + $0 } ?? ""
        return "\(authorizeURL)\(authorizeURL.contains("?") ? "&" : "?")\(FormEncoding.encode(query))\(fragment)"
    }

    /// Exchanges an authorization code for tokens (RFC 6749 §4.1.3).
    public func redeem(
        _ code: Credential.AuthorizationCode, over upstream: any Upstream, now: Date
    ) async throws(ProviderError) -> UpstreamGrant {
        try await redeemed(code, over: upstream, now: now).grant
    }

    /// Exchanges an authorization code for tokens, for providers that tell more than tokens in the response.
    ///
    /// - Parameters:
    ///   - code: The code.
    ///   - upstream: The HTTP client.
    ///   - now: The start of `expires_in`.
    /// - Returns: The tokens, and the rest of the response.
    /// - Throws: ``ProviderError``.
    public func redeemed(
        _ code: Credential.AuthorizationCode, over upstream: any Upstream, now: Date
    ) async throws(ProviderError) -> (grant: UpstreamGrant, rest: JSONValue) {
        var form: [(name: String, value: String)] = [("grant_type", "authorization_code"), ("code", code.code)]
        if let redirectURI = code.redirectURI { form.append(("redirect_uri", redirectURI)) }
        if dialect.sendsCodeChallenge, let verifier = code.verifier { form.append(("code_verifier", verifier)) }
        for name in dialect.tokenRequest.callbackParameters {
            if let value = code.callback[name] { form.append((name, value)) }
        }
        return try await token(form, at: .redeem, requested: scopes, over: upstream, now: now)
    }

    /// Exchanges a refresh token (RFC 6749 §6). Without a new refresh token the grant keeps the old one.
    public func refresh(
        _ grant: UpstreamGrant, over upstream: any Upstream, now: Date
    ) async throws(ProviderError) -> UpstreamGrant {
        guard let refreshToken = grant.refreshToken else {
            throw ProviderError(.credential, at: .refresh, "the grant has no refresh token")
        }
        let form = [(name: "grant_type", value: "refresh_token"), (name: "refresh_token", value: refreshToken)]
        let fresh = try await token(form, at: .refresh, requested: grant.scopes, over: upstream, now: now).grant
        return UpstreamGrant(
            clientID: clientID, accessToken: fresh.accessToken, refreshToken: fresh.refreshToken ?? refreshToken,
            idToken: fresh.idToken, scopes: fresh.scopes, expiresAt: fresh.expiresAt)
    }

    /// Revokes a token at a revocation endpoint (RFC 7009 §2.1). A token that the provider does not know is a success.
    ///
    /// - Throws: ``ProviderError`` when the provider does not respond, or refuses our client.
    public func revoke(
        _ token: String, hint: String, at url: String, over upstream: any Upstream
    ) async throws(ProviderError) {
        let form = [(name: "token", value: token), (name: "token_type_hint", value: hint)]
        let response = try await upstream.send(try tokenRequest(form, at: .revoke, url: url))
        switch response.status {
        case 200..<300: return
        // RFC 7009 §2.2 requires success for an unknown token; some providers return an error instead.
        case 400 where (try? response.decode(TokenAnswer.self, at: .revoke))?.error == "invalid_token": return
        case 400, 401, 403:
            throw ProviderError(.configuration, at: .revoke, "the provider refused our client or its token")
        default: throw response.refusal(at: .revoke)
        }
    }

    /// Sends a request to the token endpoint as this client and reads the tokens of the response.
    private func token(
        _ form: [(name: String, value: String)], at step: ProviderError.Step, requested: [String],
        over upstream: any Upstream, now: Date
    ) async throws(ProviderError) -> (grant: UpstreamGrant, rest: JSONValue) {
        let response = try await upstream.send(try tokenRequest(form, at: step))
        let answer = try answer(in: response, at: step)
        if let grant = answer.grant(clientID: clientID, requested: requested, now: now) {
            return (grant, try dialect.tokenResponse.rest(of: response.jsonValue(at: step)))
        }
        guard let error = answer.error else {
            let reason = answer.isBearer ? "with neither token nor error" : "with a token_type other than Bearer"
            throw ProviderError(.upstream, at: step, "the token endpoint answered \(reason)")
        }
        throw refusal(error, response, at: step)
    }
}

extension OAuth2Client {
    func tokenRequest(
        _ form: [(name: String, value: String)], at step: ProviderError.Step, url: String? = nil
    ) throws(ProviderError) -> UpstreamRequest {
        // The dialect is that of the token endpoint: other endpoints are as in OAuth 2.
        let rules = url == nil ? dialect.tokenRequest : .init()
        let request = UpstreamRequest(rules.format == .query ? .get : .post, url ?? tokenURL, at: step)
        let client = (name: rules.clientIDName, value: clientID)
        switch authentication {
        case .requestBody(let secret):
            let secret = (name: rules.clientSecretName, value: secret.reveal())
            return rules.request(request, sending: form + [client, secret])
        case .basic(let secret):
            return rules.request(request.basic(clientID, secret), sending: form)
        case .assertion(let make):
            let proof = [
                (name: "client_assertion_type", value: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
                (name: "client_assertion", value: try make()),
            ]
            return rules.request(request, sending: form + [client] + proof)
        case .none:
            return rules.request(request, sending: form + [client])
        }
    }

    /// The token endpoint's response: a success or an OAuth error, regardless of its status.
    func answer(in response: UpstreamResponse, at step: ProviderError.Step) throws(ProviderError) -> TokenAnswer {
        guard response.status < 500, response.status != 429 else { throw response.refusal(at: step) }
        let answer = try TokenAnswer(response, in: dialect.tokenResponse, at: step)
        guard response.status < 300 || answer.error != nil else {
            // A proxy's 403 says nothing about the token, and a refused refresh ends the user's sessions.
            guard step != .refresh else {
                throw ProviderError(.upstream, at: step, "answered with status \(response.status) and no OAuth error")
            }
            throw response.refusal(at: step)
        }
        return answer
    }

    /// The error of an OAuth error code. An unknown code is the provider's text and may repeat our request, so it is
    /// not included.
    func refusal(_ error: String, _ response: UpstreamResponse, at step: ProviderError.Step) -> ProviderError {
        // A response without a token and without a known code says nothing about the credential.
        guard let fault = errorFaults[error] else {
            return ProviderError(
                .upstream, at: step, "the token endpoint answered with an unknown error",
                retryAfter: response.retryAfter)
        }
        return ProviderError(fault, at: step, "the token endpoint answered: \(error)", retryAfter: response.retryAfter)
    }

    /// RFC 6749 §5.2 and §4.1.2.1.
    private static let standardFaults: [String: ProviderError.Fault] = [
        "invalid_grant": .credential, "access_denied": .cancelled, "invalid_client": .configuration,
        "unauthorized_client": .configuration, "unsupported_grant_type": .configuration,
        "invalid_scope": .configuration, "invalid_request": .configuration, "temporarily_unavailable": .upstream,
        "server_error": .upstream,
    ]
}

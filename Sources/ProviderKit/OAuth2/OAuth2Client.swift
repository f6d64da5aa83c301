public import Foundation

/// Our client at a provider that speaks OAuth 2 (RFC 6749): builds authorization URLs, redeems codes, refreshes.
///
/// Tolerant where providers are sloppy and the answer is still clear (errors with status 200, scopes separated by
/// commas), strict where a mistake would sign somebody in: no access token, no success.
public struct OAuth2Client: Sendable {
    /// The authorization endpoint (RFC 6749 §3.1).
    public let authorizeURL: String
    /// The token endpoint (RFC 6749 §3.2).
    public let tokenURL: String
    /// What the provider knows this client by (RFC 6749 §2.2).
    public let clientID: String
    /// The scopes every sign-in asks for.
    public let scopes: [String]
    let authentication: ClientAuthentication
    let errorFaults: [String: ProviderError.Fault]
    let dialect: Dialect

    /// Whether authorization requests carry a PKCE challenge (RFC 7636 §4.3).
    public var sendsCodeChallenge: Bool { dialect.sendsCodeChallenge }

    /// How the client proves itself at the token endpoint (RFC 6749 §2.3).
    public enum ClientAuthentication: Sendable {
        case requestBody(Secret)
        case basic(Secret)
        /// A signed assertion, made anew for every request (RFC 7523 §2.2, `private_key_jwt`).
        case assertion(@Sendable () throws(ProviderError) -> String)
        /// A public client: PKCE alone protects the code.
        case none
    }

    /// A client as it is registered; `errorFaults` says who has to act on error codes that are the provider's own.
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

    /// Where to send the browser (RFC 6749 §4.1.1 with RFC 7636 §4.3).
    ///
    /// An app's extra parameters never replace one of the protocol's.
    ///
    /// - Parameters:
    ///   - attempt: What the broker prepared.
    ///   - additional: What this provider wants besides, such as `response_mode`.
    /// - Returns: The absolute URL.
    public func authorizationURL(
        for attempt: SignInAttempt, additional: [(name: String, value: String)] = []
    ) -> String {
        var query: [(name: String, value: String)] = [
            ("response_type", "code"), ("client_id", clientID), ("redirect_uri", attempt.redirectURI),
            ("state", attempt.state),
        ]
        let wanted = scopes + attempt.scopes.filter { !scopes.contains($0) }
        if !wanted.isEmpty { query.append(("scope", wanted.joined(separator: dialect.scopeSeparator))) }
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
        return "\(authorizeURL)\(authorizeURL.contains("?") ? "&" : "?")\(FormEncoding.encode(query))"
    }

    /// Exchanges a one-time code for tokens (RFC 6749 §4.1.3).
    public func redeem(
        _ code: Credential.AuthorizationCode, over upstream: any Upstream, now: Date
    ) async throws(ProviderError) -> UpstreamGrant {
        var form: [(name: String, value: String)] = [("grant_type", "authorization_code"), ("code", code.code)]
        if let redirectURI = code.redirectURI { form.append(("redirect_uri", redirectURI)) }
        if dialect.sendsCodeChallenge, let verifier = code.verifier { form.append(("code_verifier", verifier)) }
        return try await token(form, at: .redeem, over: upstream, now: now)
    }

    /// Exchanges a refresh token (RFC 6749 §6). Keeps the old refresh token when the answer names none.
    public func refresh(
        _ grant: UpstreamGrant, over upstream: any Upstream, now: Date
    ) async throws(ProviderError) -> UpstreamGrant {
        guard let refreshToken = grant.refreshToken else {
            throw ProviderError(.credential, at: .refresh, "the grant has no refresh token")
        }
        let form = [(name: "grant_type", value: "refresh_token"), (name: "refresh_token", value: refreshToken)]
        let fresh = try await token(form, at: .refresh, over: upstream, now: now)
        return UpstreamGrant(
            clientID: clientID, accessToken: fresh.accessToken, refreshToken: fresh.refreshToken ?? refreshToken,
            idToken: fresh.idToken, scopes: fresh.scopes.isEmpty ? grant.scopes : fresh.scopes,
            expiresAt: fresh.expiresAt)
    }

    /// Withdraws a token at a revocation endpoint (RFC 7009 §2.1). A token the provider no longer knows is withdrawn.
    ///
    /// - Throws: ``ProviderError`` when the provider does not answer, or refuses our client.
    public func revoke(
        _ token: String, hint: String, at url: String, over upstream: any Upstream
    ) async throws(ProviderError) {
        let form = [(name: "token", value: token), (name: "token_type_hint", value: hint)]
        let response = try await upstream.send(try tokenRequest(form, at: .revoke, url: url))
        switch response.status {
        case 200..<300: return
        // RFC 7009 §2.2 has success for a token that is gone; some providers say so instead.
        case 400 where (try? response.decode(TokenAnswer.self, at: .revoke))?.error == "invalid_token": return
        case 400, 401, 403:
            throw ProviderError(.configuration, at: .revoke, "the provider refused our client or its token")
        default: throw response.refusal(at: .revoke)
        }
    }

    /// Posts a form to the token endpoint as this client and reads the tokens in the answer.
    private func token(
        _ form: [(name: String, value: String)], at step: ProviderError.Step, over upstream: any Upstream, now: Date
    ) async throws(ProviderError) -> UpstreamGrant {
        let response = try await upstream.send(try tokenRequest(form, at: step))
        let answer = try answer(in: response, at: step)
        if let grant = answer.grant(clientID: clientID, now: now) { return grant }
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
        let request = UpstreamRequest(.post, url ?? tokenURL, at: step)
        switch authentication {
        case .requestBody(let secret):
            return request.sending(form: form + [("client_id", clientID), ("client_secret", secret.reveal())])
        case .basic(let secret):
            return request.basic(clientID, secret).sending(form: form)
        case .assertion(let make):
            let proof = [
                (name: "client_id", value: clientID),
                (name: "client_assertion_type", value: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
                (name: "client_assertion", value: try make()),
            ]
            return request.sending(form: form + proof)
        case .none:
            return request.sending(form: form + [("client_id", clientID)])
        }
    }

    /// The token endpoint's answer: a success or an OAuth error, whatever its status says.
    func answer(in response: UpstreamResponse, at step: ProviderError.Step) throws(ProviderError) -> TokenAnswer {
        guard response.status < 500, response.status != 429 else { throw response.refusal(at: step) }
        let answer = try response.decode(TokenAnswer.self, at: step)
        guard response.status < 300 || answer.error != nil else { throw response.refusal(at: step) }
        return answer
    }

    /// The error an OAuth error code stands for. A code we do not know is the provider's text, which may repeat what it
    /// was sent, so it is not repeated here.
    func refusal(_ error: String, _ response: UpstreamResponse, at step: ProviderError.Step) -> ProviderError {
        // Without a token and without a code we know, the answer is nonsense rather than a verdict on the person.
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

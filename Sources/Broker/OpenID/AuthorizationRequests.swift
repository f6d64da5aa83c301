package import BrokerStore
import OAuth
import ProviderKit

/// The reason no response may be redirected to a client: the broker's own page tells the user (RFC 6749 §4.1.2.1).
package enum NotRedirectable: Error, Sendable {
    /// With the `client_id` that was sent.
    case clientUnknown(id: String)
    case redirectURINotRegistered(clientID: String, uri: String)
    /// A pushed request that is unknown, consumed, or another client's.
    case requestUnknown(clientID: String)
}

/// A request whose client and redirect URI are known.
package struct ReadAuthorizationRequest: Sendable {
    package let client: Client
    let redirectURI: RedirectURI
    let state: String?
    /// The languages of a pushed request (OpenID Connect Core §3.1.2.1); another request's are in its address.
    let uiLocales: String?
    /// The request, or what is wrong with it.
    package let request: Result<AuthorizationRequest, OAuthError>
}

/// The parameters behind a `request_uri` (RFC 9126 §2.2).
struct PushedAuthorizationRequest: Codable, Sendable {
    let clientID: String
    let parameters: [String: String]

    /// How long a pushed request may be sent to the authorization endpoint.
    static let lifetime = Duration.seconds(600)
    /// What a `request_uri` begins with; the secret follows.
    static let uriPrefix = "urn:ietf:params:oauth:request_uri:"
}

/// The authorization requests of clients: validates them, finds and consumes pushed ones, and makes the responses to them
/// (RFC 6749 §4.1, RFC 9126).
extension OpenIDContext {
    /// Validates a request of the authorization endpoint: client and redirect URI first, then the rest.
    ///
    /// - Parameters:
    ///   - parameters: As they came, each once.
    ///   - pushedAs: The secret the request will have, when it is being pushed.
    /// - Returns: The client, with its request or what is wrong with that.
    /// - Throws: ``NotRedirectable`` or a store's error.
    package func readAuthorizationRequest(
        _ parameters: [String: String], pushedAs: String? = nil
    ) async throws -> ReadAuthorizationRequest {
        let id = parameters[OAuthParameter.clientID.name] ?? ""
        guard let client = try await clients.client(id: id) else { throw NotRedirectable.clientUnknown(id: id) }
        RequestAdmission.note(clientID: client.id)
        var parameters = parameters
        var pushedAs = pushedAs
        if let name = parameters[OAuthParameter.requestURI.name],
            name.utf8.starts(with: PushedAuthorizationRequest.uriPrefix.utf8)
        {
            let token = String(name.dropFirst(PushedAuthorizationRequest.uriPrefix.count))
            // The user's own choice of a provider is the one parameter the browser may add.
            let provider = parameters[OAuthParameter.provider.name]
            parameters = try await pushed(token, by: client).parameters
            parameters[OAuthParameter.provider.name] = parameters[OAuthParameter.provider.name] ?? provider
            pushedAs = token
        }
        let uri = parameters[OAuthParameter.redirectURI.name] ?? ""
        guard let redirectURI = client.redirectURI(matching: uri) else {
            throw NotRedirectable.redirectURINotRegistered(clientID: id, uri: uri)
        }
        return ReadAuthorizationRequest(
            client: client, redirectURI: redirectURI, state: parameters[OAuthParameter.state.name],
            uiLocales: pushedAs == nil ? nil : parameters[OAuthParameter.uiLocales.name],
            request: try await validate(parameters, of: client, to: redirectURI, pushedAs: pushedAs))
    }

    private func validate(
        _ parameters: [String: String], of client: Client, to redirectURI: RedirectURI, pushedAs: String?
    ) async throws -> Result<AuthorizationRequest, OAuthError> {
        let now = now
        do {
            guard parameters[OAuthParameter.requestURI.name] == nil else {
                throw OAuthError(.requestURINotSupported, "Push the request to /oauth/par first.")
            }
            return .success(
                try AuthorizationRequest(
                    parameters, of: client, to: redirectURI,
                    expecting: try await user(ofHint: parameters[OAuthParameter.idTokenHint.name], of: client, at: now),
                    pushedAs: pushedAs, stepUp: policy.stepUp, at: now))
        } catch let refusal as OAuthError {
            return .failure(refusal)
        }
    }

    /// The user of `id_token_hint`: an ID token of ours for this client, which may have expired.
    private func user(ofHint token: String?, of client: Client, at now: Timestamp) async throws -> String? {
        guard let token, !token.isEmpty else { return nil }
        guard let claims = try await verifier.claims(ofHint: token, at: now),
            claims.clientID.hasSameBytes(as: client.id)
        else { throw OAuthError(.invalidRequest, "id_token_hint is no ID token of this client.") }
        return claims.localID
    }

    private func pushed(_ token: String, by client: Client) async throws -> PushedAuthorizationRequest {
        do {
            let now = now
            let found = try await redirects.attempts.find(token, .pushed, at: now) { _ in client.id }
            guard now < found.startedAt.advanced(by: PushedAuthorizationRequest.lifetime) else {
                throw NotRedirectable.requestUnknown(clientID: client.id)
            }
            return found.payload
        } catch is BrokerError {
            throw NotRedirectable.requestUnknown(clientID: client.id)
        }
    }

    /// Consumes a request that was pushed.
    ///
    /// - Throws: ``NotRedirectable/requestUnknown`` when it was consumed meanwhile.
    func consume(_ request: AuthorizationRequest) async throws {
        guard let token = request.pushedAs else { return }
        let client = request.clientID
        do {
            let now = now
            try await redirects.attempts.consume(
                try await redirects.attempts.find(token, .pushed, at: now) { _ in client }, at: now)
        } catch is BrokerError {
            throw NotRedirectable.requestUnknown(clientID: client)
        }
    }

    /// The redirect URI of a request, which the operator may have removed since the request was validated.
    ///
    /// - Throws: ``NotRedirectable`` or a store's error.
    func redirectURI(of request: AuthorizationRequest) async throws -> RedirectURI {
        guard let client = try await clients.client(id: request.clientID) else {
            throw NotRedirectable.clientUnknown(id: request.clientID)
        }
        guard let redirectURI = client.redirectURI(matching: request.redirectURI) else {
            throw NotRedirectable.redirectURINotRegistered(clientID: client.id, uri: request.redirectURI)
        }
        return redirectURI
    }

    /// The address of the error response to a request that is not valid (RFC 6749 §4.1.2.1).
    package func response(_ refusal: OAuthError, to read: ReadAuthorizationRequest) -> String {
        refusal.note()
        return response(refusal.parameters, to: read.redirectURI, state: read.state)
    }

    /// The address of the error response to a valid request.
    ///
    /// - Throws: ``NotRedirectable`` or a store's error.
    package func response(_ refusal: OAuthError, to request: AuthorizationRequest) async throws -> String {
        refusal.note()
        return response(refusal.parameters, to: try await redirectURI(of: request), state: request.state)
    }

    /// The address of the response that carries a code (RFC 6749 §4.1.2).
    func response(code: String, to redirectURI: RedirectURI, state: String?) -> String {
        response([("code", code)], to: redirectURI, state: state)
    }

    /// With the issuer, by which a client tells the responses of several servers apart (RFC 9207).
    private func response(
        _ parameters: [(name: String, value: String)], to redirectURI: RedirectURI, state: String?
    ) -> String {
        let state = state.map { [(name: "state", value: $0)] } ?? []
        return redirectURI.adding(parameters + state + [("iss", issuer)])
    }
}

extension AuthorizationRequest {
    /// Validates the parameters of a request whose client and redirect URI are known.
    ///
    /// - Parameters:
    ///   - parameters: As they came, each once.
    ///   - client: The client.
    ///   - redirectURI: Where the response goes.
    ///   - expectedUser: The user of the verified `id_token_hint`.
    ///   - pushedAs: The secret of a pushed request.
    ///   - stepUp: The step-up rules of the policy.
    ///   - now: When the request came.
    /// - Throws: ``OAuthError``.
    fileprivate init(
        _ parameters: [String: String], of client: Client, to redirectURI: RedirectURI,
        expecting expectedUser: String?, pushedAs: String?, stepUp: [StepUpRule], at now: Timestamp
    ) throws(OAuthError) {
        func value(_ parameter: DeclaredParameter) -> String? {
            parameters[parameter.name].flatMap { $0.isEmpty ? nil : $0 }
        }
        try Self.checkShape(value)
        let prompts = try Self.prompts(value(OAuthParameter.prompt))
        let scopes = try Self.scopes(value(OAuthParameter.scope))
        let isProtected =
            scopes.contains(Scope.openid.rawValue) && value(OAuthParameter.nonce) != nil && !prompts.contains(.link)
        let challenge = try Self.challenge(value, isRequired: client.pkce == .required || !isProtected)
        let maxAge = try Self.maxAge(value(OAuthParameter.maxAge))
        if prompts.contains(.link) {
            guard pushedAs != nil, expectedUser != nil, value(OAuthParameter.provider) != nil, prompts.count == 1 else {
                throw .init(
                    .invalidRequest,
                    "prompt=link stands alone, in a request pushed to /oauth/par with id_token_hint and provider.")
            }
        }
        let required = try RequiredAuthentication(
            acrValues: value(OAuthParameter.acrValues), scopes: scopes, provider: value(OAuthParameter.provider),
            // A link begins no session of the client.
            rules: prompts.contains(.link) ? [] : stepUp)
        self.init(
            clientID: client.id, redirectURI: redirectURI.text, scopes: scopes,
            state: value(OAuthParameter.state), nonce: value(OAuthParameter.nonce), codeChallenge: challenge?.text,
            prompts: prompts,
            maxAge: [maxAge, required.maxAge].compactMap(\.self).min(), loginHint: value(OAuthParameter.loginHint),
            provider: value(OAuthParameter.provider), providerScopes: try Self.providerScopes(value),
            expectedUser: expectedUser,
            askedAt: now.milliseconds, pushedAs: pushedAs,
            acr: required.acr, requiredProviders: required.providers, requiredMethods: required.methods)
    }

    private static func checkShape(_ value: (DeclaredParameter) -> String?) throws(OAuthError) {
        guard value(OAuthParameter.request) == nil else {
            throw .init(.requestNotSupported, "Request objects are not supported.")
        }
        guard let type = value(OAuthParameter.responseType) else {
            throw .init(.invalidRequest, "response_type is missing.")
        }
        guard type == "code" else { throw .init(.unsupportedResponseType, "response_type must be code.") }
        guard ["query", nil].contains(value(OAuthParameter.responseMode)) else {
            throw .init(.invalidRequest, "response_mode must be query.")
        }
        // They are sealed into links, and addresses end at eight kilobytes.
        let limits = [
            (OAuthParameter.state, 1024), (OAuthParameter.nonce, 512), (OAuthParameter.loginHint, 256),
            (OAuthParameter.acrValues, 512),
        ]
        for (parameter, limit) in limits where (value(parameter)?.utf8.count ?? 0) > limit {
            throw .init(.invalidRequest, "\(parameter.name) is longer than \(limit) bytes.")
        }
    }

    /// RFC 7636 §4.4.1: without a challenge a stolen code can be redeemed, unless the client compares the `nonce` of its
    /// ID token (RFC 9700 §2.1.1).
    private static func challenge(
        _ value: (DeclaredParameter) -> String?, isRequired: Bool
    ) throws(OAuthError) -> CodeChallenge? {
        guard let text = value(OAuthParameter.codeChallenge) else {
            guard !isRequired else {
                throw .init(
                    .invalidRequest,
                    "code_challenge is missing: PKCE is required. A client registered with --pkce optional may leave it "
                        + "out of requests with scope openid and a nonce.")
            }
            guard value(OAuthParameter.codeChallengeMethod) == nil else {
                throw .init(.invalidRequest, "code_challenge_method stands without code_challenge.")
            }
            return nil
        }
        guard value(OAuthParameter.codeChallengeMethod) == CodeChallenge.method else {
            throw .init(.invalidRequest, "code_challenge_method must be S256.")
        }
        guard let challenge = CodeChallenge(text) else {
            throw .init(.invalidRequest, "code_challenge must be the base64url of a SHA-256 digest: 43 characters.")
        }
        return challenge
    }

    private static func prompts(_ text: String?) throws(OAuthError) -> [Prompt] {
        let names = text?.split(separator: " ").map(String.init) ?? []
        var prompts: [Prompt] = []
        for name in names {
            guard let prompt = Prompt(rawValue: name) else {
                throw .init(.invalidRequest, "prompt takes none, login, consent, select_account and link.")
            }
            prompts.append(prompt)
        }
        guard !prompts.contains(.none) || prompts.count == 1 else {
            throw .init(.invalidRequest, "prompt=none stands alone.")
        }
        return prompts
    }

    /// Scopes in the provider's own terms; its entry decides which are allowed.
    private static func providerScopes(_ value: (DeclaredParameter) -> String?) throws(OAuthError) -> [String]? {
        guard let text = value(OAuthParameter.providerScope) else { return nil }
        guard value(OAuthParameter.provider) != nil else {
            throw .init(.invalidRequest, "provider_scope needs provider: it names scopes of that provider.")
        }
        guard text.utf8.count <= 1024, let list = ScopeList(checking: text) else {
            throw .init(.invalidRequest, "provider_scope must be scopes, at most 1024 bytes.")
        }
        return list.scopes
    }

    private static func maxAge(_ text: String?) throws(OAuthError) -> Int? {
        guard let text else { return nil }
        guard let seconds = Int(text), seconds >= 0, text.utf8.allSatisfy(URIParts.isDigit), seconds <= 1 << 31 else {
            throw .init(.invalidRequest, "max_age must be a number of seconds.")
        }
        return seconds
    }

    private static func scopes(_ text: String?) throws(OAuthError) -> [String] {
        ScopeList(try Scopes(requested: text).text).scopes
    }
}

extension SignInAttempts.Purpose where Payload == PushedAuthorizationRequest {
    /// An authorization request that was pushed (RFC 9126); bound to its client.
    static var pushed: Self { Self("pushed") }
}

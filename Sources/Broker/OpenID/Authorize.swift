package import BrokerStore
package import Foundation
import ProviderKit

/// The authorization endpoint without its wire: recognises the client, decides, and gives out codes (RFC 6749 §4.1).
package struct Authorize: Sendable {
    let openID: OpenIDProvider
    let attempts: SignInAttempts
    let start: StartBrowserSignIn
    let recentLogin: RecentLogin
    let store: Store
    let keys: KeyGenerator
    package let now: @Sendable () -> Date

    /// Why nothing may be sent to a client: the person is told, on the broker's own page (RFC 6749 §4.1.2.1).
    package enum Unanswerable: Error, Sendable {
        case clientUnknown, redirectNotRegistered
        /// A pushed request that is unknown, was used, or is another client's.
        case requestUnknown
    }

    /// A client with the place its answers go to, and what it asks for, or what is wrong with that.
    package struct Asked: Sendable {
        package let client: Client
        let redirectURI: RedirectURI
        let state: String?
        /// The languages a pushed request wants (OpenID Connect Core §3.1.2.1); another one's stand in the address.
        let uiLocales: String?
        package let request: Result<AuthorizationRequest, AuthorizationRefusal>

        /// Where an answer's form may lead, for a page's content security policy.
        package var formTarget: String? { redirectURI.contentSecuritySource }
    }

    /// What is behind a `request_uri` (RFC 9126 §2.2).
    struct Pushed: Codable, Sendable {
        let clientID: String
        let parameters: [String: String]
    }

    static let requestURIPrefix = "urn:ietf:params:oauth:request_uri:"

    /// Recognises client and redirect URI, then reads the rest.
    ///
    /// - Parameter parameters: As they came, each once.
    /// - Returns: The client, and its request or what is wrong with it.
    /// - Throws: ``Unanswerable`` or a store's error.
    package func read(_ parameters: [String: String]) async throws -> Asked {
        try await read(parameters, pushedAs: nil)
    }

    /// The same for one that is being pushed, under the name it will have.
    func read(_ parameters: [String: String], pushedAs: String?) async throws -> Asked {
        guard let id = parameters["client_id"], let client = try await openID.clients.client(id: id) else {
            throw Unanswerable.clientUnknown
        }
        var parameters = parameters
        var pushedAs = pushedAs
        if let name = parameters["request_uri"], name.utf8.starts(with: Self.requestURIPrefix.utf8) {
            let token = String(name.dropFirst(Self.requestURIPrefix.count))
            // The person's own choice of a provider is the one thing that is added on the way.
            let provider = parameters["provider"]
            parameters = try await pushed(token, by: client).parameters
            parameters["provider"] = parameters["provider"] ?? provider
            pushedAs = token
        }
        guard let text = parameters["redirect_uri"], let redirectURI = client.redirectURI(matching: text) else {
            throw Unanswerable.redirectNotRegistered
        }
        let request = await read(parameters, of: client, to: redirectURI, pushedAs: pushedAs)
        return Asked(
            client: client, redirectURI: redirectURI, state: parameters["state"],
            uiLocales: pushedAs == nil ? nil : parameters["ui_locales"], request: try request.get())
    }

    private func read(
        _ parameters: [String: String], of client: Client, to redirectURI: RedirectURI, pushedAs: String?
    ) async -> Result<Result<AuthorizationRequest, AuthorizationRefusal>, any Error> {
        let now = Timestamp(now())
        do {
            if parameters["request_uri"] != nil {
                return .success(.failure(.init(.requestURINotSupported, "Push the request to /oauth/par first.")))
            }
            let hint = try await hint(parameters["id_token_hint"], of: client, at: now)
            return .success(
                .success(
                    try AuthorizationRequest(
                        parameters, of: client, to: redirectURI, hint: hint, pushedAs: pushedAs, at: now)))
        } catch let refusal as AuthorizationRefusal {
            return .success(.failure(refusal))
        } catch {
            return .failure(error)
        }
    }

    /// A hint may have expired; it must be ours, and this client's.
    private func hint(
        _ token: String?, of client: Client, at now: Timestamp
    ) async throws -> AuthorizationHint? {
        guard let token, !token.isEmpty else { return nil }
        guard let claims = try await openID.verifier.claims(ofHint: token, at: now),
            claims.clientID.utf8.elementsEqual(client.id.utf8)
        else { throw AuthorizationRefusal(.invalidRequest, "id_token_hint is no ID token of this client.") }
        return AuthorizationHint(localID: claims.localID)
    }

    private func pushed(_ token: String, by client: Client) async throws -> Pushed {
        do {
            let now = Timestamp(now())
            let found = try await attempts.find(token, .pushed, at: now) { _ in client.id }
            guard now < found.startedAt.advanced(by: PushAuthorizationRequest.lifetime) else {
                throw Unanswerable.requestUnknown
            }
            return try found.request(Pushed.self)
        } catch let error as BrokerError where error != .storeUnavailable {
            throw Unanswerable.requestUnknown
        }
    }

    /// What comes next.
    func decide(_ request: AuthorizationRequest, _ session: SessionFacts?) -> AuthorizationDecision {
        AuthorizationDecision(request, session, at: Timestamp(now()))
    }

    /// Whether the person is asked before the app learns who they are: because the app wants it, or because anybody on
    /// the person's machine could have asked in its name (RFC 8252 §8.6).
    package func asksFirst(_ request: AuthorizationRequest) async throws -> Bool {
        if request.wants(.consent) { return true }
        let client = try await openID.clients.client(id: request.clientID)
        return client?.kind == .native && !request.redirectURI.utf8.starts(with: "https:".utf8)
    }

    /// Sends the browser to a provider for a request.
    ///
    /// A pushed request is used up by its code: until then the person may turn back and choose another provider. One for
    /// a link is used up here, since its identity waits from then on.
    ///
    /// - Throws: ``BrokerError``; ``Unanswerable/requestUnknown`` when a pushed request was used meanwhile.
    package func depart(
        to provider: String, for request: AuthorizationRequest, from session: SessionFacts?,
        pendingToken: String? = nil, asksAnew: Bool? = nil, language: String?
    ) async throws -> StartBrowserSignIn.Started {
        var browser = BrowserRequest(request.intent, then: .authorize(request), language: language)
        browser.localID = request.expectedUser
        browser.sessionID = session?.session.id
        browser.pendingToken = pendingToken
        browser.asksAnew = asksAnew
        let started = try await start(at: provider, for: browser, loginHint: request.loginHint)
        if request.wants(.link) { try await useUp(request) }
        return started
    }

    /// A pushed request counts once.
    private func useUp(_ request: AuthorizationRequest) async throws {
        guard let token = request.pushedAs else { return }
        let client = request.clientID
        do {
            let now = Timestamp(now())
            try await attempts.consume(try await attempts.find(token, .pushed, at: now) { _ in client }, at: now)
        } catch is BrokerError {
            throw Unanswerable.requestUnknown
        }
    }

    /// Why a session that has begun for a request is not what was asked for; nil when it is.
    func objection(to session: SessionFacts, for request: AuthorizationRequest) -> AuthorizationRefusal? {
        let isSatisfied = request.isSatisfied(byOwnLoginAt: session.session.authTime, at: Timestamp(now()))
        guard request.expects(session.user), isSatisfied else {
            return .init(.loginRequired, "The provider did not prove a login as it was asked for.")
        }
        return nil
    }

    /// Gives out a code.
    ///
    /// - Parameters:
    ///   - request: What was asked for.
    ///   - session: The browser's session at the hosted pages.
    /// - Returns: Where the browser goes with it.
    /// - Throws: ``Unanswerable``, ``AuthorizationRefusal`` when the session is not what was asked for, or an error of the
    ///   store.
    package func grant(_ request: AuthorizationRequest, in session: SessionFacts) async throws -> String {
        let asked = try await stillRegistered(request)
        let date = now()
        let now = Timestamp(date)
        if let objection = objection(to: session, for: request) { throw objection }
        try await useUp(request)
        let challenge = request.codeChallenge.flatMap { CodeChallenge($0) }
        guard (challenge == nil) == (request.codeChallenge == nil) else { throw Unanswerable.requestUnknown }
        let grant = AuthorizationGrant(
            clientID: request.clientID, redirectURI: asked, codeChallenge: challenge,
            scopes: Scopes(request.scopes.joined(separator: " ")), nonce: request.nonce, user: session.user,
            provider: session.session.signInProvider, authTime: session.session.authTime,
            authenticationMethods: session.session.authenticationMethods?.split(separator: " ").map(String.init) ?? [],
            parentID: session.session.id)
        let (code, row) = AuthorizationCodes.make(grant, key: keys.next(at: date), at: now)
        let id = session.session.id
        try await store.write { transaction in
            _ = try transaction.liveSession(id: id, .web, at: now)
            try transaction.insert(row)
        }
        return answer([("code", code)], to: asked, state: request.state)
    }

    /// Tells a client that it gets nothing.
    package func refuse(_ refusal: AuthorizationRefusal, _ asked: Asked) -> String {
        answer(
            [("error", refusal.code.rawValue), ("error_description", refusal.text)], to: asked.redirectURI,
            state: asked.state)
    }

    /// The same for a request whose browser has been away.
    package func refuse(_ refusal: AuthorizationRefusal, _ request: AuthorizationRequest) async throws -> String {
        answer(
            [("error", refusal.code.rawValue), ("error_description", refusal.text)],
            to: try await stillRegistered(request), state: request.state)
    }

    /// Where an answer goes, unless the operator has changed the client meanwhile.
    func stillRegistered(_ request: AuthorizationRequest) async throws -> RedirectURI {
        guard let client = try await openID.clients.client(id: request.clientID) else {
            throw Unanswerable.clientUnknown
        }
        guard let redirectURI = client.redirectURI(matching: request.redirectURI) else {
            throw Unanswerable.redirectNotRegistered
        }
        return redirectURI
    }

    /// With the issuer, so that the client can tell whose answer it is (RFC 9207).
    func answer(_ parameters: [(name: String, value: String)], to redirectURI: RedirectURI, state: String?) -> String {
        var parameters = parameters
        if let state { parameters.append(("state", state)) }
        parameters.append(("iss", openID.issuer))
        return redirectURI.adding(parameters)
    }
}

extension AuthorizationRequest {
    fileprivate var intent: BrowserRequest.Intent {
        if wants(.link) { return .linkForClient }
        return expectedUser == nil ? .signIn : .reauthenticate
    }
}

import BrokerStore
import HTTPTypes
import Hummingbird
import OAuth
import ProviderKit

/// `/oauth/app_authorization`: a native first-party client opens a provider's app or page itself, and the answer comes back to its own
/// redirect URI (RFC 8252 §7). The token exchange redeems it.
///
/// GET lists the providers that offer it to the client, POST begins one sign-in, link or reauthentication.
struct AppAuthorizationRoutes: Sendable {
    let openID: OpenIDContext

    func add(to routes: Routes) {
        routes.oauth(.get, OAuthPaths.appAuthorization, list)
        routes.oauth(.post, OAuthPaths.appAuthorization, begin)
    }

    @Sendable
    func list(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let parameters = try QueryParameters(queryOf: request)
        try RequestAdmission.current?.countUnproven()
        let client = try await openID.authenticateClient(
            id: try parameters.required(OAuthParameter.clientID), secret: nil)
        let providers = openID.appProviders(of: client).map { provider, redirectURIs -> JSONValue in
            [
                "provider": .string(provider.id), "display_name": .string(provider.displayName),
                "redirect_uris": .array(redirectURIs.map(JSONValue.string)),
            ]
        }
        return .json(["providers": .array(providers)])
    }

    @Sendable
    func begin(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let call = try await openID.call(request, context)
        let started = try await OAuthError.refusingGrant {
            try await openID.beginAppAuthorization(try AppAuthorizationRequest(call.parameters), by: call.client)
        }
        return .json([
            "authorization_uri": .string(started.authorizationURL), "handle": .string(started.sessionID),
            "state": .string(started.state),
            "expires_in": .integer(SignInAttempts.lifetime.components.seconds),
        ])
    }
}

/// The parameters of an app authorization.
struct AppAuthorizationRequest: Sendable {
    let redirect: RedirectRequest
    let actor: TokenExchangeRequest.Actor?

    /// What a request has besides its client.
    static let parameters = [
        OAuthParameter.provider.required, OAuthParameter.redirectURI.required, OAuthParameter.providerScope,
        OAuthParameter.loginHint, OAuthParameter.actorPrompt, OAuthParameter.actorToken, OAuthParameter.actorTokenType,
    ]

    /// - Throws: ``OAuthError``.
    init(_ parameters: QueryParameters) throws(OAuthError) {
        actor = try TokenExchangeRequest.Actor(parameters)
        var redirect = RedirectRequest(
            provider: try parameters.required(OAuthParameter.provider).lowercasedASCII,
            redirectURI: try parameters.required(OAuthParameter.redirectURI))
        if let text = parameters[OAuthParameter.providerScope] {
            guard text.utf8.count <= 1024, let list = ScopeList(checking: text) else {
                throw OAuthError(.invalidRequest, "provider_scope must be scopes, at most 1024 bytes.")
            }
            redirect.scopes = list.scopes
        }
        redirect.loginHint = parameters[OAuthParameter.loginHint]
        guard (redirect.loginHint?.utf8.count ?? 0) <= 256 else {
            throw OAuthError(.invalidRequest, "login_hint is longer than 256 bytes.")
        }
        redirect.isReauthentication = actor?.prompt == .login
        self.redirect = redirect
    }
}

extension OpenIDContext {
    /// The providers that offer app authorization to a client, with the redirect URIs that both have registered.
    func appProviders(of client: Client) -> [(provider: ConfiguredProvider, redirectURIs: [String])] {
        guard client.kind == .native, client.isFirstParty else { return [] }
        return providers.current.providers.compactMap { provider in
            let redirectURIs = provider.appRedirectURIs.filter { client.redirectURI(matching: $0) != nil }
            return redirectURIs.isEmpty ? nil : (provider, redirectURIs)
        }
    }

    /// Begins the sign-in, link or reauthentication of a native client at a provider.
    ///
    /// - Throws: ``OAuthError`` for a client or a redirect URI that cannot have it, and for an actor token of another
    ///   client; ``BrokerError`` for what the exchange of the answer would refuse too.
    func beginAppAuthorization(
        _ request: AppAuthorizationRequest, by client: Client
    ) async throws -> StartedAppSignIn {
        // No page of the broker asks the user, so the app has to be the operator's own.
        guard client.kind == .native, client.isFirstParty else {
            throw OAuthError(
                .unauthorizedClient,
                "App authorization is for native first-party clients: use the authorization endpoint.")
        }
        guard client.redirectURI(matching: request.redirect.redirectURI) != nil else {
            throw OAuthError(.invalidRequest, "redirect_uri is not registered for the client.")
        }
        guard let actor = request.actor else {
            return try await redirects.startAppSignIn(request.redirect, by: client.id, for: nil)
        }
        let (user, scopes) = try await session(ofActor: actor.token, client)
        if actor.prompt == .link { try requireControl(of: user, scopes) }
        try check(user, mayUse: request.redirect.provider, isReauthentication: actor.prompt == .login)
        return try await redirects.startAppSignIn(request.redirect, by: client.id, for: user.user.localID)
    }
}

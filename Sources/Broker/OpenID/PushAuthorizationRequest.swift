package import BrokerStore
import OAuth
import ProviderKit

extension OpenIDContext {
    /// How long its interaction may take: at a page that asks, and at a provider.
    private static let interactionLifetime = HostedForms.lifetime + SignInAttempts.lifetime

    /// Stores an authorization request that a client pushes, and returns its `request_uri` (RFC 9126).
    ///
    /// A link can be requested in no other way: the ID token of its user never passes through a browser (decision D9).
    ///
    /// - Parameters:
    ///   - parameters: As the client sent them, each once.
    ///   - client: The authenticated client.
    /// - Returns: The `request_uri`.
    /// - Throws: ``OAuthError`` for a request that would be refused at `/oauth/authorize` too,
    ///   ``NotRedirectable``, ``BrokerError/recentLoginRequired``, or a store's error.
    package func pushAuthorizationRequest(_ parameters: [String: String], by client: Client) async throws -> String {
        guard parameters[OAuthParameter.requestURI.name] == nil else {
            throw OAuthError(.invalidRequest, "request_uri cannot be pushed.")
        }
        var known = parameters.filter { Self.pushedNames.contains($0.key) }
        known[OAuthParameter.clientID.name] = client.id
        let token = RandomText.secret()
        // The client learns here what is wrong with the request; a request that is not valid is not stored.
        let read = try await readAuthorizationRequest(known, pushedAs: token)
        try await checkLink(read.request.get(), idToken: known[OAuthParameter.idTokenHint.name])
        let size = known.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
        guard size <= 16 << 10 else {
            throw OAuthError(.invalidRequest, "The request is larger than 16 KiB.")
        }
        try await redirects.attempts.insert(
            PushedAuthorizationRequest(clientID: client.id, parameters: known), .pushed,
            .init(
                state: token, binding: client.id, requester: Requester(client),
                lifetime: PushedAuthorizationRequest.lifetime + Self.interactionLifetime), at: now)
        return PushedAuthorizationRequest.uriPrefix + token
    }

    /// The parameters of an authorization request; others are not stored.
    private static let pushedNames = Set(OAuthParameter.pushed.map(\.name))

    /// A link requires a recent login, and a session that is valid.
    private func checkLink(_ request: AuthorizationRequest, idToken: String?) async throws {
        guard request.wants(.link), let idToken else { return }
        let now = now
        guard let (facts, _) = try await verifier.session(behind: idToken, .idToken, at: now, with: Identity.self)
        else { throw OAuthError(.loginRequired, "id_token_hint is of a session that has ended.") }
        try sessions.recentLogin.require(for: .link, facts, at: now)
    }
}

package import BrokerStore
import Foundation
import ProviderKit

/// Takes an authorization request from a client behind the browser's back, and gives it a name the browser can carry
/// (RFC 9126).
///
/// It is the only way to ask for a link: the ID token that says for whom never travels through a browser (decision D9).
package struct PushAuthorizationRequest: Sendable {
    let authorize: Authorize
    let attempts: SignInAttempts

    /// How long a browser may come with a pushed request.
    package static let lifetime = Duration.seconds(600)
    /// How long it may be on its way with it: at a page that asks, and at a provider.
    private static let way = HostedForms.lifetime + SignInAttempts.lifetime

    /// - Parameters:
    ///   - parameters: As the client sent them, each once.
    ///   - client: Who it is.
    /// - Returns: The `request_uri`.
    /// - Throws: ``AuthorizationRefusal`` for a request that would be refused at `/oauth/authorize` too,
    ///   ``Authorize/Unanswerable``, ``BrokerError/recentLoginRequired``, or a store's error.
    package func callAsFunction(_ parameters: [String: String], by client: Client) async throws -> String {
        guard parameters["request_uri"] == nil else {
            throw AuthorizationRefusal(.invalidRequest, "request_uri cannot be pushed.")
        }
        // Strangers' parameters are nothing to keep.
        var kept = parameters.filter { Self.names.contains($0.key) }
        kept["client_id"] = client.id
        let token = RandomText.secret()
        // What is wrong with it is told here, where the client can see it, and nothing is kept of it.
        let asked = try await authorize.read(kept, pushedAs: token)
        try await checkLink(asked.request.get(), idToken: kept["id_token_hint"])
        let pushed = Authorize.Pushed(clientID: client.id, parameters: kept)
        let text = String(decoding: try JSONEncoder().encode(pushed), as: UTF8.self)
        guard text.utf8.count <= 16 << 10 else {
            throw AuthorizationRefusal(.invalidRequest, "The request is larger than 16 KiB.")
        }
        try await attempts.keep(
            .init(request: text), state: token, binding: client.id, purpose: .pushed, provider: "",
            of: Requester(client), for: Self.lifetime + Self.way, at: authorize.now())
        return Authorize.requestURIPrefix + token
    }

    /// What an authorization request may consist of.
    private static let names: Set<String> = [
        "redirect_uri", "response_type", "response_mode", "scope", "state", "nonce", "code_challenge",
        "code_challenge_method", "prompt", "max_age", "login_hint", "id_token_hint", "ui_locales", "provider",
        "request",
    ]

    /// A link is asked for by a person who has just proven who they are, and whose session is alive.
    private func checkLink(_ request: AuthorizationRequest, idToken: String?) async throws {
        guard request.wants(.link), let idToken else { return }
        let now = Timestamp(authorize.now())
        guard let (facts, _) = try await authorize.openID.verifier.session(behind: idToken, .idToken, at: now) else {
            throw AuthorizationRefusal(.loginRequired, "id_token_hint is of a session that has ended.")
        }
        try authorize.recentLogin.require(for: .link, facts, at: now)
    }
}

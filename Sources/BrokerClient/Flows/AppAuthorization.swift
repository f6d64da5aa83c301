import Foundation
import OAuth
import StrictJSON

/// The answer of the broker to an app authorization: a provider's address, which the app opens itself.
struct AppAuthorization: Sendable {
    let url: URL
    let state: String
    /// What redeems the provider's answer: a secret.
    let handle: String

    /// - Throws: ``BrokerAuthError/network(_:)`` for an answer of another form.
    init(_ members: JSONObject) throws(BrokerAuthError) {
        guard let url = members["authorization_uri"]?.string.flatMap(URL.init(string:)), url.isSecureOrLoopback,
            let state = members["state"]?.string, !state.isEmpty, let handle = members["handle"]?.string,
            !handle.isEmpty
        else { throw .network(NetworkFailure(.invalidResponse)) }
        (self.url, self.state, self.handle) = (url, state, handle)
    }
}

/// The providers that offer app authorization to this client, each with the redirect URIs that it sends answers to.
struct AppProviders: Sendable {
    private let redirectURIs: [String: [String]]

    init(_ members: JSONObject) {
        let entries = (members["providers"]?.array ?? []).compactMap { entry -> (String, [String])? in
            guard let provider = entry["provider"]?.string else { return nil }
            return (provider, (entry["redirect_uris"]?.array ?? []).compactMap(\.string))
        }
        redirectURIs = Dictionary(entries) { first, _ in first }
    }

    func offer(_ provider: ProviderID, at redirectURI: String) -> Bool {
        redirectURIs[provider.rawValue]?.contains { $0.hasSameBytes(as: redirectURI) } ?? false
    }
}

extension AuthorizationFlow {
    /// Begins a sign-in at the provider itself, whose answer comes back to the app (RFC 8252).
    ///
    /// - Returns: The sign-in; nil where the provider does not offer it to this app, or the request has what only the
    ///   broker's pages know.
    func beginAtProvider(
        _ goal: AuthorizationGoal, from presenter: any AuthorizationPresenter, _ metadata: BrokerMetadata
    ) async throws(BrokerAuthError) -> BegunSignIn? {
        let options = goal.options
        guard let provider = goal.provider, options.usesProviderApp, options.parameters.isEmpty,
            let endpoint = metadata.appAuthorizationEndpoint
        else { return nil }
        let redirectURI = endpoints.configuration.redirectURI(of: provider)
        // Without the list the broker's pages are the way.
        guard let offered = try? await endpoints.appProviders(), offered.offer(provider, at: redirectURI) else {
            return nil
        }
        var form: [(name: String, value: String)] = [
            ("client_id", endpoints.configuration.clientID), ("provider", provider.rawValue),
            ("redirect_uri", redirectURI),
        ]
        if !options.providerScopes.isEmpty {
            form.append(("provider_scope", ScopeList(options.providerScopes).text))
        }
        if let hint = options.loginHint { form.append(("login_hint", hint)) }
        form += TokenExchange.actor(goal.session?.accessToken, goal.purpose)
        let authorization = try AppAuthorization(try await endpoints.connection.submit(form, to: endpoint).members())
        return BegunSignIn(
            pending: PendingSignIn(
                redirectURI: redirectURI, state: authorization.state,
                redemption: .provider(handle: authorization.handle), purpose: goal.purpose,
                provider: provider.rawValue, userID: goal.session?.userID, expiresAt: expiry),
            url: authorization.url, opensProviderApp: true)
    }

    /// Redeems a provider's answer at the broker, which checks it.
    func redeem(
        _ redirect: URL, handle: String, for purpose: SignInPurpose, _ session: StoredSession?
    ) async throws(BrokerAuthError) -> TokenAnswer {
        try await TokenExchange(endpoints: endpoints)
            .tokens(forHandle: handle, redirect: redirect, purpose, actorToken: session?.accessToken)
    }
}

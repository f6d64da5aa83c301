import Foundation
import ProviderKit
import StrictJSON

/// The authorization code flow (RFC 6749 §4.1, RFC 8252): request, page or app, redirect, code, tokens. The code is the
/// broker's, or that of a provider that answers the app itself.
struct AuthorizationFlow: Sendable {
    let endpoints: BrokerEndpoints
    let receiver: RedirectReceiver
    let presenter: (any AuthorizationPresenter)?
    let environment: ClientEnvironment
    /// Keeps the sign-in for an app that the system ends; nil for one that ends with the app.
    let store: PendingSignInStore?

    /// A sign-in with the address that the user goes to.
    struct BegunSignIn: Sendable {
        let pending: PendingSignIn
        let url: URL
        let opensProviderApp: Bool
    }

    /// When a sign-in that begins now expires.
    var expiry: Date { environment.now().addingTimeInterval(PendingSignIn.lifetime) }

    /// Runs the flow. The receiver must have begun.
    ///
    /// - Returns: The tokens, and the nonce that their ID token must have.
    /// - Throws: ``BrokerAuthError``.
    func tokens(for goal: AuthorizationGoal) async throws(BrokerAuthError) -> BrokerAuth.ObtainedTokens {
        guard let presenter else { throw .notConfigured("a presenter is needed to show the broker's pages") }
        // A presenter may listen by now.
        defer { presenter.cancel() }
        let begun = try await begin(goal, from: presenter)
        await store?.save(begun.pending)
        let redirect: Result<URL, BrokerAuthError>
        do throws(BrokerAuthError) {
            redirect = .success(try await self.redirect(of: begun, goal.options, from: presenter))
        } catch {
            redirect = .failure(error)
        }
        // Used, or given up.
        await store?.remove()
        return try await tokens(for: begun.pending, redirect: try redirect.get(), goal.session)
    }

    private func begin(
        _ goal: AuthorizationGoal, from presenter: any AuthorizationPresenter
    ) async throws(BrokerAuthError) -> BegunSignIn {
        let metadata = try await endpoints.metadata
        if let begun = try await beginAtProvider(goal, from: presenter, metadata) { return begun }
        let configuration = endpoints.configuration
        let redirectURI = try await presenter.redirectURI(for: configuration.redirectURI)
        let attempt = AuthorizationAttempt(redirectURI: try RedirectURI(redirectURI))
        let parameters = try attempt.parameters(for: goal, of: configuration)
        return BegunSignIn(
            pending: PendingSignIn(
                redirectURI: redirectURI, state: attempt.state,
                redemption: .broker(verifier: attempt.verifier, nonce: attempt.nonce), purpose: goal.purpose,
                provider: goal.provider?.rawValue, userID: goal.session?.userID, expiresAt: expiry),
            url: try await address(of: parameters, for: goal, metadata), opensProviderApp: false)
    }

    /// Redeems the redirect of a sign-in.
    ///
    /// - Parameters:
    ///   - pending: The sign-in.
    ///   - url: Its redirect.
    ///   - session: The session that it is for, with valid tokens, unless it begins one.
    /// - Returns: The tokens, and the nonce that their ID token must have.
    /// - Throws: ``BrokerAuthError``.
    func tokens(
        for pending: PendingSignIn, redirect url: URL, _ session: StoredSession?
    ) async throws(BrokerAuthError) -> BrokerAuth.ObtainedTokens {
        switch pending.redemption {
        case .provider(let handle):
            return (try await redeem(url, handle: handle, for: pending.purpose, session), .absent)
        case .broker(let verifier, let nonce):
            let code = try AuthorizationResponse(
                state: pending.state, metadata: try await endpoints.metadata, purpose: pending.purpose
            ).code(of: url)
            var form: [(name: String, value: String)] = [
                ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", pending.redirectURI),
                ("code_verifier", verifier),
            ]
            if pending.purpose == .link, let hint = session?.idToken { form.append(("id_token_hint", hint)) }
            let answer = try await endpoints.token(form)
            let provider = pending.provider.map(ProviderID.init(rawValue:))
            return (try TokenAnswer(try answer.members(at: provider)), .sent(nonce))
        }
    }

    /// The address of the page. A request with an ID token is pushed (RFC 9126), since no token belongs into an address.
    private func address(
        of parameters: [(name: String, value: String)], for goal: AuthorizationGoal, _ metadata: BrokerMetadata
    ) async throws(BrokerAuthError) -> URL {
        var query = parameters
        if goal.session?.idToken != nil {
            guard let endpoint = metadata.pushedAuthorizationEndpoint else {
                throw .notConfigured("the broker takes no pushed authorization requests")
            }
            let answer = try await endpoints.connection.submit(parameters, to: endpoint)
            if case .refusal(let refusal) = answer, refusal.kind == "login_required" {
                throw goal.purpose == .link ? .recentLoginRequired : refusal.error
            }
            guard let uri = try answer.members()["request_uri"]?.string else {
                throw .network(NetworkFailure(.invalidResponse))
            }
            query = [("client_id", endpoints.configuration.clientID), ("request_uri", uri)]
        }
        let endpoint = metadata.authorizationEndpoint.absoluteString
        let separator = endpoint.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
        guard let url = URL(string: "\(endpoint)\(separator)\(FormEncoding.encode(query))") else {
            throw .notConfigured("the authorization endpoint is no URL")
        }
        return url
    }

    /// Shows the page or the app until its redirect, an error, the time-out or the cancellation of the task, whichever is
    /// first.
    private func redirect(
        of begun: BegunSignIn, _ options: SignInOptions, from presenter: any AuthorizationPresenter
    ) async throws(BrokerAuthError) -> URL {
        let pending = begun.pending
        let redirectURI = try RedirectURI(pending.redirectURI)
        let presentation = AuthorizationPresentation(
            url: begun.url, redirectURI: pending.redirectURI, callbackScheme: redirectURI.scheme,
            isEphemeral: options.isEphemeral, state: pending.state, opensProviderApp: begun.opensProviderApp)
        receiver.expect(redirectURI, state: pending.state)
        let page = Task { [receiver] in
            do throws(BrokerAuthError) {
                try receiver.deliver(try await presenter.authorize(presentation))
            } catch {
                receiver.fail(error)
            }
        }
        let timer = Task { [receiver, environment] in
            guard (try? await environment.sleep(BrokerAuth.handoffTimeout)) != nil else { return }
            receiver.fail(.handoffTimeout)
        }
        defer {
            timer.cancel()
            page.cancel()
        }
        let outcome = await withTaskCancellationHandler {
            do throws(BrokerAuthError) {
                return Result<URL, BrokerAuthError>.success(try await receiver.redirect())
            } catch {
                return .failure(error)
            }
        } onCancel: {
            receiver.fail(.cancelled)
        }
        return try outcome.get()
    }
}

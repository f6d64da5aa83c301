import Foundation
import ProviderKit
import StrictJSON

/// The authorization code flow (RFC 6749 §4.1, RFC 8252): request, page, redirect, code, tokens.
struct AuthorizationFlow: Sendable {
    let endpoints: BrokerEndpoints
    let receiver: RedirectReceiver
    let presenter: (any AuthorizationPresenter)?
    let environment: ClientEnvironment

    /// Runs the flow. The receiver must have begun.
    ///
    /// - Returns: The tokens, and the nonce that their ID token must have.
    /// - Throws: ``BrokerAuthError``.
    func tokens(for goal: AuthorizationGoal) async throws(BrokerAuthError) -> (answer: TokenAnswer, nonce: String) {
        guard let presenter else { throw .notConfigured("a presenter is needed to show the broker's pages") }
        let configuration = endpoints.configuration
        let redirectURI = try await presenter.redirectURI(for: configuration.redirectURI)
        // A presenter may listen by now.
        defer { presenter.cancel() }
        let attempt = AuthorizationAttempt(redirectURI: try RedirectURI(redirectURI))
        let parameters = try attempt.parameters(for: goal, of: configuration)
        let metadata = try await endpoints.metadata
        let url = try await address(of: parameters, for: goal, metadata)
        let presentation = AuthorizationPresentation(
            url: url, redirectURI: redirectURI, callbackScheme: attempt.redirectURI.scheme,
            isEphemeral: goal.options.isEphemeral, state: attempt.state)
        let redirect = try await redirect(of: attempt, presentation, from: presenter)
        let code = try AuthorizationResponse(state: attempt.state, metadata: metadata, purpose: goal.purpose)
            .code(of: redirect)
        return (try await redeem(code, of: attempt, for: goal), attempt.nonce)
    }

    /// The address of the page. A request with an ID token is pushed (RFC 9126), since no token belongs into an address.
    private func address(
        of parameters: [(name: String, value: String)], for goal: AuthorizationGoal, _ metadata: BrokerMetadata
    ) async throws(BrokerAuthError) -> URL {
        var query = parameters
        if goal.idTokenHint != nil {
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

    /// Shows the page until its redirect, an error, the time-out or the cancellation of the task, whichever is first.
    private func redirect(
        of attempt: AuthorizationAttempt, _ presentation: AuthorizationPresentation,
        from presenter: any AuthorizationPresenter
    ) async throws(BrokerAuthError) -> URL {
        receiver.expect(attempt)
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

    private func redeem(
        _ code: String, of attempt: AuthorizationAttempt, for goal: AuthorizationGoal
    ) async throws(BrokerAuthError) -> TokenAnswer {
        var form: [(name: String, value: String)] = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", attempt.redirectURI.text),
            ("code_verifier", attempt.verifier),
        ]
        if goal.purpose == .link, let hint = goal.idTokenHint { form.append(("id_token_hint", hint)) }
        return try TokenAnswer(try await endpoints.token(form).members())
    }
}

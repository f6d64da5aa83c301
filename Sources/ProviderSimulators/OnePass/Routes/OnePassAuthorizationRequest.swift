import Foundation
import ProviderKit

/// An authorization request as it came. What is wrong with client or redirect URI stays with the person; everything else
/// goes back to the application.
struct OnePassAuthorizationRequest {
    private let query: FormFields
    private let wantsJSON: Bool

    init(_ query: FormFields, accepting types: [String]) {
        self.query = query
        wantsJSON = types.first == "application/json"
    }

    /// How the request insists on a page, or on none.
    var prompts: Set<String> { Set((query["prompt"] ?? "").split(separator: " ").map(String.init)) }

    /// What the person is to be asked, and for whom.
    ///
    /// - Throws: The page or the redirect that says what is wrong.
    func authorization(
        in state: OnePassState, now: Date
    ) throws(Refusal) -> (OnePassSimulator.Application, OnePassAuthorization) {
        guard let application = state.application(query["client_id"]) else {
            throw refusal("invalid_client", "There is no such application.", state)
        }
        guard let redirectURI = query["redirect_uri"],
            application.redirectURIs.contains(where: { CallbackURI(redirectURI).equals($0) })
        else { throw refusal("invalid_redirect_uri", "The application is not registered for this address.", state) }
        do throws(OAuthFailure) {
            return (application, try authorization(for: application, redirectURI, now: now))
        } catch {
            let back = CallbackURI(redirectURI).redirect(carrying: error.redirectFields(state: query["state"]))
            throw Refusal(error.code == "invalid_scope" ? back.reporting(drift(for: application)) : back)
        }
    }

    private func authorization(
        for application: OnePassSimulator.Application, _ redirectURI: String, now: Date
    ) throws(OAuthFailure) -> OnePassAuthorization {
        guard query["response_type"] == "code" else { throw .invalidRequest("response_type must be code.") }
        guard let state = query["state"], !state.isEmpty else { throw .invalidRequest("state is required.") }
        guard query["code_challenge_method"] == "S256", let challenge = query["code_challenge"],
            challenge.wholeMatch(of: /[A-Za-z0-9_-]{43}/) != nil
        else { throw .invalidRequest("PKCE is required: code_challenge with code_challenge_method=S256.") }
        guard !scopes.isEmpty else { throw .invalidRequest("scope is required.") }
        return OnePassAuthorization(
            clientID: application.clientID, redirectURI: redirectURI,
            scopes: try OnePassScopeRequest(scopes, by: application), state: state, nonce: query["nonce"],
            codeChallenge: CodeChallenge(value: challenge), expiresAt: now.addingTimeInterval(OnePassCode.lifetime))
    }

    private var scopes: [String] { OnePassScopes.parse(query["scope"]) }

    private func drift(for application: OnePassSimulator.Application) -> [String] {
        let list = OnePassScopes.union([], application.allowedScopes)
        return scopes.filter { !list.contains($0) }
    }

    private func refusal(_ code: String, _ description: String, _ state: OnePassState) -> Refusal {
        if wantsJSON { return Refusal(OnePassAPI.response(to: OAuthFailure(code, description), url: state.url)) }
        return Refusal(
            SimulatorPage(
                title: "This sign-in cannot go on",
                content: "<h1>This sign-in cannot go on</h1><p>\(description)</p><p><code>\(code)</code></p>"
            ).response(status: 400))
    }
}

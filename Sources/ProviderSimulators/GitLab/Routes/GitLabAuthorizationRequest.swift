import Foundation
import ProviderKit

/// Reads an authorization request in the order in which GitLab finds fault with it.
struct GitLabAuthorizationRequest {
    let query: FormFields
    let state: GitLabState
    let now: Date

    /// What is asked of the person.
    ///
    /// An unknown client or a redirect URI nobody registered is told to the person; everything after that to the
    /// client, by a redirect.
    func authorization() throws(Refusal) -> (GitLabAuthorization, GitLabSimulator.Application) {
        guard let application = state.application(query["client_id"]) else {
            throw Refusal(GitLabNotFound.problemPage(GitLabFailure.invalidClient, status: 401))
        }
        guard let redirectURI = query["redirect_uri"], Self.isRegistered(redirectURI, for: application) else {
            throw Refusal(GitLabNotFound.redirectProblem)
        }
        let place = query["response_mode"].map { CallbackURI.Place(rawValue: $0) } ?? .query
        let scopes = self.scopes
        let authorization = GitLabAuthorization(
            clientID: application.clientID, redirectURI: redirectURI, place: place ?? .query, scopes: scopes,
            state: query["state"], nonce: query["nonce"], codeChallenge: challenge,
            expiresAt: now.addingTimeInterval(GitLabCode.lifetime))
        if let failure = failure(of: application, scopes, hasPlace: place != nil) {
            throw Refusal(GitLabRedirect(authorization, in: state).failing(failure))
        }
        return (authorization, application)
    }

    private func failure(
        of application: GitLabSimulator.Application, _ scopes: [String], hasPlace: Bool
    ) -> OAuthFailure? {
        guard let responseType = query["response_type"] else { return GitLabFailure.missing("response_type") }
        guard responseType == "code" else { return GitLabFailure.unsupportedResponseType }
        guard hasPlace else { return GitLabFailure.unsupportedResponseMode }
        guard GitLabScopes.areAllowed(scopes, for: application) else { return GitLabFailure.invalidScope }
        if query["code_challenge"] != nil, challenge == nil { return GitLabFailure.invalidChallengeMethod }
        return nil
    }

    /// `gl_auth_type=login` asks for nothing but the profile, whatever the scopes say.
    private var scopes: [String] {
        if query["gl_auth_type"] == "login" { return ["read_user"] }
        return GitLabScopes.parse(query["scope"]) ?? GitLabScopes.standard
    }

    /// RFC 7636 §4.3; GitLab wants the method named.
    private var challenge: CodeChallenge? {
        guard let value = query["code_challenge"], !value.isEmpty,
            let method = query["code_challenge_method"].flatMap(CodeChallenge.Method.init)
        else { return nil }
        return CodeChallenge(value: value, method: method)
    }

    private static func isRegistered(_ uri: String, for application: GitLabSimulator.Application) -> Bool {
        application.redirectURIs.contains { CallbackURI(uri).equalsIgnoringLoopbackPort($0) }
    }
}

import HTTPTypes
import ProviderKit
import ProviderKitTesting

/// `/oauth/userinfo`, ID tokens and the published keys.
extension GitLabState {
    func userinfo(_ request: SimulatorRequest) throws(Refusal) -> SimulatorResponse {
        let value: String?
        if let bearer = request.authorization(scheme: "bearer") {
            value = bearer
        } else {
            value = try request.parameters()["access_token"]
        }
        do throws(GitLabTokenProblem) {
            let (token, person) = try find(value)
            // GitLab looks only among active users.
            guard person.state == .active else { throw .unknown }
            guard token.scopes.contains("openid") else { return Self.insufficientScope }
            return .json(.object(SimulatedGitLabClaims(person, token, in: self).userinfo)).uncached
        } catch {
            return GitLabFailure.invalidToken(error).response
        }
    }

    /// The keys of ID tokens and, without a mark that would tell them apart, those of CI jobs.
    var publishedKeys: JSONValue {
        let documents = [memory.mint.keys.document, jobMint.keys.document]
        return ["keys": .array(documents.flatMap { $0.object?["keys"]?.array ?? [] })]
    }

    /// The ID token that goes with an access token.
    func idToken(for token: GitLabToken, nonce: String?) -> String? {
        guard let person = person(token.grant.personID) else { return nil }
        return memory.mint.token(SimulatedGitLabClaims(person, token, in: self).idToken(nonce: nonce), now: now)
    }

    private static let insufficientScope = OAuthFailure(
        "insufficient_scope", #"Access to this resource requires scope "openid"."#, status: 403,
        challenge: #"Bearer realm="Doorkeeper", error="insufficient_scope""#
    ).response
}

import HTTPTypes
import ProviderKit
import ProviderKitTesting

/// Discovery, keys and `/oauth/userinfo`.
struct GitLabOpenIDRoutes: Sendable {
    let core: GitLabCore

    func add(to routes: SimulatorRoutes<GitLabSimulator.Endpoint>) {
        routes.on(.get, core.prefix + "/oauth/discovery/keys", as: .keys) { [core] _ in
            var response = SimulatorResponse.json(core.publishedKeys)
            response.headers[.cacheControl] = "max-age=86400, public, must-revalidate"
            return response
        }
        for name in ["openid-configuration", "oauth-authorization-server"] {
            routes.on(.get, core.prefix + "/.well-known/" + name, as: .discovery) { [core] _ in
                .json(GitLabDiscovery(url: core.snapshot.url).document)
            }
        }
        routes.on(.get, core.prefix + "/oauth/userinfo", as: .userinfo, answer: userinfo)
        routes.on(.post, core.prefix + "/oauth/userinfo", as: .userinfo, answer: userinfo)
    }

    @Sendable
    private func userinfo(_ request: SimulatorRequest) throws -> SimulatorResponse {
        let value = try request.authorization(scheme: "bearer") ?? request.parameters()["access_token"]
        let state = core.snapshot
        do throws(GitLabTokenProblem) {
            let (token, person) = try state.find(value, now: core.clock.now)
            // GitLab looks only among the people who may use their account.
            guard person.state == .active else { throw .unknown }
            guard token.scopes.contains("openid") else { return Self.insufficientScope }
            return .json(.object(GitLabClaims(person, token, in: state).userinfo)).uncached
        } catch {
            return GitLabFailure.invalidToken(error).response
        }
    }

    private static let insufficientScope = OAuthFailure(
        "insufficient_scope", #"Access to this resource requires scope "openid"."#, status: 403,
        challenge: #"Bearer realm="Doorkeeper", error="insufficient_scope""#
    ).response
}

extension GitLabCore {
    /// The keys of ID tokens and, without a mark that would tell them apart, those of CI jobs.
    var publishedKeys: JSONValue {
        let documents = [mint.keys.document, jobKeys.document]
        return ["keys": .array(documents.flatMap { $0.object?["keys"]?.array ?? [] })]
    }

    /// The ID token that goes with an access token.
    func idToken(for token: GitLabToken, nonce: String?, in state: GitLabState) -> String? {
        guard let person = state.person(token.grant.personID) else { return nil }
        let now = clock.now
        return mint.token(GitLabClaims(person, token, in: state).idToken(nonce: nonce, now: now), now: now)
    }
}

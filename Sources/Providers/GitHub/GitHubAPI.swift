import Foundation
import ProviderKit

/// The REST calls that identify a token's user and revoke the token.
struct GitHubAPI: Sendable {
    let url: String
    let clientID: String
    let clientSecret: Secret
    let context: ProviderContext

    /// The base URL of an installation's API: its own host for github.com and data residency, a path elsewhere.
    static func url(of web: String) -> String {
        if web == "https://github.com" { return "https://api.github.com" }
        if web.hasPrefix("https://"), web.hasSuffix(".ghe.com") { return "https://api." + web.dropFirst(8) }
        return web + "/api/v3"
    }

    /// Checks, as our application, that `token` was issued to it. Personal tokens and tokens of other apps are refused.
    func check(_ token: String) async throws(ProviderError) -> GitHubTokenCheck {
        let request = applicationRequest(.post, "token", token, at: .introspect)
        let response = try await context.upstream.send(request)
        switch response.status {
        case 200: break
        case 404, 422:
            throw ProviderError(
                .credential, at: .introspect, "the token is invalid or was issued to another application")
        default: throw refusal(of: response, byOurClient: true, at: .introspect)
        }
        let answer = try response.decode(GitHubTokenCheck.self, at: .introspect)
        guard answer.app.clientID.utf8.elementsEqual(clientID.utf8) else {
            throw ProviderError(.credential, at: .introspect, "the token was issued to another application")
        }
        return answer
    }

    /// The metadata of an installation's authorization server (RFC 8414); `nil` where there is none.
    func metadata(of web: String) async throws(ProviderError) -> GitHubMetadata? {
        let url = web + "/.well-known/oauth-authorization-server/login/oauth"
        let response = try await context.upstream.send(UpstreamRequest(.get, url, at: .discover))
        guard response.status == 200 else { return nil }
        return try? response.decode(GitHubMetadata.self, at: .discover)
    }

    /// The user of a token, with GitHub's profile and the token's scopes, which users can reduce at the consent page.
    func user(
        _ token: String
    ) async throws(ProviderError) -> (user: GitHubUser, profile: JSONValue, scopes: [String]?) {
        let response = try await context.upstream.send(personRequest("/user", token))
        guard response.status == 200 else { throw refusal(of: response, at: .fetchProfile) }
        return (
            try response.decode(GitHubUser.self, at: .readProfile), try response.jsonValue(at: .readProfile),
            response.header("X-OAuth-Scopes").map(GitHubScopes.parse)
        )
    }

    /// The user's addresses; `nil` when the token may not read them. The primary one may be on a later page.
    func emails(_ token: String) async throws(ProviderError) -> (list: [GitHubEmail], raw: JSONValue)? {
        var list: [GitHubEmail] = []
        var raw: [JSONValue] = []
        for page in try await context.upstream.pages(personRequest("/user/emails?per_page=100", token)) {
            if [403, 404].contains(page.status), !page.isRateLimited { return nil }
            guard page.status == 200 else { throw refusal(of: page, at: .fetchProfile) }
            list += try page.decode([GitHubEmail].self, at: .readProfile)
            raw += try page.jsonValue(at: .readProfile).array ?? []
        }
        return (list, .array(raw))
    }

    /// Revokes the user's grant to our application; a revoked grant is a success.
    func deleteGrant(_ token: String) async throws(ProviderError) {
        try await delete("grant", of: token)
    }

    /// Revokes one token; a revoked token is a success.
    func deleteToken(_ token: String) async throws(ProviderError) {
        try await delete("token", of: token)
    }

    private func delete(_ what: String, of token: String) async throws(ProviderError) {
        let response = try await context.upstream.send(applicationRequest(.delete, what, token, at: .revoke))
        guard [204, 404, 422].contains(response.status) else {
            throw refusal(of: response, byOurClient: true, at: .revoke)
        }
    }

    /// The error of a status. A 401 concerns the credential that the request used.
    func refusal(
        of response: UpstreamResponse, byOurClient: Bool = false, at step: ProviderError.Step
    ) -> ProviderError {
        if response.isRateLimited {
            return ProviderError(
                .upstream, at: step, "GitHub's rate limit is exceeded", retryAfter: waitingTime(response))
        }
        if byOurClient, [401, 403].contains(response.status) {
            return ProviderError(
                .configuration, at: step, "GitHub refused our client: check clientId, clientSecret and apiUrl")
        }
        return response.refusal(at: step)
    }

    /// Seconds until a retry: `retry-after`, else the end of the rate limit's window.
    private func waitingTime(_ response: UpstreamResponse) -> Int? {
        if let seconds = response.retryAfter { return seconds }
        guard let reset = response.header("x-ratelimit-reset").flatMap({ Int64($0) }) else { return nil }
        let now = Int64(context.now().timeIntervalSince1970)
        return Int(min(max(reset.subtractingReportingOverflow(now).partialValue, 1), 3600))
    }

    private func applicationRequest(
        _ method: UpstreamRequest.Method, _ what: String, _ token: String, at step: ProviderError.Step
    ) -> UpstreamRequest {
        headers(on: UpstreamRequest(method, "\(url)/applications/\(FormEncoding.encode(clientID))/\(what)", at: step))
            .basic(clientID, clientSecret).sending(json: ["access_token": .string(token)])
    }

    private func personRequest(_ path: String, _ token: String) -> UpstreamRequest {
        headers(on: UpstreamRequest(.get, url + path, at: .fetchProfile)).bearer(token)
    }

    private func headers(on request: UpstreamRequest) -> UpstreamRequest {
        request.header("Accept", "application/vnd.github+json").header("X-GitHub-Api-Version", "2022-11-28")
            // GitHub refuses requests without one.
            .header("User-Agent", "broker")
    }
}

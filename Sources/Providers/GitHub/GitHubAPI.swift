import Foundation
import ProviderKit

/// The four REST calls that tell who a token belongs to, and withdraw it.
struct GitHubAPI: Sendable {
    let url: String
    let clientID: String
    let clientSecret: Secret
    let context: ProviderContext

    /// Where an installation answers API calls: its own host for github.com and data residency, a path elsewhere.
    static func url(of web: String) -> String {
        if web == "https://github.com" { return "https://api.github.com" }
        if web.hasPrefix("https://"), web.hasSuffix(".ghe.com") { return "https://api." + web.dropFirst(8) }
        return web + "/api/v3"
    }

    /// Asks GitHub, as our application, whether `token` is one of ours. Personal and foreign tokens are not.
    func check(_ token: String) async throws(ProviderError) -> GitHubTokenCheck {
        let request = applicationRequest(.post, "token", token, at: .introspect)
        let response = try await context.upstream.send(request)
        switch response.status {
        case 200: break
        case 404, 422:
            throw ProviderError(.credential, at: .introspect, "the token is dead or was issued to another application")
        default: throw refusal(of: response, byOurClient: true, at: .introspect)
        }
        let answer = try response.decode(GitHubTokenCheck.self, at: .introspect)
        guard answer.app.clientID.utf8.elementsEqual(clientID.utf8) else {
            throw ProviderError(.credential, at: .introspect, "the token was issued to another application")
        }
        return answer
    }

    /// What an installation says about its authorization server (RFC 8414); `nil` where it says nothing.
    func metadata(of web: String) async throws(ProviderError) -> GitHubMetadata? {
        let url = web + "/.well-known/oauth-authorization-server/login/oauth"
        let response = try await context.upstream.send(UpstreamRequest(.get, url, at: .discover))
        guard response.status == 200 else { return nil }
        return try? response.decode(GitHubMetadata.self, at: .discover)
    }

    /// The person behind a token, with everything GitHub says about them.
    func user(_ token: String) async throws(ProviderError) -> (user: GitHubUser, profile: JSONValue) {
        let response = try await context.upstream.send(personRequest("/user", token))
        guard response.status == 200 else { throw refusal(of: response, at: .fetchProfile) }
        return (
            try response.decode(GitHubUser.self, at: .readProfile), try response.jsonValue(at: .readProfile)
        )
    }

    /// The person's addresses; `nil` when the token may not read them. The primary one may stand on a later page.
    func emails(_ token: String) async throws(ProviderError) -> (list: [GitHubEmail], raw: JSONValue)? {
        var list: [GitHubEmail] = []
        var raw: [JSONValue] = []
        for page in 1...Self.maximumPages {
            let response = try await context.upstream.send(
                personRequest("/user/emails?per_page=100&page=\(page)", token))
            if [403, 404].contains(response.status), !response.isRateLimited { return nil }
            guard response.status == 200 else { throw refusal(of: response, at: .fetchProfile) }
            list += try response.decode([GitHubEmail].self, at: .readProfile)
            raw += try response.jsonValue(at: .readProfile).array ?? []
            guard response.header("Link")?.contains(#"rel="next""#) == true else { break }
        }
        return (list, .array(raw))
    }

    /// Withdraws what the person granted our application; already withdrawn is fine.
    func deleteGrant(_ token: String) async throws(ProviderError) {
        let response = try await context.upstream.send(applicationRequest(.delete, "grant", token, at: .revoke))
        guard [204, 404, 422].contains(response.status) else {
            throw refusal(of: response, byOurClient: true, at: .revoke)
        }
    }

    /// The error behind a status. Which client a 401 is about depends on who asked.
    func refusal(
        of response: UpstreamResponse, byOurClient: Bool = false, at step: ProviderError.Step
    ) -> ProviderError {
        if response.isRateLimited {
            return ProviderError(
                .upstream, at: step, "GitHub's rate limit is used up", retryAfter: waitingTime(response))
        }
        if byOurClient, [401, 403].contains(response.status) {
            return ProviderError(
                .configuration, at: step, "GitHub refused our client: check clientId, clientSecret and apiUrl")
        }
        return response.refusal(at: step)
    }

    /// Seconds until GitHub wants to be asked again: `retry-after`, else the end of the rate limit's window.
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
            // GitHub turns away requests without one.
            .header("User-Agent", "broker")
    }

    /// 1000 addresses: more than GitHub lets a person have.
    private static let maximumPages = 10
}

import Crypto
import Foundation
import HTTPTypes
import ProviderKit

/// The rules of all calls of the REST API: User-Agent, credentials, rate limits and header fields.
enum SimulatedGitHubAPI {
    /// The caller behind a valid token.
    struct Caller: Sendable {
        let token: GitHubToken
        let person: GitHubSimulator.Person
        let application: GitHubSimulator.Application
    }

    static func error(_ status: Int, _ message: String) -> SimulatorResponse {
        .json(
            [
                "message": .string(message), "documentation_url": "https://docs.github.com/rest",
                "status": .string(String(status)),
            ], status: status)
    }

    /// Answers a call made with an access token; any of the `accepted` scopes opens the endpoint.
    static func answer(
        _ request: SimulatorRequest, accepting accepted: [String] = [], in state: inout GitHubState,
        with handler: (GitHubState, Caller) throws(Refusal) -> SimulatorResponse
    ) -> SimulatorResponse {
        guard let value = request.authorization(scheme: "bearer") ?? request.authorization(scheme: "token") else {
            return counted(request, as: nil, in: &state) { _ in error(401, "Requires authentication") }
        }
        guard let caller = state.caller(using: value) else {
            return counted(request, as: nil, in: &state) { _ in error(401, "Bad credentials") }
        }
        return counted(request, as: "person \(caller.person.id)", in: &state) { state in
            var response = Refusal.caught { () throws(Refusal) in try handler(state, caller) }
            response.headers[text: "X-OAuth-Scopes"] = caller.token.scopes.joined(separator: ", ")
            response.headers[text: "X-Accepted-OAuth-Scopes"] = accepted.joined(separator: ", ")
            response.headers[text: "X-OAuth-Client-Id"] = caller.application.clientID
            return response
        }
    }

    /// Answers a call that a client makes in its own name, by `Authorization: Basic`.
    static func answerClient(
        _ request: SimulatorRequest, in state: inout GitHubState,
        with handler: (inout GitHubState, GitHubSimulator.Application) throws(Refusal) -> SimulatorResponse
    ) -> SimulatorResponse {
        guard let (clientID, secret) = request.basicCredentials, let application = state.application(clientID),
            secret.hasSameBytes(as: application.clientSecret)
        else { return counted(request, as: nil, in: &state) { _ in error(401, "Bad credentials") } }
        return counted(request, as: "application \(clientID)", in: &state) { state in
            // The path must name the authenticated client.
            guard clientID.hasSameBytes(as: request.pathParameters["client_id"]) else { return error(404, "Not Found") }
            do throws(Refusal) {
                return try handler(&state, application)
            } catch {
                return error.response
            }
        }
    }

    private static func counted(
        _ request: SimulatorRequest, as caller: String?, in state: inout GitHubState,
        _ answer: (inout GitHubState) -> SimulatorResponse
    ) -> SimulatorResponse {
        guard request.header("user-agent")?.isEmpty == false else { return missingUserAgent }
        let name = caller ?? "anonymous"
        // Enterprise Server comes with rate limits switched off.
        let window =
            state.options.enterprise
            ? nil
            : RateWindow.counting(
                state.rateWindows[name], limit: caller == nil ? anonymousLimit : state.options.rateLimit,
                now: state.now)
        if let window { state.rateWindows[name] = window }
        let isRefused = window?.isExceeded ?? false
        var response = isRefused ? error(403, "API rate limit exceeded for \(name).") : answer(&state)
        if let window { response.describe(window) }
        response.headers[text: "X-GitHub-Request-Id"] = RandomText.hex(20).uppercased()
        response.headers[text: "X-GitHub-Media-Type"] = "github.v3; format=json"
        return response.revalidated(for: request)
    }

    /// Calls per hour without credential.
    private static let anonymousLimit = 60

    private static let missingUserAgent: SimulatorResponse = {
        let text = """
            Request forbidden by administrative rules. Please make sure your request has a User-Agent header \
            (https://docs.github.com/en/rest/overview/resources-in-the-rest-api#user-agent-required). \
            Check https://developer.github.com for other possible causes.

            """
        var response = SimulatorResponse(status: 403, contentType: "text/html", body: Array(text.utf8))
        response.closesConnection = true
        return response
    }()
}

extension GitHubState {
    fileprivate mutating func caller(using value: String) -> SimulatedGitHubAPI.Caller? {
        let now = now
        guard let (token, person) = find(value), let application = application(token.grant.clientID) else {
            return nil
        }
        // A token expires after a year without use.
        tokens[value]?.lastUsedAt = now
        return SimulatedGitHubAPI.Caller(token: token, person: person, application: application)
    }
}

extension SimulatorResponse {
    fileprivate mutating func describe(_ window: RateWindow) {
        headers[text: "X-RateLimit-Limit"] = String(window.limit)
        headers[text: "X-RateLimit-Remaining"] = String(window.remaining)
        headers[text: "X-RateLimit-Used"] = String(window.used)
        headers[text: "X-RateLimit-Reset"] = String(window.resetsAt.epochSeconds)
        headers[text: "X-RateLimit-Resource"] = "core"
    }

    /// With an entity tag; 304 without body when the client has this very answer already.
    fileprivate func revalidated(for request: SimulatorRequest) -> SimulatorResponse {
        guard status == 200 else { return self }
        let tag = "W/\"\(Hexadecimal.encode(SHA256.hash(data: body)))\""
        var response = self
        response.headers[.eTag] = tag
        if request.recorded.method == "GET", request.header("if-none-match") == tag {
            response.status = 304
            response.body = []
        }
        return response
    }
}

import Crypto
import Foundation
import HTTPTypes
import ProviderKit

/// What all calls of the REST API have in common: the User-Agent rule, credentials, rate limits and header fields.
struct GitHubAPI: Sendable {
    /// A call whose token is good.
    struct Caller: Sendable {
        let token: GitHubToken
        let person: GitHubSimulator.Person
        let application: GitHubSimulator.Application
    }

    let core: GitHubCore

    static func error(_ status: Int, _ message: String) -> SimulatorResponse {
        .json(
            [
                "message": .string(message), "documentation_url": "https://docs.github.com/rest",
                "status": .string(String(status)),
            ], status: status)
    }

    /// Answers a call made with an access token; any of the `accepted` scopes opens the endpoint.
    func answer(
        _ request: SimulatorRequest, accepting accepted: [String] = [],
        with handler: (Caller) throws(Refusal) -> SimulatorResponse
    ) -> SimulatorResponse {
        guard let value = request.authorization(scheme: "bearer") ?? request.authorization(scheme: "token") else {
            return counted(request, as: "anonymous", limit: GitHubRateWindow.anonymousLimit) {
                Self.error(401, "Requires authentication")
            }
        }
        let now = core.clock.now
        guard let caller = core.withState({ $0.caller(using: value, now: now) }) else {
            return counted(request, as: "anonymous", limit: GitHubRateWindow.anonymousLimit) {
                Self.error(401, "Bad credentials")
            }
        }
        return counted(request, as: "person \(caller.person.id)", limit: core.options.rateLimit) {
            var response = Refusal.caught { () throws(Refusal) in try handler(caller) }
            response.headers[text: "X-OAuth-Scopes"] = caller.token.scopes.joined(separator: ", ")
            response.headers[text: "X-Accepted-OAuth-Scopes"] = accepted.joined(separator: ", ")
            response.headers[text: "X-OAuth-Client-Id"] = caller.application.clientID
            return response
        }
    }

    /// Answers a call an application makes in its own name, by `Authorization: Basic`.
    func answerClient(
        _ request: SimulatorRequest, with handler: (GitHubSimulator.Application) throws(Refusal) -> SimulatorResponse
    ) -> SimulatorResponse {
        guard let (clientID, secret) = request.basicCredentials,
            let application = core.snapshot.application(clientID),
            secret.utf8.elementsEqual(application.clientSecret.utf8)
        else {
            return counted(request, as: "anonymous", limit: GitHubRateWindow.anonymousLimit) {
                Self.error(401, "Bad credentials")
            }
        }
        return counted(request, as: "application \(clientID)", limit: core.options.rateLimit) {
            // Somebody else's client ID in the path is nobody's.
            guard request.pathParameters["client_id"]?.utf8.elementsEqual(clientID.utf8) == true else {
                return Self.error(404, "Not Found")
            }
            return Refusal.caught { () throws(Refusal) in try handler(application) }
        }
    }

    private func counted(
        _ request: SimulatorRequest, as caller: String, limit: Int, _ answer: () -> SimulatorResponse
    ) -> SimulatorResponse {
        guard request.header("user-agent")?.isEmpty == false else { return Self.missingUserAgent }
        let now = core.clock.now
        // Enterprise Server comes with rate limits switched off.
        let count = core.options.enterprise ? nil : core.withState { $0.countCall(of: caller, limit: limit, now: now) }
        let isAllowed = count?.isAllowed ?? true
        var response = isAllowed ? answer() : Self.error(403, "API rate limit exceeded for \(caller).")
        if let window = count?.window { response.describe(window) }
        response.headers[text: "X-GitHub-Request-Id"] = RandomText.hex(20).uppercased()
        response.headers[text: "X-GitHub-Media-Type"] = "github.v3; format=json"
        return response.revalidated(for: request)
    }

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
    fileprivate mutating func caller(using value: String, now: Date) -> GitHubAPI.Caller? {
        guard let (token, person) = find(value, now: now), let application = application(token.grant.clientID) else {
            return nil
        }
        // A token dies after a year without use.
        tokens[value]?.lastUsedAt = now
        return GitHubAPI.Caller(token: token, person: person, application: application)
    }
}

extension SimulatorResponse {
    fileprivate mutating func describe(_ window: GitHubRateWindow) {
        headers[text: "X-RateLimit-Limit"] = String(window.limit)
        headers[text: "X-RateLimit-Remaining"] = String(window.remaining)
        headers[text: "X-RateLimit-Used"] = String(window.used)
        headers[text: "X-RateLimit-Reset"] = String(window.resetsAt.epochSeconds)
        headers[text: "X-RateLimit-Resource"] = "core"
    }

    /// With an entity tag; 304 without body when the client has this very answer already.
    fileprivate func revalidated(for request: SimulatorRequest) -> SimulatorResponse {
        guard status == 200 else { return self }
        let tag = "W/\"\(SHA256.hash(data: body).map { String($0, radix: 16) }.joined())\""
        var response = self
        response.headers[.eTag] = tag
        if request.recorded.method == "GET", request.header("if-none-match") == tag {
            response.status = 304
            response.body = []
        }
        return response
    }
}

import HTTPTypes
import ProviderKit

/// `GET /user` and the lists of addresses.
extension SimulatedGitHubAPI {
    static func addUserRoutes(to routes: ProviderRoutes<GitHubState>) {
        let path = routes.core.read(\.apiPath) + "/user"
        routes.on(.get, path, as: .user) { state, request in
            answer(request, in: &state) { state, caller in
                let profile = GitHubProfile(caller.person, url: state.url, apiPath: state.apiPath)
                return .json(profile.own(scopes: caller.token.scopes))
            }
        }
        for (name, endpoint) in [("/emails", GitHubSimulator.Endpoint.emails), ("/public_emails", .publicEmails)] {
            routes.on(.get, path + name, as: endpoint) { state, request in
                answer(request, accepting: ["user", "user:email"], in: &state) { state, caller throws(Refusal) in
                    let emails = caller.person.emails.filter { endpoint == .emails || $0.visibility == .public }
                    return try addresses(emails, of: caller, request, url: state.url)
                }
            }
        }
    }

    private static func addresses(
        _ emails: [GitHubSimulator.Person.Email], of caller: Caller, _ request: SimulatorRequest, url: String
    ) throws(Refusal) -> SimulatorResponse {
        switch caller.application.kind {
        case .oauthApp:
            guard SimulatedGitHubScopes.contains("user:email", in: caller.token.scopes) else {
                throw Refusal(error(404, "Not Found"))
            }
        case .gitHubApp:
            guard caller.application.readsEmailAddresses else {
                throw Refusal(error(403, "Resource not accessible by integration"))
            }
        }
        let page = GitHubPage(of: emails, try request.queryFields())
        var response = SimulatorResponse.json(.array(page.elements.map(\.json)))
        response.headers[text: "Link"] = page.link(to: url + request.recorded.path)
        return response
    }
}

extension GitHubSimulator.Person.Email {
    var json: JSONValue {
        [
            "email": .string(address), "primary": .bool(primary), "verified": .bool(verified),
            "visibility": JSONValue(visibility?.rawValue),
        ]
    }
}

import HTTPTypes
import ProviderKit

/// `GET /user` and the lists of addresses.
struct GitHubUserRoutes: Sendable {
    let api: GitHubAPI

    func add(to routes: SimulatorRoutes<GitHubSimulator.Endpoint>) {
        routes.on(.get, api.core.apiPath + "/user", as: .user) { [api] request in
            api.answer(request) { caller throws(Refusal) in
                let profile = GitHubProfile(caller.person, url: api.core.snapshot.url, apiPath: api.core.apiPath)
                return .json(profile.own(scopes: caller.token.scopes))
            }
        }
        routes.on(.get, api.core.apiPath + "/user/emails", as: .emails) { [api] request in
            api.answer(request, accepting: ["user", "user:email"]) { caller throws(Refusal) in
                try addresses(caller.person.emails, of: caller, request)
            }
        }
        routes.on(.get, api.core.apiPath + "/user/public_emails", as: .publicEmails) { [api] request in
            api.answer(request, accepting: ["user", "user:email"]) { caller throws(Refusal) in
                try addresses(caller.person.emails.filter { $0.visibility == .public }, of: caller, request)
            }
        }
    }

    private func addresses(
        _ emails: [GitHubSimulator.Person.Email], of caller: GitHubAPI.Caller, _ request: SimulatorRequest
    ) throws(Refusal) -> SimulatorResponse {
        switch caller.application.kind {
        case .oauthApp:
            guard GitHubScopes.contains("user:email", in: caller.token.scopes) else {
                throw Refusal(GitHubAPI.error(404, "Not Found"))
            }
        case .gitHubApp:
            guard caller.application.readsEmailAddresses else {
                throw Refusal(GitHubAPI.error(403, "Resource not accessible by integration"))
            }
        }
        let page = GitHubPage(of: emails, try request.queryFields())
        var response = SimulatorResponse.json(.array(page.elements.map(\.json)))
        response.headers[text: "Link"] = page.link(to: api.core.snapshot.url + request.recorded.path)
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

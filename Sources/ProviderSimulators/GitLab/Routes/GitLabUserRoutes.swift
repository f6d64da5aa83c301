import Foundation
import HTTPTypes
import ProviderKit

/// `GET /api/v4/user` and `/user/emails`.
extension SimulatedGitLabAPI {
    static func addUserRoutes(to routes: ProviderRoutes<GitLabState>) {
        let path = routes.core.read(\.prefix) + "/api/v4/user"
        routes.on(.get, path, as: .user) { state, request in
            try answer(request, in: &state) { person, state in
                .json(.object(GitLabProfile(person, url: state.url).own))
            }
        }
        routes.on(.get, path + "/emails", as: .emails) { state, request in
            let query = try request.queryFields()
            return try answer(request, in: &state) { person, _ in page(of: person.emails, query) }
        }
    }

    /// One page of the further addresses, by `per_page` (20 unless asked, at most 100) and `page`.
    private static func page(of emails: [GitLabSimulator.Person.Email], _ query: FormFields) -> SimulatorResponse {
        let size = min(max(query["per_page"].flatMap { Int($0) } ?? 20, 1), 100)
        let last = max((emails.count + size - 1) / size, 1)
        let number = min(max(query["page"].flatMap { Int($0) } ?? 1, 1), last + 1)
        let shown = emails.dropFirst((number - 1) * size).prefix(size)
        var response = SimulatorResponse.json(.array(shown.map(\.json)))
        response.headers[text: "X-Total"] = String(emails.count)
        response.headers[text: "X-Page"] = String(number)
        response.headers[text: "X-Next-Page"] = number < last ? String(number + 1) : ""
        return response
    }
}

extension GitLabSimulator.Person.Email {
    fileprivate var json: JSONValue {
        [
            "id": .integer(id), "email": .string(address), "confirmed_at": JSONValue(confirmedAt?.millisecondText),
        ]
    }
}

extension Date {
    /// ISO 8601 with milliseconds, as Rails writes times.
    var millisecondText: String { formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)) }
}

import HTTPTypes
import ProviderKit

/// `GET /api/v1/events`: what an application was told, for those that missed a webhook.
struct OnePassEventRoutes: Sendable {
    private static let largestPage = 1000

    let core: OnePassCore

    func add(to routes: SimulatorRoutes<OnePassSimulator.Endpoint>) {
        routes.on(.get, "/api/v1/events", as: .events) { request in
            let query = try request.queryFields()
            return OnePassAPI.answer(core) { () throws(OAuthFailure) in
                let onePass = core.snapshot
                let client = PresentedClient(FormFields([:]), request)
                let application = try onePass.client(client)
                guard application.type == .confidential else {
                    throw .invalidClient("Events are for confidential clients.")
                }
                return try page(of: onePass.events.filter { $0.clientID == application.clientID }, query)
            }
        }
    }

    /// The cursor counts the events a client has seen; it filters afterwards, so that it may change its filter.
    private func page(
        of events: [OnePassSimulator.Event], _ query: FormFields
    ) throws(OAuthFailure) -> SimulatorResponse {
        let limit = min(max(query["limit"].flatMap { Int($0) } ?? 100, 1), Self.largestPage)
        let since = query["since"] ?? ""
        guard let start = since.isEmpty ? 0 : Int(since), (0...events.count).contains(start) else {
            throw .invalidRequest("since is not a cursor of ours.")
        }
        let type = query["event_type"]
        var page: [JSONValue] = []
        var next = start
        for event in events[start...] where page.count < limit {
            next += 1
            if type == nil || event.type.rawValue == type { page.append(event.json) }
        }
        return .json([
            "events": .array(page), "next_cursor": .string(String(next)), "has_more": .bool(next < events.count),
        ])
    }
}

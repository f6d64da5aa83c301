import HTTPTypes
import ProviderKit

/// `GET /api/v1/events`: the events of a client, for clients that missed a webhook.
enum OnePassEventList {
    private static let largestPage = 1000

    static func answer(_ request: SimulatorRequest, _ state: inout OnePassState) throws -> SimulatorResponse {
        let query = try request.queryFields()
        return SimulatedOnePassAPI.answer(&state) { state throws(OAuthFailure) in
            let application = try state.client(PresentedClient(FormFields([:]), request))
            guard application.type == .confidential else {
                throw .invalidClient("Events are for confidential clients.")
            }
            return try page(of: state.events.filter { $0.clientID == application.clientID }, query)
        }
    }

    /// The cursor counts events before the filter, so that a client may change its filter.
    private static func page(
        of events: [OnePassSimulator.Event], _ query: FormFields
    ) throws(OAuthFailure) -> SimulatorResponse {
        let limit = min(max(query["limit"].flatMap { Int($0) } ?? 100, 1), largestPage)
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

import BrokerStore
import Hummingbird
import ProviderKit

/// `/v1/broker/me/history` and `/v1/broker/me:export`: what happened to the user's account, and all that is stored of it,
/// for OAuth clients.
struct OwnHistoryRoutes: Sendable {
    let openID: OpenIDContext

    private var callers: AccountCallers { AccountCallers(openID: openID) }

    func add(to routes: Routes) {
        callers.on(.get, "/history", in: routes) { call, request, _ in try await history(of: call, request) }
        callers.on(.post, ":export", in: routes, takesLong: true) { call, request, _ in
            _ = try await RequestFields(request)
            return try await openID.accounts.exportAccount(call.session, origin: call.origin)
        }
    }

    private func history(of call: AccountCallers.Call, _ request: Request) async throws -> JSONObject {
        try openID.policy.requireStepUp(at: .lookup, call.facts.session, at: openID.now)
        let query = try QueryParameters.of(request)
        let actor = try query[HistoryParameter.actor].map { name throws(WireError) in
            guard let known = HistoryEntry.Actor(rawValue: name) else {
                throw .badRequest("actor must be one of \(HistoryParameter.actors.joined(separator: ", ")).")
            }
            return known
        }
        let page = try await openID.accounts.history(
            of: call.facts.user, by: actor, after: query[PageParameter.token], limit: try query.pageSize())
        var answer: JSONObject = [
            "kind": "broker#History", "entries": .array(page.entries.map { .object(JSONObject($0)) }),
        ]
        answer["nextPageToken"] = page.next.map(JSONValue.string)
        return answer
    }
}

/// The parameters of the history of an account.
enum HistoryParameter {
    static let actors = HistoryEntry.Actor.allCases.map(\.rawValue)
    static let actor = DeclaredParameter("actor", "Only what this actor did.").choices(actors)
}

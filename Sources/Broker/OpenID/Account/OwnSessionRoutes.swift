import BrokerStore
import Foundation
import Hummingbird
import ProviderKit

/// `/v1/broker/me/sessions`: the user's sessions in all families, for OAuth clients.
struct OwnSessionRoutes: Sendable {
    let openID: OpenIDContext

    private var callers: AccountCallers { AccountCallers(openID: openID) }

    func add(to routes: Routes) {
        callers.on(.get, "/sessions", in: routes) { call, request, _ in try await sessions(of: call, request) }
        callers.on(.post, "/sessions/{sessionId}:signOut", in: routes) { call, request, context in
            try await end(.others(ids: [context.parameters[PathParameter.sessionID.name] ?? ""]), call, request)
        }
        callers.on(.post, "/sessions:signOut", in: routes) { call, request, _ in
            try await end(.session, call, request)
        }
        callers.on(.post, "/sessions:signOutAll", in: routes) { call, request, _ in
            try await end(.all, call, request)
        }
    }

    private func sessions(of call: AccountCallers.Call, _ request: Request) async throws -> JSONObject {
        let query = try QueryParameters.of(request)
        let page = try await openID.sessions.listSessions(
            of: call.facts.user, after: query[PageParameter.token], limit: try query.pageSize())
        let current = call.facts.session.id
        let sessions = page.sessions.filter { $0.state == .live }.map { found -> JSONValue in
            .object(JSONObject(found.session, isCurrent: found.session.id == current))
        }
        var answer: JSONObject = ["kind": "broker#Sessions", "sessions": .array(sessions)]
        answer["nextPageToken"] = page.next.map(JSONValue.string)
        return answer
    }

    private func end(
        _ scope: SignOutScope, _ call: AccountCallers.Call, _ request: Request
    ) async throws -> JSONObject {
        _ = try await RequestFields(request)
        try await openID.sessions.signOut(call.session, scope, origin: call.origin)
        return JSONObject()
    }
}

extension QueryParameters {
    private static let largestPage = 100

    /// The number of entries that a page has at most.
    ///
    /// - Throws: ``WireError``.
    func pageSize() throws(WireError) -> Int {
        guard let text = self[PageParameter.size] else { return SessionPage.standardSize }
        guard let size = Int(text), size > 0 else { throw .badRequest("pageSize must be a number.") }
        return min(size, Self.largestPage)
    }
}

extension JSONObject {
    fileprivate init(_ session: Session, isCurrent: Bool) {
        self.init([("id", .string(session.id)), ("family", .string(session.family.rawValue))])
        self["clientId"] = session.clientID.map(JSONValue.string)
        self["signInProvider"] = .string(session.signInProvider)
        self["createdAt"] = .string(session.createdAt.date.formatted(.iso8601))
        self["lastUsedAt"] = .string(session.latestUse.date.formatted(.iso8601))
        self["userAgent"] = session.userAgent.map(JSONValue.string)
        self["isCurrent"] = isCurrent ? true : nil
    }
}

import BrokerStore
import Hummingbird
import ProviderKit

/// `/v1/broker/me`: the user's own record, for OAuth clients, under the rules of `accounts:lookup`, `accounts:update` and
/// `accounts:delete`.
struct OwnAccountRoutes: Sendable {
    let openID: OpenIDContext

    private var callers: AccountCallers { AccountCallers(openID: openID) }

    func add(to routes: Routes) {
        callers.on(.get, "", in: routes) { call, _, _ in
            try openID.policy.requireStepUp(
                at: .lookup, call.facts.session, at: openID.now)
            return try await openID.accountDocument(of: call.facts)
        }
        callers.on(.post, ":update", in: routes) { call, request, _ in
            let body = try ProfileBody(try await RequestFields(request))
            return try await openID.accountDocument(
                of: try await openID.accounts.updateAccount(call.session, body.changes, origin: call.origin).record)
        }
        callers.on(.post, ":delete", in: routes) { call, request, _ in
            let body = try ProviderCodeBody(try await RequestFields(request))
            let receipts = try await openID.accounts.deleteAccount(call.session, code: body.code, origin: call.origin)
            return [
                "kind": "broker#DeleteAccountResponse",
                "broker": ["withdrawals": .array(receipts.map { .object(JSONObject($0)) })],
            ]
        }
    }
}

import BrokerStore
import Hummingbird
import ProviderKit

/// `/v1/broker/me/providers/…`: the user's identities and what their providers have granted, for OAuth clients.
struct OwnProviderRoutes: Sendable {
    let openID: OpenIDContext

    private var callers: AccountCallers { AccountCallers(openID: openID) }

    func add(to routes: Routes) {
        callers.on(.post, "/providers/{providerId}:unlink", in: routes) { call, request, context in
            _ = try await RequestFields(request)
            var changes = AccountChanges()
            changes.unlinkedProviders = [Self.provider(context)]
            let outcome = try await openID.accounts.updateAccount(call.session, changes, origin: call.origin)
            var answer = try await openID.accountDocument(of: outcome.record)
            answer.add(outcome.withdrawals)
            return answer
        }
        callers.on(.post, "/providers/{providerId}:token", in: routes) { call, request, context in
            guard call.client.receivesProviderTokens else {
                throw BrokerError.operationNotAllowed("This client is not registered for provider tokens.")
            }
            let localID = call.facts.user.localID
            return try await openID.outbox.readProviderToken(
                of: localID, at: Self.provider(context), scopes: try await RequestFields(request).strings("scopes"),
                origin: call.origin.acting(as: .user, localID)
            ).document()
        }
    }

    private static func provider(_ context: BrokerRequestContext) -> String {
        (context.parameters["providerId"] ?? "").lowercasedASCII
    }
}

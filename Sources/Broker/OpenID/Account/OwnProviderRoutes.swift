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
        callers.on(.post, "/providers/{providerId}:revoke", in: routes) { call, request, context in
            let provider = Self.provider(context)
            let code = try Self.proof(try await RequestFields(request), of: provider)
            let receipts = try await openID.accounts.revokeProviderToken(
                call.session, provider: provider, .code(code), clientID: code.clientID, origin: call.origin)
            return [
                "kind": "broker#RevokeProviderResponse",
                "broker": ["withdrawals": .array(receipts.map { .object(JSONObject($0)) })],
            ]
        }
    }

    private static func proof(_ fields: RequestFields, of provider: String) throws(WireError) -> ProviderCode {
        guard let code = try fields.nonEmpty("authorizationCode") else {
            throw .field("/authorizationCode", "is missing")
        }
        return ProviderCode(
            provider: provider, code: code, redirectURI: try fields.nonEmpty("redirectUri"),
            clientID: try fields.nonEmpty("clientId"))
    }

    private static func provider(_ context: BrokerRequestContext) -> String {
        (context.parameters["providerId"] ?? "").lowercasedASCII
    }
}

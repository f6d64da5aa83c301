import BrokerStore
import Hummingbird
import ProviderKit

/// `/v1/broker/me/providers/…`: the user's identities and what their providers have granted, for OAuth clients.
struct OwnProviderRoutes: Sendable {
    let openID: OpenIDContext

    private var callers: AccountCallers { AccountCallers(openID: openID) }

    func add(to routes: Routes) {
        callers.on(.get, "/providers", in: routes) { call, _, _ in
            try openID.policy.requireStepUp(at: .lookup, call.facts.session, at: openID.now)
            let directory = openID.providers.current
            let connected = try await openID.accounts.connectedProviders(of: call.facts)
            return [
                "kind": "broker#Providers",
                "providers": .array(
                    connected.map { .object(JSONObject($0, name: directory.displayName(of: $0.identity.provider))) }),
            ]
        }
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
                of: localID, at: Self.provider(context),
                scopes: try ScopesBody(try await RequestFields(request)).scopes,
                origin: call.origin.acting(as: .user, localID)
            ).document()
        }
        callers.on(.post, "/providers/{providerId}:revoke", in: routes) { call, request, context in
            let provider = Self.provider(context)
            let code = try RevokeGrantBody(try await RequestFields(request)).proof(of: provider)
            let receipts = try await openID.accounts.revokeProviderToken(
                call.session, provider: provider, .code(code), clientID: code.clientID, origin: call.origin)
            return [
                "kind": "broker#RevokeProviderResponse",
                "broker": ["withdrawals": .array(receipts.map { .object(JSONObject($0)) })],
            ]
        }
    }

    private static func provider(_ context: BrokerRequestContext) -> String {
        (context.parameters[PathParameter.providerID.name] ?? "").lowercasedASCII
    }
}

/// The body of a revocation of what the user has granted at a provider.
struct RevokeGrantBody: DeclaredRequest {
    private var authorizationCode = ""
    private var code = ProviderCodeBody()

    func proof(of provider: String) -> ProviderCode {
        ProviderCode(
            provider: provider, code: authorizationCode, redirectURI: code.redirectURI, clientID: code.clientID)
    }

    static let body = DeclaredBody<RevokeGrantBody>(
        [
            .text(
                "authorizationCode", orThrow: .field("/authorizationCode", "is missing"),
                "A new authorization code of the provider, which proves the user there."
            ) { $0.authorizationCode = $1 }.example("<authorization code>")
        ], DeclaredBody(ProviderCodeBody.ofCode).of(\RevokeGrantBody.code))
}

extension JSONObject {
    fileprivate init(_ connected: ConnectedProvider, name: String) {
        self = [
            "providerId": .string(connected.identity.provider), "name": .string(name),
            "linkedAt": .string(connected.identity.linkedAt.text),
            "lastSignInAt": .string(connected.identity.lastSignInAt.text),
        ]
        self["scopes"] = connected.scopes.map { .array($0.map(JSONValue.string)) }
        self["withdrawal"] = .string(connected.withdrawal.rawValue)
    }
}

import BrokerStore
import Hummingbird
import ProviderKit

/// `accounts:update` and `accounts:delete` of Identity Toolkit v1, the client's half.
struct UpdateRoutes: Sendable {
    let callers: CallerCheck
    let update: UpdateAccount
    let delete: DeleteAccount

    func add(to routes: Routes) {
        routes.account("update", legacy: "setAccountInfo", updateAccount)
        routes.account("delete", legacy: "deleteAccount", deleteAccount)
    }

    @Sendable
    func updateAccount(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let caller = try await callers(request, takesProof: true)
        let body = try UpdateBody(try await RequestFields(request).ofThisProject())
        let outcome = try await update(.idToken(body.idToken), body.changes, origin: context.origin(caller))
        return .json(.object(JSONObject(outcome, body)))
    }

    @Sendable
    func deleteAccount(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let caller = try await callers(request, takesProof: true)
        let fields = try await RequestFields(request).ofThisProject()
        guard let idToken = try fields.nonEmpty("idToken") else { throw BrokerError.missingIDToken }
        var answer: JSONObject = ["kind": "identitytoolkit#DeleteAccountResponse"]
        answer.add(
            try await delete(.idToken(idToken), code: try fields.providerCode(), origin: context.origin(caller)))
        return .json(.object(answer))
    }
}

extension RequestFields {
    /// The authorization code of a provider that comes with a deletion, in fields of the broker's own.
    fileprivate func providerCode() throws(WireError) -> ProviderCode? {
        guard let code = try nonEmpty("authorizationCode") else { return nil }
        return ProviderCode(
            provider: try nonEmpty("providerId")?.lowercasedASCII, code: code,
            redirectURI: try nonEmpty("redirectUri"), clientID: try nonEmpty("clientId"))
    }
}

extension JSONObject {
    /// The answer of `accounts:update`: the list of providers whole, also the empty one that is left after the last;
    /// SDKs learn from it what was unlinked.
    fileprivate init(_ outcome: UpdateAccount.Outcome, _ body: UpdateBody) {
        let record = JSONObject(UserRecord(user: outcome.facts.user, identities: outcome.facts.identities))
        self.init([("kind", "identitytoolkit#SetAccountInfoResponse")])
        for name in ["localId", "email", "emailVerified", "displayName", "photoUrl", "providerUserInfo"] {
            self[name] = record[name]
        }
        if !body.changes.unlinkedProviders.isEmpty, outcome.facts.identities.isEmpty { self["providerUserInfo"] = [] }
        if let email = body.changes.email, !email.isEmpty {
            self["newEmail"] = .string(EmailAddress(email)?.display ?? email)
        }
        if let tokens = outcome.tokens { add(tokens) }
        add(outcome.withdrawals)
    }
}

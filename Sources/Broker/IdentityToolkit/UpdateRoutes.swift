import BrokerStore
import Hummingbird
import ProviderKit

/// `accounts:update` and `accounts:delete` of Identity Toolkit v1: of an app's own user, and of any user for a backend.
struct UpdateRoutes: Sendable {
    let toolkit: IdentityToolkitContext

    func add(to routes: Routes) {
        routes.account("update", legacy: "setAccountInfo", updateAccount)
        routes.project(.post, accounts: ":update", updateAccount)
        routes.account("delete", legacy: "deleteAccount", deleteAccount)
        routes.project(.post, accounts: ":delete", deleteAccount)
    }

    @Sendable
    func updateAccount(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        switch try await toolkit.account(request, in: context, with: .writeUsers) {
        case .app(let caller, let fields):
            let body = try UpdateBody(fields)
            let outcome = try await toolkit.accounts.updateAccount(
                .idToken(body.idToken), body.changes, origin: context.origin(caller))
            return .json(.object(JSONObject(outcome, body.changes)))
        case .administrator(let administrator, let fields):
            let body = try AdministratorUpdateBody(fields)
            var localID = body.localID
            // The user of an ID token goes before the localId, as at Identity Toolkit.
            if let idToken = try fields.nonEmpty("idToken") {
                localID = try await toolkit.accounts.lookUp(idToken).record.user.localID
            }
            let outcome = try await toolkit.accounts.updateAccount(
                localID: localID, body.changes, body.further, origin: context.origin(administrator))
            return .json(.object(JSONObject(outcome, body.changes)))
        }
    }

    @Sendable
    func deleteAccount(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        var answer: JSONObject = ["kind": "identitytoolkit#DeleteAccountResponse"]
        switch try await toolkit.account(request, in: context, with: .writeUsers) {
        case .app(let caller, let fields):
            guard let idToken = try fields.nonEmpty("idToken") else { throw BrokerError.missingIDToken }
            answer.add(
                try await toolkit.accounts.deleteAccount(
                    .idToken(idToken), code: try fields.providerCode(), origin: context.origin(caller)))
        case .administrator(let administrator, let fields):
            guard let localID = try fields.nonEmpty("localId") else { throw WireError.code(.missingLocalID) }
            answer.add(
                try await toolkit.accounts.deleteAccount(localID: localID, origin: context.origin(administrator)))
        }
        return .json(.object(answer))
    }
}

extension RequestFields {
    /// The authorization code of a provider that comes with a deletion, in fields of the broker's own.
    func providerCode() throws(WireError) -> ProviderCode? {
        guard let code = try nonEmpty("authorizationCode") else { return nil }
        return ProviderCode(
            provider: try nonEmpty("providerId")?.lowercasedASCII, code: code,
            redirectURI: try nonEmpty("redirectUri"), clientID: try nonEmpty("clientId"))
    }
}

extension JSONObject {
    /// The answer of `accounts:update`: the list of providers whole, also the empty one that is left after the last;
    /// SDKs learn from it what was unlinked.
    fileprivate init(_ outcome: AccountUpdateOutcome, _ changes: AccountChanges) {
        let record = JSONObject(outcome.record)
        self.init([("kind", "identitytoolkit#SetAccountInfoResponse")])
        for name in ["localId", "email", "emailVerified", "displayName", "photoUrl", "providerUserInfo"] {
            self[name] = record[name]
        }
        if !changes.unlinkedProviders.isEmpty, outcome.record.identities.isEmpty { self["providerUserInfo"] = [] }
        if let email = changes.email, !email.isEmpty {
            self["newEmail"] = .string(EmailAddress(email)?.display ?? email)
        }
        if let tokens = outcome.tokens { add(tokens) }
        add(outcome.withdrawals)
    }
}

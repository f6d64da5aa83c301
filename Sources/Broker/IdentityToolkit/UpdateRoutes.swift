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
            if let idToken = body.idToken {
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
            let body = try DeleteBody(fields)
            answer.add(
                try await toolkit.accounts.deleteAccount(
                    .idToken(body.idToken), code: body.code.code, origin: context.origin(caller)))
        case .administrator(let administrator, let fields):
            let body = try AdministratorDeleteBody(fields)
            answer.add(
                try await toolkit.accounts.deleteAccount(localID: body.localID, origin: context.origin(administrator)))
        }
        return .json(.object(answer))
    }
}

/// The body of `accounts:delete` of an app.
struct DeleteBody: DeclaredRequest {
    private(set) var idToken = ""
    private(set) var code = ProviderCodeBody()

    static let body = DeclaredBody<DeleteBody>(
        [CommonFields.idToken { $0.idToken = $1 }], ProviderCodeBody.body.of(\DeleteBody.code))
}

/// The body of `accounts:delete` of a backend.
struct AdministratorDeleteBody: DeclaredRequest {
    private(set) var localID = ""

    static let body = DeclaredBody<AdministratorDeleteBody>([
        .text("localId", orThrow: .code(.missingLocalID), "The user's id.") { $0.localID = $1 }.example("<user>")
    ])
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

import BrokerStore
import Foundation
import Hummingbird
import ProviderKit

/// `accounts:signUp`, `accounts:signInWithIdp`, `accounts:lookup` of Identity Toolkit v1.
struct AccountRoutes: Sendable {
    let callers: CallerCheck
    let signUpAnonymously: SignUpAnonymously
    let signIn: SignIn
    let link: Link
    let lookup: Lookup
    let finish: FinishAppSignIn
    let exchange: ExchangeCredential

    func add(to routes: Routes) {
        routes.account("signUp", legacy: "signupNewUser", signUp)
        routes.account("signInWithIdp", legacy: "verifyAssertion", signInWithIdp)
        routes.account("lookup", legacy: "getAccountInfo", lookupAccount)
        routes.on(.post, "/v1/broker/credentials:exchange", exchangeCredential)
    }

    @Sendable
    func signUp(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let caller = try callers(request)
        try SignUpBody.check(
            try await RequestFields(request).ofThisProject(), allowsAnonymous: signUpAnonymously.isAllowed)
        let (facts, tokens) = try await signUpAnonymously(origin: context.origin(caller))
        var answer = JSONObject([("kind", "identitytoolkit#SignupNewUserResponse")])
        answer["localId"] = .string(facts.user.localID)
        answer.add(tokens)
        return .json(.object(answer))
    }

    @Sendable
    func signInWithIdp(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let caller = try callers(request)
        let fields = try await RequestFields(request).ofThisProject()
        let (source, finished) = try await proven(IdentityProviderResponse(fields))
        let origin = context.origin(caller)
        let outcome: FederatedOutcome
        if let idToken = try fields.nonEmpty("idToken") {
            outcome = try await link(source, idToken: idToken, origin: origin)
        } else {
            // SDKs do not say so when a popup or a redirect was to reauthenticate.
            let createsUser = try fields.bool("autoCreate") ?? (finished?.isReauthentication != true)
            outcome = try await signIn(.init(source, createsUser: createsUser), origin: origin)
        }
        // Without the flag a conflict is a plain error (contract §3.5).
        if case .conflict(let error) = outcome.result, try fields.bool("returnIdpCredential") != true { throw error }
        var answer = JSONObject(outcome)
        answer["context"] = finished?.context.map(JSONValue.string)
        return .json(.object(answer))
    }

    /// What a provider vouches for, with the trip through the browser it came by.
    private func proven(
        _ response: IdentityProviderResponse
    ) async throws -> (FederatedSource, FinishAppSignIn.Finished?) {
        switch response {
        case .credential(let source): return (source, nil)
        case .redirect(let answer):
            let finished = try await finish(answer)
            return (.proven(finished.proven), finished)
        }
    }

    /// The first half of a sign-in alone: a provider's answer in, a pending token out.
    @Sendable
    func exchangeCredential(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        _ = try callers(request)
        let fields = try await RequestFields(request).ofThisProject()
        guard case .redirect(let answer) = try IdentityProviderResponse(fields) else {
            throw WireError.code("INVALID_IDP_RESPONSE", "Send the answer to a sign-in begun by createAuthUri.")
        }
        return .json(.object(JSONObject(try await exchange(answer))))
    }

    @Sendable
    func lookupAccount(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        _ = try callers(request)
        let fields = try await RequestFields(request).ofThisProject()
        guard let idToken = try fields.nonEmpty("idToken") else { throw BrokerError.missingIDToken }
        let record = try await lookup(idToken)
        return .json(["kind": "identitytoolkit#GetAccountInfoResponse", "users": [.object(JSONObject(record))]])
    }
}

/// What `accounts:signUp` may carry from a client: nothing but the wish to be anonymous.
enum SignUpBody {
    /// - Throws: ``WireError`` in the order of contract §2.1.
    static func check(_ fields: RequestFields, allowsAnonymous: Bool) throws(WireError) {
        if try fields.nonEmpty("localId") != nil { throw .code("UNEXPECTED_PARAMETER", "User ID") }
        let email = try fields.string("email")
        let password = try fields.nonEmpty("password")
        if try fields.nonEmpty("idToken") != nil || password != nil || email?.isEmpty == false {
            if email?.isEmpty ?? true { throw .code("MISSING_EMAIL") }
            if password == nil { throw .code("MISSING_PASSWORD") }
            throw .code("OPERATION_NOT_ALLOWED", "Passwords are not offered here: sign in through a provider.")
        }
        guard allowsAnonymous else { throw WireError(BrokerError.anonymousSignInOff) }
        if email != nil { throw .code("INVALID_EMAIL") }
    }
}

extension RequestFields {
    /// The fields, once it is clear that they do not reach for another project or a tenant.
    ///
    /// - Throws: ``WireError``.
    func ofThisProject() throws(WireError) -> RequestFields {
        if try nonEmpty("targetProjectId") != nil {
            throw .code("INSUFFICIENT_PERMISSION", "Only authenticated requests can specify target_project_id.")
        }
        if try nonEmpty("tenantId") != nil { throw .code("INVALID_TENANT_ID") }
        return self
    }
}

extension JSONObject {
    mutating func add(_ tokens: IssuedTokens) {
        self["idToken"] = .string(tokens.idToken)
        self["refreshToken"] = .string(tokens.refreshToken)
        self["expiresIn"] = .string(String(tokens.expiresIn))
    }
}

import BrokerStore
import Foundation
import Hummingbird
import ProviderKit

/// `accounts:signUp`, `accounts:signInWithIdp`, `accounts:lookup` of Identity Toolkit v1.
struct AccountRoutes: Sendable {
    let callers: CallerCheck
    let signUpAnonymously: SignUpAnonymously
    let verify: VerifyCredential
    let signIn: SignIn
    let link: Link
    let answer: SignInAnswer
    let lookup: Lookup
    let finish: FinishAppSignIn
    let exchange: ExchangeCredential

    func add(to routes: Routes) {
        routes.account("signUp", legacy: "signupNewUser", signUp)
        routes.account("signInWithIdp", legacy: "verifyAssertion", signInWithIdp)
        routes.account("lookup", legacy: "getAccountInfo", lookupAccount)
        routes.on(.post, "/v1/broker/credentials:exchange", counting: .byProof, exchangeCredential)
    }

    @Sendable
    func signUp(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let caller = try await callers(request)
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
        let caller = try await callers(request, takesProof: true)
        let fields = try await RequestFields(request).ofThisProject()
        let idToken = try fields.nonEmpty("idToken")
        try await count(idToken)
        let (credential, finished) = try await verified(try SignInWithIdpRequest(fields))
        let origin = context.origin(caller)
        var body: JSONObject
        if let idToken {
            body = try await answer(
                try await link(credential, idToken: idToken, origin: origin), of: credential, to: caller,
                returnsConflict: try fields.bool("returnIdpCredential") == true)
        } else {
            // SDKs do not say so when a popup or a redirect was to reauthenticate.
            let createsUser = try fields.bool("autoCreate") ?? (finished?.isReauthentication != true)
            body = try await answer(
                try await signIn(credential, createsUser: createsUser, origin: origin), of: credential, to: caller)
        }
        body["context"] = finished?.context.map(JSONValue.string)
        return .json(.object(body))
    }

    /// Counts a request by the user of its ID token before its credential costs anything. An invalid token is refused
    /// later.
    private func count(_ idToken: String?) async throws {
        guard let admission = RequestAdmission.current else { return }
        do {
            if let idToken { _ = try await link.verifier.claims(of: idToken, at: Timestamp(link.now())) }
        } catch BrokerError.invalidIDToken {}
        try admission.countUnproven()
    }

    /// The verified credential of a request, and the redirect that it finishes, if it does.
    private func verified(
        _ request: SignInWithIdpRequest
    ) async throws -> (VerifiedCredential, FinishAppSignIn.Finished?) {
        switch request {
        case .credential(let credential, let provider): return (try await verify(credential, from: provider), nil)
        case .pendingToken(let token): return (try await verify(pendingToken: token), nil)
        case .redirect(let response):
            let finished = try await finish(response)
            return (finished.credential, finished)
        }
    }

    /// Verifies only, and begins no session: an authorization response in, a pending token out.
    @Sendable
    func exchangeCredential(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let caller = try await callers(request)
        let fields = try await RequestFields(request).ofThisProject()
        guard case .redirect(let response) = try SignInWithIdpRequest(fields) else {
            throw WireError.code("INVALID_IDP_RESPONSE", "Send the answer to a sign-in begun by createAuthUri.")
        }
        return .json(.object(answer.exchanged(try await exchange(response), to: caller)))
    }

    @Sendable
    func lookupAccount(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        _ = try await callers(request, takesProof: true)
        let fields = try await RequestFields(request).ofThisProject()
        guard let idToken = try fields.nonEmpty("idToken") else { throw BrokerError.missingIDToken }
        let record = try await lookup(idToken)
        return .json(["kind": "identitytoolkit#GetAccountInfoResponse", "users": [.object(JSONObject(record))]])
    }
}

/// Validates an `accounts:signUp` request from a client, which can sign up anonymously only.
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

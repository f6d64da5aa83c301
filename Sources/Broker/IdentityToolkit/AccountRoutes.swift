import BrokerStore
import Hummingbird
import ProviderKit

/// `accounts:signInWithIdp` of Identity Toolkit v1, and the exchange of an authorization response.
struct AccountRoutes: Sendable {
    let toolkit: IdentityToolkitContext

    func add(to routes: Routes) {
        routes.account("signInWithIdp", legacy: "verifyAssertion", signInWithIdp)
        routes.on(.post, "/v1/broker/credentials:exchange", counting: .byProof, exchangeCredential)
    }

    @Sendable
    func signInWithIdp(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let caller = try await toolkit.app(request, takesProof: true)
        let body = try SignInWithIdpBody(try await RequestFields(request).ofThisProject())
        try await count(body.idToken)
        let (credential, finished) = try await verified(try SignInWithIdpRequest(body))
        let origin = context.origin(caller)
        var answer: JSONObject
        if let idToken = body.idToken {
            answer = try await toolkit.answer(
                try await toolkit.accounts.link(credential, idToken: idToken, origin: origin), of: credential,
                to: caller,
                returnsConflict: body.returnsConflict)
        } else {
            // SDKs do not say so when a popup or a redirect was to reauthenticate.
            let createsUser = body.createsUser ?? (finished?.isReauthentication != true)
            answer = try await toolkit.answer(
                try await toolkit.accounts.signIn(credential, createsUser: createsUser, origin: origin), of: credential,
                to: caller)
        }
        answer["context"] = finished?.context.map(JSONValue.string)
        return .json(.object(answer))
    }

    /// Counts a request by the user of its ID token before its credential costs anything. A token that is not valid is
    /// refused later.
    private func count(_ idToken: String?) async throws {
        guard let admission = RequestAdmission.current else { return }
        do {
            if let idToken { _ = try await toolkit.sessions.verifier.validClaims(of: idToken, at: toolkit.now) }
        } catch BrokerError.invalidIDToken, BrokerError.tokenExpired, BrokerError.userNotFound,
            BrokerError.userDisabled
        {}
        try admission.countUnproven()
    }

    /// The verified credential of a request, and the redirect that it finishes, if it does.
    private func verified(
        _ request: SignInWithIdpRequest
    ) async throws -> (VerifiedCredential, FinishedAppSignIn?) {
        switch request {
        case .credential(let credential, let provider):
            return (try await toolkit.accounts.verify(credential, from: provider), nil)
        case .pendingToken(let token): return (try await toolkit.accounts.verify(pendingToken: token), nil)
        case .redirect(let response):
            let finished = try await toolkit.redirects.finishAppSignIn(response)
            return (finished.credential, finished)
        }
    }

    /// Verifies only, and begins no session: an authorization response in, a pending token out.
    @Sendable
    func exchangeCredential(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let caller = try await toolkit.app(request)
        let body = try SignInWithIdpBody(try await RequestFields(request).ofThisProject())
        guard case .redirect(let response) = try SignInWithIdpRequest(body) else {
            throw WireError.code(.invalidIDPResponse, "Send the answer to a sign-in begun by createAuthUri.")
        }
        return .json(.object(toolkit.exchanged(try await toolkit.redirects.exchangeCredential(response), to: caller)))
    }
}

extension RequestFields {
    /// The fields, once it is clear that they do not reach for another project or a tenant.
    ///
    /// - Throws: ``WireError``.
    func ofThisProject() throws(WireError) -> RequestFields {
        if try nonEmpty("targetProjectId") != nil {
            throw .code(.insufficientPermission, "Only authenticated requests can specify target_project_id.")
        }
        if try nonEmpty("tenantId") != nil { throw .code(.invalidTenantID) }
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

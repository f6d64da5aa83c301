import BrokerStore
import ProviderKit

/// Token exchange (RFC 8693) for native apps: a provider's credential signs in, links or reauthenticates, and an app may
/// begin without an account.
///
/// The flows are those of Identity Toolkit, with their rules and errors; only the session is of the other family.
struct TokenExchangeGrant: TokenGrant {
    static let type = "urn:ietf:params:oauth:grant-type:token-exchange"
    static let parameters = [
        OAuthParameter.subjectToken, OAuthParameter.subjectTokenType, OAuthParameter.actorToken,
        OAuthParameter.actorTokenType, OAuthParameter.requestedTokenType, OAuthParameter.scope, OAuthParameter.provider,
        OAuthParameter.actorPrompt, OAuthParameter.nonce, OAuthParameter.authorizationCode,
        OAuthParameter.providerAccessToken, OAuthParameter.redirectURI, OAuthParameter.codeVerifier,
        OAuthParameter.user, OAuthParameter.platform, OAuthParameter.deviceSecret,
        OAuthParameter.authorizationResponse,
    ]
    static let issuedTokenType: String? = TokenExchangeRequest.accessTokenType

    let openID: OpenIDContext

    func tokens(for call: OAuthCall) async throws -> IssuedOpenIDTokens {
        // A public client's page could be another site's, and a confidential one has a server for the browser's flow.
        guard call.client.kind == .native else {
            throw OAuthError(
                .unauthorizedClient, "Token exchange is for native clients: use the authorization endpoint.")
        }
        return try await refusing { try await exchange(try TokenExchangeRequest(call.parameters), call) }
    }

    /// Refuses what no credential can change before the credential is verified, which may use it up.
    private func exchange(
        _ request: TokenExchangeRequest, _ call: OAuthCall
    ) async throws -> IssuedOpenIDTokens {
        switch request.purpose {
        case .signUpAnonymously:
            try RequestAdmission.current?.countUnproven()
            let facts = try await openID.accounts.signUpAnonymously(
                as: SessionShape().of(call.client, request.scopes), origin: call.origin,
                completing: started(call.client))
            return try await openID.answer(facts, isNewUser: true, to: call)
        case .signIn(let login): return try await signIn(login, request.scopes, call)
        case .signInDevice(let introduction): return try await signIn(introduction, request.scopes, call)
        case .reauthenticate(let login, let actorToken):
            let (user, _) = try await openID.session(ofActor: actorToken, call.client)
            return try await signIn(login, request.scopes, call, onlyUser: user)
        case .link(let proof, let actorToken):
            let (user, scopes) = try await openID.session(ofActor: actorToken, call.client)
            try openID.requireControl(of: user, scopes)
            let credential = try await verified(proof, from: call.client, for: user, isReauthentication: false)
            return try await link(credential, to: user, scopes, call)
        }
    }

    /// Verifies a proof, after what its provider and the session of the actor token rule out.
    private func verified(
        _ proof: TokenExchangeRequest.Proof, from client: Client, for user: SessionFacts?, isReauthentication: Bool
    ) async throws -> VerifiedCredential {
        func check(_ provider: String) throws {
            guard let user else { return }
            try openID.check(user, mayUse: provider, isReauthentication: isReauthentication)
        }
        switch proof {
        case .credential(let credential, let provider):
            try check(provider)
            return try await openID.accounts.verify(credential, from: provider)
        case .pendingToken(let token):
            return try await openID.accounts.verify(pendingToken: token, of: client.id)
        case .appAuthorization(let answer):
            return try await openID.redirects.finishAppSignIn(
                answer, by: client.id, for: user?.user.localID, isReauthentication: isReauthentication, check: check)
        }
    }

    private func signIn(
        _ login: TokenExchangeRequest.Login, _ scopes: Scopes, _ call: OAuthCall, onlyUser: SessionFacts? = nil
    ) async throws -> IssuedOpenIDTokens {
        switch login {
        case .identity(let proof):
            // What verifies the credential costs a request to its provider.
            try RequestAdmission.current?.countUnproven()
            let credential = try await verified(
                proof, from: call.client, for: onlyUser, isReauthentication: onlyUser != nil)
            let outcome = try await openID.accounts.signIn(
                credential, createsUser: onlyUser == nil, as: credential.sessionShape().of(call.client, scopes),
                onlyUser: onlyUser?.user.localID, origin: call.origin, completing: started(call.client))
            return try await answer(outcome, of: credential, call)
        case .customToken(let token):
            let (facts, isNewUser) = try await openID.accounts.signIn(
                customToken: token, as: SessionShape().of(call.client, scopes), onlyUser: onlyUser?.user.localID,
                origin: call.origin, completing: started(call.client))
            return try await openID.answer(facts, isNewUser: isNewUser, to: call)
        }
    }

    private func signIn(
        _ introduction: DeviceIntroduction, _ scopes: Scopes, _ call: OAuthCall
    ) async throws -> IssuedOpenIDTokens {
        let client = call.client
        let result = try await openID.accounts.signInDevice(
            introduction,
            beginning: DeviceSession(shape: { $0.sessionShape().of(client, scopes) }, completing: started(client)),
            origin: call.origin)
        var issued = try await answer(result.outcome, of: result.credential, call)
        issued.members["device_secret"] = result.newSecret.map(JSONValue.string)
        return issued
    }

    private func answer(
        _ outcome: SignInOutcome<SessionFacts>, of credential: VerifiedCredential, _ call: OAuthCall
    ) async throws -> IssuedOpenIDTokens {
        switch outcome {
        case .signedIn(let facts, let isNewUser): return try await openID.answer(facts, isNewUser: isNewUser, to: call)
        case .needConfirmation(let holder, _):
            throw try await refusal(.needConfirmation(providers: holder?.providers), of: credential, call.client)
        case .refused(let error): throw error
        }
    }

    /// A refusal with a pending token: the app may use the identity once it has proven another account, and the
    /// credential may be used up.
    private func refusal(
        _ error: BrokerError, of credential: VerifiedCredential, _ client: Client
    ) async throws -> any Error {
        guard var refusal = OAuthError(refusedGrant: error) else { return error }
        RequestAdmission.note(error)
        refusal.members["pending_token"] = .string(
            try await openID.accounts.pendingTokens.token(for: credential, boundTo: client.id, at: openID.now))
        return refusal
    }

    private func link(
        _ credential: VerifiedCredential, to user: SessionFacts, _ scopes: Scopes, _ call: OAuthCall
    ) async throws -> IssuedOpenIDTokens {
        let linked: SessionFacts
        do {
            linked = try await openID.accounts.link(
                credential, in: .session(id: user.session.id, .oauth),
                origin: call.origin.acting(as: .user, user.user.localID))
        } catch let error as BrokerError where error.isLinkConflict {
            throw try await refusal(error, of: credential, call.client)
        }
        // An actor token that was narrowed yields no more.
        return try await openID.answer(
            linked, isNewUser: false, to: call, scopes: scopes, linkedProvider: credential.evidence.key.provider)
    }

    /// Writes what belongs to a client's session that begins.
    private func started(_ client: Client) -> @Sendable (SessionFacts, borrowing Transaction) throws -> Void {
        { facts, transaction in
            // The operator may have removed the client meanwhile.
            guard try transaction.client(id: client.id) != nil else {
                throw OAuthError(.invalidClient, "The client is unknown.")
            }
            try transaction.audit(
                "session.started", of: facts.user.localID, provider: facts.session.signInProvider,
                detail: ["session": .string(facts.session.id), "client": .string(client.id)])
        }
    }
}

extension SessionShape {
    /// The shape of a client's session.
    fileprivate func of(_ client: Client, _ scopes: Scopes) -> SessionShape {
        var shape = self
        (shape.family, shape.clientID, shape.scope) = (.oauth, client.id, scopes.text)
        return shape
    }
}

import BrokerStore
import ProviderKit

/// Token exchange (RFC 8693) for native apps: a provider's ID token signs in, links or reauthenticates, and an app may
/// begin without an account.
///
/// The flows are those of Identity Toolkit, with their rules and errors; only the session is of the other family.
struct TokenExchangeGrant: TokenGrant {
    static let type = "urn:ietf:params:oauth:grant-type:token-exchange"
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

    private func exchange(
        _ request: TokenExchangeRequest, _ call: OAuthCall
    ) async throws -> IssuedOpenIDTokens {
        switch request.subject {
        case .anonymous:
            try RequestAdmission.current?.countUnproven()
            let facts = try await openID.accounts.signUpAnonymously(
                as: SessionShape().of(call.client, request.scopes), origin: call.origin,
                completing: started(call.client))
            return try await issue(facts, call)
        case .identity(let credential, let provider):
            guard let actor = request.actor else {
                // What verifies the credential costs a request to its provider.
                try RequestAdmission.current?.countUnproven()
                return try await issue(try await signIn(credential, from: provider, request.scopes, call), call)
            }
            let (user, actorScopes) = try await session(of: actor, call.client)
            switch actor.purpose {
            case .login:
                let facts = try await signIn(
                    credential, from: provider, request.scopes, call, onlyUser: user.user.localID)
                return try await issue(facts, call)
            case .link:
                try requireControl(of: user, actorScopes)
                let linked = try await openID.accounts.link(
                    try await openID.accounts.verify(credential, from: provider),
                    in: .session(id: user.session.id, .oauth),
                    origin: call.origin.acting(as: .user, user.user.localID))
                // The session goes on, and the app has its refresh token. An actor token that was narrowed yields no more.
                var issued = try await issue(linked, call, actorScopes, withRefreshToken: false)
                issued.linkedProvider = provider
                return issued
            }
        }
    }

    /// The session behind an actor token, which has to be one of the same client, and the scopes of the token.
    ///
    /// - Throws: ``OAuthError`` for any other token.
    private func session(
        of actor: TokenExchangeRequest.Actor, _ client: Client
    ) async throws -> (facts: SessionFacts, scopes: Scopes) {
        guard
            let (facts, claims) = try await openID.verifier.session(
                behind: actor.token, .accessToken, at: openID.now, with: Identity.self),
            claims.clientID.hasSameBytes(as: client.id)
        else { throw OAuthError.refusedActor }
        return (facts, claims.scopes)
    }

    /// A link changes how the user signs in: it needs what the user's own account needs.
    ///
    /// - Throws: ``OAuthError`` without the scope; ``BrokerError/stepUpRequired(_:)``.
    private func requireControl(of user: SessionFacts, _ scopes: Scopes) throws {
        guard scopes.contains(.account) else {
            throw OAuthError(.invalidScope, "actor_token needs the scope account to link.")
        }
        guard user.canLogInAgain else { return }
        try openID.policy.requireStepUp(by: .account, user.session, at: openID.now)
    }

    private func signIn(
        _ credential: Credential, from provider: String, _ scopes: Scopes, _ call: OAuthCall,
        onlyUser: String? = nil
    ) async throws -> SessionFacts {
        let verified = try await openID.accounts.verify(credential, from: provider)
        let outcome = try await openID.accounts.signIn(
            verified, createsUser: onlyUser == nil, as: verified.sessionShape(.oauth).of(call.client, scopes),
            onlyUser: onlyUser, origin: call.origin, completing: started(call.client))
        switch outcome {
        case .signedIn(let facts, _): return facts
        case .needConfirmation(let holder, _): throw BrokerError.needConfirmation(providers: holder?.providers)
        case .refused(let error): throw error
        }
    }

    private func issue(
        _ facts: SessionFacts, _ call: OAuthCall, _ scopes: Scopes? = nil, withRefreshToken: Bool = true
    ) async throws -> IssuedOpenIDTokens {
        try await openID.tokens.issue(
            facts, for: call.client, scopes: scopes, withRefreshToken: withRefreshToken, at: openID.now)
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

extension OAuthError {
    /// An actor token that is none of this client's, or has expired.
    fileprivate static let refusedActor = OAuthError(
        .invalidGrant, ErrorCode.tokenExpired.message("actor_token is no valid access token of this client."))
}

import BrokerStore
import ProviderKit

/// The answer of `signInWithIdp` (contract §2.2), with the tokens it issues. A field that is false or empty is absent: SDKs
/// check a field's presence only.
extension IdentityToolkitContext {
    /// The answer to a sign-in.
    ///
    /// - Throws: The ``BrokerError`` of a refusal.
    func answer(
        _ outcome: SignInOutcome<SessionFacts>, of credential: VerifiedCredential, to caller: Caller
    ) async throws -> JSONObject {
        switch outcome {
        case .signedIn(let facts, let isNewUser):
            return try await signedIn(facts, isNewUser: isNewUser, credential, caller)
        case .needConfirmation(let holder, let isRecycled):
            var answer = object(credential.evidence, for: caller)
            answer["needConfirmation"] = true
            answer["emailRecycled"] = isRecycled ? true : nil
            answer["localId"] = (holder?.localID).map(JSONValue.string)
            answer["verifiedProvider"] = holder.map { .array($0.providers.map(JSONValue.string)) }
            answer["pendingToken"] = .string(try await accounts.pendingTokens.token(for: credential, at: now))
            return answer
        case .refused(let error): throw error
        }
    }

    /// The answer to a link. With `returnIdpCredential` a conflict is an answer that carries the evidence, which the
    /// client may use once another account is proven (contract §3.5).
    ///
    /// - Throws: The ``BrokerError`` of any other refusal.
    func answer(
        _ result: Result<SessionFacts, BrokerError>, of credential: VerifiedCredential, to caller: Caller,
        returnsConflict: Bool
    ) async throws -> JSONObject {
        switch result {
        case .success(let facts): return try await signedIn(facts, isNewUser: false, credential, caller)
        case .failure(let error):
            guard returnsConflict, error.isLinkConflict else { throw error }
            var answer = object(credential.evidence, for: caller)
            answer["errorMessage"] = .string(error.message)
            answer["pendingToken"] = .string(try await accounts.pendingTokens.token(for: credential, at: now))
            return answer
        }
    }

    /// The answer of `credentials:exchange`.
    func exchanged(_ exchanged: ExchangedCredential, to caller: Caller) -> JSONObject {
        var answer = object(exchanged.evidence, for: caller)
        answer["kind"] = "broker#ExchangeCredentialResponse"
        answer["pendingToken"] = .string(exchanged.pendingToken)
        answer["context"] = exchanged.context.map(JSONValue.string)
        return answer
    }

    /// A session with its tokens; with a pending token where the provider accepts the credential once only
    /// (contract §3.6).
    private func signedIn(
        _ facts: SessionFacts, isNewUser: Bool, _ credential: VerifiedCredential, _ caller: Caller
    ) async throws -> JSONObject {
        let evidence = credential.evidence
        let begun = facts.session.createdAt
        var answer = object(evidence, for: caller)
        answer["localId"] = .string(facts.user.localID)
        if let canonical = evidence.email?.address.canonical, canonical == facts.user.emailCanonical {
            answer["emailVerified"] = .bool(facts.user.isEmailVerified)
        }
        answer["isNewUser"] = isNewUser ? true : nil
        if credential.isSingleUse {
            answer["pendingToken"] = accounts.pendingTokens.token(for: credential, issuedWith: facts)
                .map(JSONValue.string)
        }
        answer.add(try await sessions.tokens.issue(facts, at: begun))
        answer.add(facts.notices)
        return answer
    }

    /// The fields of the evidence. A token that the client sent is answered in any case.
    private func object(_ evidence: Evidence, for caller: Caller) -> JSONObject {
        var object = JSONObject([("kind", "identitytoolkit#VerifyAssertionResponse")])
        object["providerId"] = .string(evidence.key.provider)
        object["federatedId"] = .string(evidence.federatedID)
        object["email"] = (evidence.email?.address.display).map(JSONValue.string)
        object["emailVerified"] = .bool(evidence.email?.isVerified ?? false)
        object["displayName"] = evidence.displayName.map(JSONValue.string)
        object["fullName"] = evidence.displayName.map(JSONValue.string)
        object["firstName"] = evidence.givenName.map(JSONValue.string)
        object["lastName"] = evidence.familyName.map(JSONValue.string)
        object["screenName"] = evidence.screenName.map(JSONValue.string)
        object["photoUrl"] = PictureURL(evidence.photoURL).map { .string($0.text) }
        object["rawUserInfo"] = .string(evidence.rawUserInfo)
        let exchanged = (caller.apiKey.providerTokens ?? providerTokens) == .client ? evidence.grant : nil
        object["oauthAccessToken"] = (exchanged?.accessToken ?? evidence.presentedAccessToken).map(JSONValue.string)
        object["oauthIdToken"] = (exchanged?.idToken ?? evidence.presentedIDToken).map(JSONValue.string)
        return object
    }
}

/// The fields that Firebase's SDKs read of a sign-in with `google.com` (contract §2.2, §3.7), whichever plugin it went through.
extension Evidence {
    /// `federatedId`: the subject; for Google the URL it has been since OpenID 2.0.
    fileprivate var federatedID: String { isGoogle ? "https://accounts.google.com/\(key.subject)" : key.subject }

    /// `rawUserInfo`: the provider's profile as JSON text; for Google the members of its former userinfo endpoint.
    fileprivate var rawUserInfo: String {
        guard isGoogle, let claims = try? JSONValue(parsing: profile.utf8, limits: .stored) else { return profile }
        var info = JSONObject([("granted_scopes", .string(grantedScopes)), ("id", .string(key.subject))])
        for name in ["name", "given_name", "family_name"] { info[name] = claims[name] }
        info["verified_email"] = claims["email_verified"]
        info["locale"] = claims["locale"] ?? "en"
        info["email"] = claims["email"]
        info["picture"] = claims["picture"]
        return info.serialized()
    }

    private var isGoogle: Bool { FirebaseProviderID(rawValue: key.provider) == .google }

    private var grantedScopes: String {
        if let scopes = grant?.scopes, !scopes.isEmpty { return scopes.joined(separator: " ") }
        let standard = ["profile"] + (email == nil ? [] : ["email"])
        return (["openid"] + standard.map { "https://www.googleapis.com/auth/userinfo.\($0)" }).joined(separator: " ")
    }
}

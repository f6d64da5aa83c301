import BrokerStore
import ProviderKit

/// Takes a provider's answer: finds the attempt, checks what it is bound to, consumes it, and only then redeems the code.
extension RedirectContext {
    /// Finds and consumes the attempt that an answer belongs to.
    ///
    /// - Parameters:
    ///   - response: The provider's answer.
    ///   - purpose: The flow that finishes.
    ///   - binding: What the request shows, by the hash of the state.
    ///   - check: What else is verified before the attempt is consumed, such as the path of the answer.
    /// - Returns: The attempt, which no other request can finish any more.
    /// - Throws: ``BrokerError/signInAttemptUnknown``, ``BrokerError/signInAttemptOfAnother``, or what `check` throws;
    ///   the attempt is not consumed then.
    func consumeAttempt<Payload>(
        for response: AuthorizationResponse, _ purpose: SignInAttempts.Purpose<Payload>, binding: ([UInt8]) -> String?,
        check: (SignInAttempts.Opened<Payload>) throws -> Void
    ) async throws -> SignInAttempts.Opened<Payload> {
        let now = now
        let found = try await attempts.find(response.state, purpose, at: now, binding: binding)
        try check(found)
        guard let provider = providers.current.provider(found.provider) else {
            throw BrokerError.unknownProvider(found.provider)
        }
        try Self.checkIssuer(response, of: provider, promised: found.upstream?.promisesIssuer == true)
        try await attempts.consume(found, at: now)
        return found
    }

    /// Redeems the answer of a consumed attempt at the provider.
    ///
    /// - Throws: ``BrokerError``.
    func redeem<Payload>(
        _ response: AuthorizationResponse, of attempt: SignInAttempts.Opened<Payload>
    ) async throws -> VerifiedCredential {
        if let error = response.error { throw Self.refusal(error) }
        guard let code = response.code, let upstream = attempt.upstream else {
            throw BrokerError.providerAnswerUnusable("The provider sent the browser back without a code.")
        }
        let appClientID = providers.current.provider(attempt.provider)?.appClientID(at: upstream.redirectURI)
        // The operator may have withdrawn the app's redirect URI meanwhile.
        guard appClientID.map({ [UInt8]($0.utf8) }) == upstream.appClientID.map({ [UInt8]($0.utf8) }) else {
            throw BrokerError.signInAttemptUnknown
        }
        return try await accounts.verify(
            ownCode: Self.credential(code, of: response, upstream), from: attempt.provider)
    }

    /// The code of an answer, with what it is bound to.
    static func credential(
        _ code: String, of response: AuthorizationResponse, _ upstream: SignInAttempts.UpstreamState
    ) -> Credential {
        Credential(
            .authorizationCode(
                .init(
                    code: code, redirectURI: upstream.redirectURI, verifier: upstream.codeVerifier,
                    expectedNonce: upstream.nonce, clientID: upstream.appClientID, callback: response.further)),
            firstTimeProfile: response.firstTimeProfile)
    }

    /// Refuses the answer of another provider than the one that was asked, and an answer without `iss` of a provider that
    /// promised it (RFC 9207 §2.4).
    static func checkIssuer(
        _ response: AuthorizationResponse, of provider: ConfiguredProvider, promised isPromised: Bool
    ) throws(BrokerError) {
        guard let issuer = response.issuer else {
            guard !isPromised else { throw .signInAttemptUnknown }
            return
        }
        let expected = (provider.provider as? any RedirectSignIn)?.authorizationResponseIssuer
        guard let expected, expected.hasSameBytes(as: issuer) else { throw .signInAttemptUnknown }
    }

    /// The error for a provider's error code (RFC 6749 §4.1.2.1). The provider's text is never shown.
    private static func refusal(_ error: String) -> BrokerError {
        switch error {
        // The second one is Apple's.
        case "access_denied", "user_cancelled_authorize": .cancelledAtProvider
        case "temporarily_unavailable", "server_error": .providerUnavailable(retryAfter: nil)
        case "invalid_scope", "unauthorized_client", "unsupported_response_type", "invalid_client":
            .providerMisconfigured
        default: .credentialRejected
        }
    }
}

import BrokerStore
package import Foundation
import ProviderKit

/// Takes back a browser from a provider: finds the attempt, checks who came with it, uses it up, and only then asks the
/// provider whom its code stands for.
package struct FinishRedirect: Sendable {
    let attempts: SignInAttempts
    let proof: FederatedProof
    package let now: @Sendable () -> Date

    /// Finds and uses up the attempt an answer belongs to.
    ///
    /// - Parameters:
    ///   - response: The provider's answer.
    ///   - purpose: The flow that finishes.
    ///   - binding: What the one who came back shows, by the hash of the state.
    ///   - check: What else has to be right before anything is used up, such as the path the answer came by.
    /// - Returns: The attempt, which nobody else can finish any more.
    /// - Throws: ``BrokerError/signInAttemptUnknown``, ``BrokerError/signInAttemptOfAnother``, or what `check` throws;
    ///   then the attempt may still be finished by whom it belongs to.
    func attempt(
        for response: AuthorizationResponse, _ purpose: SignInAttempts.Purpose, binding: ([UInt8]) -> String?,
        check: (SignInAttempts.Opened) throws -> Void = { _ in }
    ) async throws -> SignInAttempts.Opened {
        let now = Timestamp(now())
        let found = try await attempts.find(response.state, purpose, at: now, binding: binding)
        try check(found)
        try checkIssuer(response, of: found)
        try await attempts.consume(found, at: now)
        return found
    }

    /// Asks the provider whom the answer of a used-up attempt stands for.
    ///
    /// - Throws: ``BrokerError``.
    func prove(
        _ response: AuthorizationResponse, of attempt: SignInAttempts.Opened
    ) async throws -> ProvenSource {
        if let error = response.error { throw Self.refusal(error) }
        guard let code = response.code else {
            throw BrokerError.providerAnswerUnusable("The provider sent the browser back without a code.")
        }
        let credential = Credential(
            .authorizationCode(
                .init(
                    code: code, redirectURI: attempt.luggage.redirectURI, verifier: attempt.luggage.codeVerifier,
                    expectedNonce: attempt.luggage.nonce)), firstTimeProfile: response.firstTimeProfile)
        return try await proof.redeem(credential, of: attempt.provider)
    }

    /// An answer of another provider than the one that was asked goes no further, nor does one that does not say whose
    /// it is when the provider always does (RFC 9207 §2.4).
    private func checkIssuer(
        _ response: AuthorizationResponse, of attempt: SignInAttempts.Opened
    ) throws(BrokerError) {
        let id = attempt.provider
        guard let provider = proof.proof.providers.current.provider(id) else { throw .unknownProvider(id) }
        guard let issuer = response.issuer else {
            guard attempt.luggage.promisesIssuer != true else { throw .signInAttemptUnknown }
            return
        }
        let expected = (provider.provider as? any RedirectSignIn)?.authorizationResponseIssuer
        guard let expected, expected.utf8.elementsEqual(issuer.utf8) else { throw .signInAttemptUnknown }
    }

    /// What an error code of a provider comes to (RFC 6749 §4.1.2.1); its text is shown to nobody.
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

import BrokerStore
import Foundation
import OAuth
import ProviderKit

/// A sign-in that an administrator tries: what is sealed while the browser is at the provider.
struct SignInTrial: Codable, Sendable {
    /// The handle of the stored answer, which only the administrator's command has besides.
    let handle: String
    let answersByPost: Bool
}

extension SignInAttempts.Purpose where Payload == SignInTrial {
    /// A tried sign-in; bound to the handle, which is no part of any URL. It ends with the answers of the provider: there
    /// is no user, no session and no token.
    static var trial: Self { Self("trial") }
}

/// A redirect whose answer is only shown.
struct StartedTrial: Sendable {
    /// The URL to open in any browser.
    let authorizationURL: String
    /// The secret with which the outcome is fetched.
    let handle: String
    let expiresAt: Timestamp
}

/// What came of a tried sign-in, with all secrets in it.
struct SignInTrialOutcome: Sendable {
    /// The parameters of the authorization response.
    let response: [(name: String, value: String)]
    /// The answers of the provider.
    let record: UpstreamObservation.Record
    /// What the plugin learned; or why it learned nothing.
    let identity: Result<ExternalIdentity, ProviderError>
    /// The values that only this sign-in has.
    let secrets: [String]
}

extension RedirectContext {
    /// Prepares the redirect of a tried sign-in.
    ///
    /// - Parameter provider: An instance of the entry, which may be disabled.
    /// - Returns: The redirect.
    /// - Throws: As for every redirect to a provider.
    func startTrial(at provider: ConfiguredProvider) async throws -> StartedTrial {
        let handle = RandomText.secret()
        let answersByPost = (provider.provider as? any RedirectSignIn)?.answersByPost ?? false
        let started = try await startRedirect(
            RedirectRequest(
                provider: provider.id,
                redirectURI: ConfiguredProvider.callbackURL(of: provider.id, at: providers.publicURL)),
            to: provider, .trial, binding: handle
        ) { _ in SignInTrial(handle: handle, answersByPost: answersByPost) }
        return StartedTrial(
            authorizationURL: started.authorizationURL, handle: handle,
            expiresAt: now.advanced(by: SignInAttempts.lifetime))
    }

    /// Keeps the answer to a tried sign-in for the administrator's command. The code is not redeemed here.
    ///
    /// - Parameters:
    ///   - form: The answer.
    ///   - state: The state in it.
    ///   - provider: The provider of the path it came by.
    ///   - isPosted: Whether it is the body of a request.
    /// - Throws: ``BrokerError/signInAttemptUnknown``, or a store's error.
    func keepTrialAnswer(_ form: [UInt8], state: String, from provider: String, isPosted: Bool) async throws {
        let trial = try await attempts.open(hash: RandomText.hash(of: state), .trial, at: now).found.payload
        guard trial.answersByPost == isPosted else { throw BrokerError.signInAttemptUnknown }
        try await attempts.storeResponse(form, state: state, from: provider, under: trial.handle, at: now)
    }

    /// Finishes a tried sign-in: redeems the code and shows what came of it. Nothing is stored.
    ///
    /// - Parameters:
    ///   - handle: The secret of the trial.
    ///   - provider: An instance of the entry.
    /// - Returns: The outcome; nil while there is no answer.
    /// - Throws: ``BrokerError/signInAttemptUnknown`` for an answer that another provider gave, or a store's error.
    func finishTrial(_ handle: String, at provider: ConfiguredProvider) async throws -> SignInTrialOutcome? {
        let form: [UInt8]
        do {
            form = try await attempts.response(under: handle, from: provider.id, at: now)
        } catch BrokerError.signInAttemptUnknown {
            return nil
        }
        let parameters = FormEncoding.decode(form) ?? []
        let response = try AuthorizationResponse(parameters)
        let attempt = try await attempts.find(response.state, .trial, at: now) { _ in handle }
        try await attempts.consume(attempt, at: now)
        guard let upstream = attempt.upstream else { throw BrokerError.signInAttemptUnknown }
        let observation = UpstreamObservation(recordsAnswers: true)
        let identity = await observation.watching { await Self.identity(behind: response, upstream, at: provider) }
        return SignInTrialOutcome(
            response: parameters, record: observation.record, identity: identity,
            secrets: [upstream.codeVerifier, upstream.nonce, response.code, response.state, handle].compactMap(\.self))
    }

    private static func identity(
        behind response: AuthorizationResponse, _ upstream: SignInAttempts.UpstreamState,
        at provider: ConfiguredProvider
    ) async -> Result<ExternalIdentity, ProviderError> {
        do {
            try checkIssuer(response, of: provider, promised: upstream.promisesIssuer)
        } catch {
            return .failure(ProviderError(.credential, at: .redeem, "the response has no iss, or another provider's"))
        }
        guard let code = response.code else {
            let fault: ProviderError.Fault = response.error == "access_denied" ? .cancelled : .credential
            return .failure(ProviderError(fault, at: .redeem, "the provider sent the browser back without a code"))
        }
        let credential = credential(code, of: response, upstream)
        guard credential.isWellFormed else {
            return .failure(ProviderError(.credential, at: .redeem, "the code is not printable ASCII, or too long"))
        }
        do {
            return .success(
                try await provider.calls.run(within: .seconds(20)) { try await provider.provider.verify(credential) })
        } catch let error as ProviderError {
            return .failure(error)
        } catch {
            return .failure(ProviderError(.upstream, at: .fetchProfile, "no verdict within 20 s"))
        }
    }
}

package import BrokerStore
import ProviderKit

/// The outcome of a redirect of the hosted pages.
package enum BrowserSignInOutcome: Sendable {
    /// A session of the hosted pages has begun. `linkable` is an identity from before, which the user can link now.
    case signedIn(SessionFacts, linkable: PendingIdentity?)
    /// The email address belongs to a user who has to sign in first: with one of these providers, where the policy
    /// discloses them.
    case needConfirmation(PendingIdentity, providers: [String]?)
    /// An identity for the user of this session.
    case linkRequested(PendingIdentity, SessionFacts)
    /// An identity for the client's user.
    case clientLinkRequested(PendingIdentity, AuthorizationRequest)
    /// An identity for the command with this code.
    case proven(PendingIdentity, userCode: String)
    /// A login to another account of this session's user, or to what was one before a merge.
    case otherLoginProven(ProvenLogin, SessionFacts)
    /// The provider's answer was refused.
    case failed(BrokerError)
}

/// A verified identity that waits behind a pending token.
package struct PendingIdentity: Sendable {
    package let token: String
    package let provider: String
    /// The user's name at the provider.
    package let label: String
    /// When and how the user proved it, as far as the provider says.
    let authentication: UpstreamAuthentication?
}

extension RedirectContext {
    /// Finishes an interaction's redirect: signs the user in at the hosted pages, or returns the verified identity that
    /// the interaction waits for.
    ///
    /// - Parameters:
    ///   - response: The provider's answer.
    ///   - provider: The provider of the path it came by.
    ///   - cookie: The cookie of a redirect, by the hash of its state.
    ///   - current: The browser's session at the hosted pages.
    ///   - origin: The request.
    /// - Returns: The interaction with its outcome.
    /// - Throws: ``BrokerError/signInAttemptUnknown``, ``BrokerError/signInAttemptOfAnother``, when the interaction is not
    ///   known; or a store's error.
    package func finishBrowserSignIn(
        _ response: AuthorizationResponse, by provider: String, cookie: ([UInt8]) -> String?, current: SessionFacts?,
        origin: Origin
    ) async throws -> (interaction: Interaction, outcome: BrowserSignInOutcome) {
        let attempt = try await consumeAttempt(for: response, .browser, binding: cookie) { found in
            guard found.provider.hasSameBytes(as: provider) else { throw BrokerError.signInAttemptUnknown }
        }
        do {
            let credential = try await redeem(response, of: attempt)
            return (attempt.payload, try await outcome(of: credential, attempt, current, origin))
        } catch {
            guard let refusal = RequestAdmission.judge(error) as? BrokerError else { throw error }
            return (attempt.payload, .failed(refusal))
        }
    }

    private func outcome(
        of credential: VerifiedCredential, _ attempt: SignInAttempts.Opened<Interaction>, _ current: SessionFacts?,
        _ origin: Origin
    ) async throws -> BrowserSignInOutcome {
        let interaction = attempt.payload
        switch (interaction.goal, interaction.continuation) {
        case (.signIn, _), (.reauthenticate, _):
            return try await begin(credential, attempt, replacing: current, origin)
        case (.link, _):
            // The session that started it: another one may have begun meanwhile (security §5.2).
            guard let current, current.session.id == interaction.sessionID else {
                throw BrokerError.signInAttemptOfAnother
            }
            return .linkRequested(try await pending(credential), current)
        case (.merge, _):
            guard let current, current.session.id == interaction.sessionID else {
                throw BrokerError.signInAttemptOfAnother
            }
            return .otherLoginProven(try await accounts.proveLogin(credential, origin: origin), current)
        case (.linkForClient, .authorize(let request)):
            return .clientLinkRequested(try await pending(credential), request)
        case (.prove, .device(let userCode)): return .proven(try await pending(credential), userCode: userCode)
        case (.linkForClient, _), (.prove, _): throw BrokerError.signInAttemptUnknown
        }
    }

    private func begin(
        _ credential: VerifiedCredential, _ attempt: SignInAttempts.Opened<Interaction>,
        replacing current: SessionFacts?, _ origin: Origin
    ) async throws -> BrowserSignInOutcome {
        let interaction = attempt.payload
        let outcome = try await accounts.signIn(
            credential, createsUser: interaction.goal == .signIn,
            as: shape(credential, startedAt: attempt.startedAt, replacing: current?.session),
            onlyUser: interaction.expectedUser, origin: origin)
        switch outcome {
        case .signedIn(let facts, _):
            return .signedIn(facts, linkable: try await linkable(interaction.pendingToken, at: facts.session.createdAt))
        case .needConfirmation(let holder, _):
            let token = try await accounts.pendingTokens.token(for: credential, at: now)
            return .needConfirmation(.init(credential.evidence, token: token), providers: holder?.providers)
        case .refused(let error): throw error
        }
    }

    /// A session of the hosted pages, with what the provider says of the login.
    private func shape(
        _ credential: VerifiedCredential, startedAt: Timestamp, replacing earlier: Session?
    ) -> SessionShape {
        var shape = credential.sessionShape(.web)
        shape.replaces = earlier
        if let time = credential.authentication?.time, time >= startedAt.seconds - TokenRules.clockSkew {
            // RFC 8176 §2: the provider saw the user act after this redirect.
            shape.authenticationMethods?.insert("user", at: 1)
        }
        return shape
    }

    private func pending(_ credential: VerifiedCredential) async throws -> PendingIdentity {
        let token = try await accounts.pendingTokens.token(for: credential, at: now)
        return PendingIdentity(credential.evidence, token: token, credential.authentication)
    }

    /// The identity behind a pending token, unless it was consumed or has expired meanwhile.
    private func linkable(_ token: String?, at now: Timestamp) async throws -> PendingIdentity? {
        guard let token else { return nil }
        do {
            return PendingIdentity(try await accounts.pendingTokens.open(token, at: now).evidence, token: token)
        } catch BrokerError.invalidPendingToken {
            return nil
        }
    }
}

extension PendingIdentity {
    fileprivate init(_ evidence: Evidence, token: String, _ authentication: UpstreamAuthentication? = nil) {
        self.token = token
        self.authentication = authentication
        provider = evidence.key.provider
        label = evidence.screenName ?? evidence.displayName ?? evidence.email?.address.value ?? evidence.key.subject
    }
}

package import BrokerStore
import Foundation
import ProviderKit

/// Takes back a browser that left the hosted pages for a provider: signs its person in there, or says what is to be asked
/// before anything is written.
package struct FinishBrowserSignIn: Sendable {
    let finish: FinishRedirect
    let signIn: SignIn
    let store: Store
    let writer: IdentityWriter

    /// What came of it.
    package enum Outcome: Sendable {
        /// A session of the hosted pages has begun. With a token there is an identity the person wanted to come in with
        /// before, and can link now.
        case signedIn(SessionFacts, linkable: PendingIdentity?)
        /// The address belongs to an account that has to be proven first: by one of these providers, where the policy
        /// tells.
        case needConfirmation(PendingIdentity, providers: [String]?)
        /// The person is to confirm what is to be linked.
        case confirmLink(PendingIdentity)
        /// An app's code is to carry the identity.
        case linkForClient(PendingIdentity)
        /// Somebody waits at a terminal for it.
        case proven(PendingIdentity)
    }

    /// An identity that waits behind a token, with what to call it.
    package struct PendingIdentity: Sendable {
        package let token: String
        package let provider: String
        /// What the person is called there.
        package let label: String
        /// When and how they proved it, as far as the provider says.
        let authentication: UpstreamAuthentication?
    }

    /// A browser that is back: what it had set out for, and what came of it. An error is told where the browser goes on.
    package struct Return: Sendable {
        package let request: BrowserRequest
        package let provider: String
        package let result: Result<Outcome, any Error>
    }

    /// - Parameters:
    ///   - response: What the provider says through the browser.
    ///   - provider: By whose path it came.
    ///   - cookie: The flow cookie for a state's hash.
    ///   - current: The browser's session at the hosted pages.
    ///   - origin: Who asks.
    /// - Returns: What the browser had set out for, and what came of it.
    /// - Throws: ``BrokerError/signInAttemptUnknown``, ``BrokerError/signInAttemptOfAnother``: then it is not known what
    ///   the browser had set out for.
    package func callAsFunction(
        _ response: AuthorizationResponse, by provider: String, cookie: ([UInt8]) -> String?, current: SessionFacts?,
        origin: Origin
    ) async throws -> Return {
        let attempt = try await finish.attempt(for: response, .browser, binding: cookie) { found in
            guard found.provider.utf8.elementsEqual(provider.utf8) else { throw BrokerError.signInAttemptUnknown }
        }
        let request = try attempt.request(BrowserRequest.self)
        do {
            let proven = try await finish.prove(response, of: attempt)
            let outcome = try await outcome(of: proven, request, attempt, current, origin)
            return Return(request: request, provider: attempt.provider, result: .success(outcome))
        } catch {
            return Return(request: request, provider: attempt.provider, result: .failure(error))
        }
    }

    private func outcome(
        of proven: ProvenSource, _ request: BrowserRequest, _ attempt: SignInAttempts.Opened, _ current: SessionFacts?,
        _ origin: Origin
    ) async throws -> Outcome {
        switch request.intent {
        case .signIn, .reauthenticate:
            return try await begin(proven, request, attempt, replacing: current, origin)
        case .link:
            // Whoever started it is still the one who is there (security §5.2): another session may have begun meanwhile.
            guard let current, current.session.id == request.sessionID else { throw BrokerError.signInAttemptOfAnother }
            return .confirmLink(try await pending(proven))
        case .linkForClient: return .linkForClient(try await pending(proven))
        case .prove: return .proven(try await pending(proven))
        }
    }

    private func begin(
        _ proven: ProvenSource, _ request: BrowserRequest, _ attempt: SignInAttempts.Opened,
        replacing current: SessionFacts?, _ origin: Origin
    ) async throws -> Outcome {
        let (applied, fresh) = try await signIn.resolve(
            proven, createsUser: request.intent == .signIn,
            as: shape(proven, startedAt: attempt.startedAt, replacing: current?.session), only: request.localID,
            origin: origin)
        switch applied {
        case .signedIn(let facts, _, _), .linked(let facts):
            return .signedIn(facts, linkable: try await linkable(request.pendingToken, at: fresh.now))
        case .needConfirmation(let holder, _):
            let token = try await writer.pendingToken(for: proven, at: fresh.now)
            return .needConfirmation(.init(proven.evidence, token: token), providers: holder?.providers)
        case .refused(let error): throw error
        }
    }

    /// A session of the hosted pages, with what is really known of how its person proved who they are.
    private func shape(
        _ proven: ProvenSource, startedAt: Timestamp, replacing earlier: Session?
    ) -> SessionShape {
        var shape = proven.shape(.web)
        shape.replaces = earlier
        if let time = proven.authentication?.time, time >= startedAt.seconds - TokenRules.clockSkew {
            // RFC 8176 §2: the provider saw the person act after this trip began.
            shape.authenticationMethods?.insert("user", at: 1)
        }
        return shape
    }

    private func pending(_ proven: ProvenSource) async throws -> PendingIdentity {
        let token = try await writer.pendingToken(for: proven, at: Timestamp(finish.now()))
        return PendingIdentity(proven.evidence, token: token, proven.authentication)
    }

    /// The identity of an earlier trip, unless it was used or has expired meanwhile.
    private func linkable(_ token: String?, at now: Timestamp) async throws -> PendingIdentity? {
        guard let token else { return nil }
        do {
            return PendingIdentity(
                try await writer.pendingTokens.evidence(behind: token, at: now).evidence, token: token)
        } catch BrokerError.invalidPendingToken {
            return nil
        }
    }
}

extension FinishBrowserSignIn.PendingIdentity {
    init(_ evidence: Evidence, token: String, _ authentication: UpstreamAuthentication? = nil) {
        self.token = token
        self.authentication = authentication
        provider = evidence.key.provider
        label = evidence.screenName ?? evidence.displayName ?? evidence.email?.address.value ?? evidence.key.subject
    }
}

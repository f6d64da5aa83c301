import Foundation
import Locks
import StrictJSON

/// The receiver of the pending request's redirect, from the presenter or from the app, whichever is first. Also the
/// rule that one sign-in is under way at a time.
final class RedirectReceiver: Sendable {
    private typealias Outcome = Result<URL, BrokerAuthError>

    private struct Expectation {
        let redirectURI: RedirectURI
        let state: String
        var outcome: Outcome?
        var continuation: CheckedContinuation<Outcome, Never>?
    }

    private struct State {
        var isBusy = false
        var expectation: Expectation?
    }

    private let state = Mutex(State())

    /// Begins a sign-in.
    ///
    /// - Throws: ``BrokerAuthError/alreadyInProgress``.
    func begin() throws(BrokerAuthError) {
        let wasBusy = state.withLock { state in
            defer { state.isBusy = true }
            return state.isBusy
        }
        if wasBusy { throw .alreadyInProgress }
    }

    /// Whether a sign-in may begin, for what comes before it.
    ///
    /// - Throws: ``BrokerAuthError/alreadyInProgress``.
    func checkIdle() throws(BrokerAuthError) {
        if state.withLock({ $0.isBusy }) { throw .alreadyInProgress }
    }

    /// Ends the sign-in.
    func end() { state.withLock { $0 = State() } }

    /// Expects the redirect of a request from now on.
    func expect(_ redirectURI: RedirectURI, state sentState: String) {
        state.withLock { $0.expectation = Expectation(redirectURI: redirectURI, state: sentState) }
    }

    /// Takes a redirect. Only the first one counts. One that is not the answer to the request changes nothing: any page
    /// and any app can make one.
    ///
    /// - Throws: ``BrokerAuthError/noPendingRequest``, ``BrokerAuthError/unexpectedRedirect``,
    ///   ``BrokerAuthError/stateMismatch``.
    func deliver(_ url: URL) throws(BrokerAuthError) {
        let expected = state.withLock { $0.expectation.map { ($0.redirectURI, $0.state) } }
        guard let (redirectURI, sentState) = expected else { throw .noPendingRequest }
        guard redirectURI.matches(url) else { throw .unexpectedRedirect }
        guard AuthorizationResponse.state(of: url)?.hasSameBytes(as: sentState) == true else { throw .stateMismatch }
        finish(.success(url))
    }

    /// Ends the wait with an error, unless a redirect has arrived.
    func fail(_ error: BrokerAuthError) { finish(.failure(error)) }

    private func finish(_ outcome: Outcome) {
        let continuation = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
            guard state.expectation != nil, state.expectation?.outcome == nil else { return nil }
            state.expectation?.outcome = outcome
            defer { state.expectation?.continuation = nil }
            return state.expectation?.continuation
        }
        continuation?.resume(returning: outcome)
    }

    /// Waits for the redirect.
    func redirect() async throws(BrokerAuthError) -> URL {
        let outcome = await withCheckedContinuation { (continuation: CheckedContinuation<Outcome, Never>) in
            let known = state.withLock { state -> Outcome? in
                guard let outcome = state.expectation?.outcome else {
                    state.expectation?.continuation = continuation
                    return state.expectation == nil ? .failure(.noPendingRequest) : nil
                }
                return outcome
            }
            if let known { continuation.resume(returning: known) }
        }
        return try outcome.get()
    }
}

import ProviderKit
import Synchronization

/// One proof in progress: lets the core act on an ID token the moment it is verified, before anything else can fail.
final class SignInScope: Sendable {
    /// The proof the current task works on.
    @TaskLocal static var current: SignInScope?

    private struct State {
        var token: VerifiedIDToken?
        var failure: (any Error)?
    }

    private let state = Mutex(State())
    private let onVerified: @Sendable (VerifiedIDToken) async throws -> Void

    /// A proof whose first verified token is given to `onVerified` before the plugin has it.
    init(onVerified: @escaping @Sendable (VerifiedIDToken) async throws -> Void) {
        self.onVerified = onVerified
    }

    /// The first ID token that was verified.
    var token: VerifiedIDToken? { state.withLock { $0.token } }
    /// Why it could not be acted on.
    var failure: (any Error)? { state.withLock { $0.failure } }

    /// - Throws: ``ProviderError`` with fault ``ProviderError/Fault/upstream`` when it could not be acted on: the person
    ///   signs in again later rather than losing what is told only once.
    func verified(_ token: VerifiedIDToken) async throws(ProviderError) {
        guard self.token == nil else { return }
        do {
            try await onVerified(token)
            state.withLock { $0.token = token }
        } catch {
            state.withLock { $0.failure = error }
            throw ProviderError(.upstream, at: .verifyIDToken, "what came with the ID token could not be kept")
        }
    }
}

import ProviderKit
import Synchronization

/// One verification in progress: lets the core act on an ID token the moment it is verified, before anything else can
/// fail.
final class SignInScope: Sendable {
    /// The verification the current task works on.
    @TaskLocal static var current: SignInScope?

    private struct State {
        var token: VerifiedIDToken?
        var failure: (any Error)?
    }

    private let state = Mutex(State())
    private let onVerified: @Sendable (VerifiedIDToken) async throws -> Void

    /// A verification whose first verified token is given to `onVerified` before the plugin has it.
    init(onVerified: @escaping @Sendable (VerifiedIDToken) async throws -> Void) {
        self.onVerified = onVerified
    }

    /// The first ID token that was verified.
    var token: VerifiedIDToken? { state.withLock { $0.token } }
    /// The error of acting on it.
    var failure: (any Error)? { state.withLock { $0.failure } }

    /// - Throws: ``ProviderError`` with fault ``ProviderError/Fault/upstream`` when it could not be acted on: the user
    ///   signs in again later, and the first-time profile is not lost.
    func verified(_ token: VerifiedIDToken) async throws(ProviderError) {
        guard self.token == nil else { return }
        do {
            try await onVerified(token)
            state.withLock { $0.token = token }
        } catch {
            state.withLock { $0.failure = error }
            throw ProviderError(.upstream, at: .verifyIDToken, "the first-time profile could not be stored")
        }
    }
}

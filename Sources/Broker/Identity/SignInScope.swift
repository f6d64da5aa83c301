import ProviderKit

/// One proof in progress: lets the core act on an ID token the moment it is verified, before anything else can fail.
struct SignInScope: Sendable {
    /// The proof the current task works on.
    @TaskLocal static var current: SignInScope?

    /// What happens first with a verified token.
    let onVerified: @Sendable (VerifiedIDToken) async throws -> Void

    /// - Throws: ``ProviderError`` with fault ``ProviderError/Fault/upstream`` when it could not be acted on: the person
    ///   signs in again later rather than losing what is told only once.
    func verified(_ token: VerifiedIDToken) async throws(ProviderError) {
        do {
            try await onVerified(token)
        } catch {
            throw ProviderError(.upstream, at: .verifyIDToken, "what came with the ID token could not be kept")
        }
    }
}

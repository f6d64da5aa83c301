package import ProviderKit

extension ProviderError {
    /// Maps a token's fault to the party that has to act.
    package init(_ error: JOSEError, of token: String = "the ID token", at step: Step = .verifyIDToken) {
        switch error.kind {
        case .wrongNonce: self.init(.nonce, at: step, error.reason)
        case .malformedKey, .unsupportedKey:
            self.init(.upstream, at: step, "the provider's keys cannot be used: \(error.reason)")
        case .unusableKey: self.init(.configuration, at: .configure, error.reason)
        default: self.init(.credential, at: step, "\(token) is refused: \(error)")
        }
    }
}

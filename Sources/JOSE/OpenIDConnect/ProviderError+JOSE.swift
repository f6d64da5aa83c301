package import ProviderKit

extension ProviderError {
    /// Maps an ID token's fault to the party that has to act.
    package init(_ error: JOSEError) {
        switch error.kind {
        case .wrongNonce: self.init(.nonce, at: .verifyIDToken, error.reason)
        case .malformedKey, .unsupportedKey:
            self.init(.upstream, at: .verifyIDToken, "the provider's keys cannot be used: \(error.reason)")
        case .unusableKey: self.init(.configuration, at: .configure, error.reason)
        default: self.init(.credential, at: .verifyIDToken, "the ID token is refused: \(error)")
        }
    }
}

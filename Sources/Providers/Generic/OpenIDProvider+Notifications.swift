public import ProviderKit

/// Logout tokens, where the options accept them.
extension OpenIDProvider: ProviderNotifications {
    public var acceptsNotifications: Bool { settings.acceptsLogout }

    public func verify(_ message: ProviderMessage) async throws(ProviderError) -> VerifiedProviderMessage {
        guard settings.acceptsLogout, BackChannelLogout.isLogout(message) else {
            throw ProviderError(.credential, at: .verifyNotification, "the message is not a logout token's form")
        }
        let endpoints = try await discovery.configuration()
        return try await BackChannelLogout.verify(
            message, by: policy(for: settings.audiences, at: endpoints), with: context.tokens)
    }
}

import Foundation

/// The receiver of logout tokens (OpenID Connect Back-Channel Logout 1.0).
public enum BackChannelLogout {
    /// The event that a logout token must have (§2.4).
    private static let event = "http://schemas.openid.net/event/backchannel-logout"
    /// The maximum age of a logout token in seconds, which providers issue for a single delivery.
    private static let maximumAge = 600

    /// Whether a message is a form with a logout token (§2.5).
    public static func isLogout(_ message: ProviderMessage) -> Bool {
        let type = message.header("Content-Type")?.prefix { $0 != ";" } ?? ""
        return type.trimmingCharacters(in: .whitespaces).lowercased() == "application/x-www-form-urlencoded"
    }

    /// Verifies the logout token of a message (§2.6).
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - policy: The rules for the provider's ID tokens: issuers, audiences, algorithms and keys are the same.
    ///   - tokens: The service that verifies it.
    /// - Returns: The message with one event.
    /// - Throws: ``ProviderError``.
    public static func verify(
        _ message: ProviderMessage, by policy: IDTokenPolicy, with tokens: any TokenService
    ) async throws(ProviderError) -> VerifiedProviderMessage {
        let fields = FormEncoding.decode(message.body)?.filter { $0.name == "logout_token" } ?? []
        guard fields.count == 1 else { throw refusal("the form has no single logout_token") }
        var policy = policy
        policy.types = ["logout+jwt", "application/logout+jwt", "JWT"]
        policy.maximumAge = maximumAge
        let token = try await tokens.verify(securityEvent: fields[0].value, by: policy)
        guard token.claims["events"]?.object?[event]?.object != nil else {
            throw refusal("the token is no logout token")
        }
        let (subject, session) = (try text("sub", in: token), try text("sid", in: token))
        guard subject != nil || session != nil else { throw refusal("the logout token has neither sub nor sid") }
        return VerifiedProviderMessage([
            ProviderEvent(
                id: token.id, .loggedOut(session: session), subject: subject, occurredAt: token.issuedAt,
                expiresAt: token.expiresAt)
        ])
    }

    private static func text(
        _ name: String, in token: VerifiedSecurityEvent
    ) throws(ProviderError) -> String? {
        guard let value = token.claims[name] else { return nil }
        guard let text = value.string, (1...255).contains(text.utf8.count) else {
            throw refusal("\(name) is not a text of 1 to 255 bytes")
        }
        return text
    }

    private static func refusal(_ reason: String) -> ProviderError {
        ProviderError(.credential, at: .verifyNotification, reason)
    }
}

import Foundation
public import ProviderKit

/// Apple's server-to-server notifications ("Processing changes for Sign in with Apple accounts").
extension AppleProvider: ProviderNotifications {
    /// Every entry has an endpoint: Apple requires one of developers in South Korea.
    public var acceptsNotifications: Bool { true }

    /// Verifies a notification like an ID token of one of our clients.
    public func verify(_ message: ProviderMessage) async throws(ProviderError) -> VerifiedProviderMessage {
        guard let payload = (try? JSONValue(parsing: message.body))?["payload"]?.string else {
            throw Self.refusal("the notification is not an object with a payload")
        }
        let token = try await context.tokens.verify(securityEvent: payload, by: policy(for: clientIDs))
        return VerifiedProviderMessage([try Self.event(in: token)])
    }

    private static func event(in token: VerifiedSecurityEvent) throws(ProviderError) -> ProviderEvent {
        guard let event = events(of: token.claims), let type = event["type"]?.string else {
            throw refusal("events has no type")
        }
        let kind: ProviderEvent.Kind =
            switch type {
            case "email-disabled": .mailForwarding(isEnabled: false)
            case "email-enabled": .mailForwarding(isEnabled: true)
            case "consent-revoked": .consentRevoked
            // Apple sends the first spelling and documents the second.
            case "account-delete", "account-deleted": .accountDeleted(removalDelay: 0)
            default: .unknown(type)
            }
        guard let subject = event["sub"]?.string, (1...255).contains(subject.utf8.count) else {
            guard case .unknown = kind else { throw refusal("events has no sub") }
            return ProviderEvent(id: token.id, kind, occurredAt: token.issuedAt, expiresAt: token.expiresAt)
        }
        return ProviderEvent(
            id: token.id, kind, subject: subject, occurredAt: try time(of: event) ?? token.issuedAt,
            expiresAt: token.expiresAt)
    }

    /// Apple encodes the member twice: it is a string of JSON. Its documentation shows an object.
    private static func events(of claims: JSONObject) -> JSONObject? {
        guard let text = claims["events"]?.string else { return claims["events"]?.object }
        return (try? JSONValue(parsing: Array(text.utf8)))?.object
    }

    /// `event_time` in milliseconds since 1970.
    private static func time(of event: JSONObject) throws(ProviderError) -> Date? {
        guard let value = event["event_time"] else { return nil }
        guard let milliseconds = value.integer, plausible.contains(milliseconds) else {
            throw refusal("event_time is not in milliseconds since 1970")
        }
        return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    /// The years 2000 to 2100, so that seconds are not taken for milliseconds.
    private static let plausible: ClosedRange<Int64> = 946_684_800_000...4_102_444_800_000

    private static func refusal(_ reason: String) -> ProviderError {
        ProviderError(.credential, at: .verifyNotification, reason)
    }
}

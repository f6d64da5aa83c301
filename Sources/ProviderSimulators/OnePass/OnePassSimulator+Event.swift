public import Foundation
import ProviderKit

extension OnePassSimulator {
    /// The types of 1Pass's events.
    public enum EventType: String, Sendable, Hashable, CaseIterable {
        /// An account was closed.
        case userDeleted = "user.deleted"
        /// A person took the application off their list.
        case userUnlinked = "user.unlinked"
        /// A person withdrew their consent.
        case consentRevoked = "consent.revoked"
        /// A token ended early.
        case tokenRevoked = "token.revoked"
        /// One account went into another.
        case userMerged = "user.merged"
        /// All grants of a user were revoked.
        case userGrantsRevoked = "user.grants_revoked"
        /// A webhook key is no longer to be trusted.
        case webhookKeyCompromised = "webhook_key.compromised"

        /// Whether webhooks about it carry the newer signature, with key name and time in one field.
        public var hasKeyedSignature: Bool {
            switch self {
            case .userMerged, .userGrantsRevoked, .webhookKeyCompromised: true
            case .userDeleted, .userUnlinked, .consentRevoked, .tokenRevoked: false
            }
        }
    }

    /// Something one application is told, signed when it happened: every delivery repeats it byte for byte.
    public struct Event: Sendable, Hashable {
        /// The name deliveries are recognised by.
        public let id: String
        /// The type.
        public let type: EventType
        /// The client that the event is for.
        public let clientID: String
        /// When it happened.
        public let occurredAt: Date
        /// The body of the webhook, in canonical form (RFC 8785: names sorted, no white space).
        public let body: String
        /// The header fields of the webhook, the signature among them.
        public let headers: [RecordedRequest.Header]

        /// The event as polling shows it.
        var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }
    }
}

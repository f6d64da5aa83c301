public import Foundation

/// A provider that sends messages about its users: server-to-server notifications, webhooks or logout tokens.
///
/// The broker receives them at `POST /v1/broker/providers/<id>/notifications`, applies each event once, and answers after
/// the commit. A message never signs a user in.
public protocol ProviderNotifications: IdentityProvider {
    /// Whether the options of this instance accept messages; the broker answers 404 otherwise.
    var acceptsNotifications: Bool { get }

    /// Verifies a message and reads its events.
    ///
    /// - Throws: ``ProviderError`` with fault ``ProviderError/Fault/credential`` for a message that is malformed, not
    ///   authentic or for another client, ``ProviderError/Fault/upstream`` when the provider's keys cannot be loaded: the
    ///   provider then sends the message again.
    func verify(_ message: ProviderMessage) async throws(ProviderError) -> VerifiedProviderMessage
}

/// A provider whose events can be requested, for brokers that missed a message.
public protocol ProviderEventFeed: IdentityProvider {
    /// Seconds between two requests; `nil` when the options of this instance request none.
    var eventPollInterval: Int? { get }

    /// Requests the events that follow a cursor.
    ///
    /// - Parameter cursor: The ``ProviderEventPage/cursor`` of the previous page; `nil` for the first one.
    /// - Returns: The next page.
    /// - Throws: ``ProviderError``.
    func events(after cursor: String?) async throws(ProviderError) -> ProviderEventPage
}

/// An HTTP message from a provider, unverified.
public struct ProviderMessage: Sendable {
    /// The header fields, in order.
    public let headers: [(name: String, value: String)]
    /// The body, unchanged: signatures cover its bytes.
    public let body: [UInt8]

    /// Makes a message from the request's header fields and body.
    public init(headers: [(name: String, value: String)], body: [UInt8]) {
        self.headers = headers
        self.body = body
    }

    /// The value of a header field, in any case; `nil` unless it occurs exactly once.
    public func header(_ name: String) -> String? {
        let values = headers.filter { $0.name.lowercased() == name.lowercased() }
        return values.count == 1 ? values[0].value : nil
    }
}

/// A message whose signature was verified.
public struct VerifiedProviderMessage: Sendable {
    /// The events, in order.
    public let events: [ProviderEvent]
    /// The name of the shared key that signed the message. The broker refuses it after
    /// ``ProviderEvent/Kind/signingKeyCompromised(keyID:)``.
    public let keyID: String?

    /// Makes the result of a verification.
    public init(_ events: [ProviderEvent], keyID: String? = nil) {
        self.events = events
        self.keyID = keyID
    }
}

/// A page of a provider's events.
public struct ProviderEventPage: Sendable {
    /// The events, oldest first.
    public let events: [ProviderEvent]
    /// The number of entries that could not be read; the log names it.
    public let unreadable: Int
    /// The cursor of the next page; at most 1024 bytes.
    public let cursor: String
    /// Whether the next page has events already.
    public let hasMore: Bool

    /// Makes a page.
    public init(_ events: [ProviderEvent], unreadable: Int = 0, cursor: String, hasMore: Bool) {
        self.events = events
        self.unreadable = unreadable
        self.cursor = cursor
        self.hasMore = hasMore
    }
}

/// A change that a provider reports about a user, or about its own keys.
public struct ProviderEvent: Sendable, Hashable {
    /// The change.
    public enum Kind: Sendable, Hashable {
        /// The provider stopped or resumed forwarding mail to the user's relay address.
        case mailForwarding(isEnabled: Bool)
        /// The user withdrew consent: the tokens are revoked, and the next sign-in asks for consent again.
        case consentRevoked
        /// All tokens of the user were revoked; consent stays.
        case grantsRevoked
        /// An access token was revoked before its expiry; the refresh token may still be valid.
        case accessTokenRevoked
        /// The account was deleted. It cannot return after `removalDelay` seconds; zero removes the identity at once.
        case accountDeleted(removalDelay: Int)
        /// Accounts were merged; the event's subject is the survivor.
        case accountsMerged(ExternalIdentity.Merge)
        /// The user logged out: of one of the provider's sessions (`sid`), or of all when it is absent.
        case loggedOut(session: String?)
        /// A shared signature key is compromised: the broker refuses messages that it signed.
        case signingKeyCompromised(keyID: String)
        /// A type that the plugin does not know.
        case unknown(String)
    }

    /// The sender's id of the event: a second event with the same id has no effect. 1 to 255 bytes.
    public let id: String
    /// The change.
    public let kind: Kind
    /// The user's subject; absent for events about no user.
    public let subject: String?
    /// The time of the change, by the provider's clock. Older events than the user's last sign-in withdraw nothing.
    public let occurredAt: Date
    /// The time from which on the message cannot be verified any more; `nil` when it never expires.
    public let expiresAt: Date?

    /// Makes an event.
    public init(id: String, _ kind: Kind, subject: String? = nil, occurredAt: Date, expiresAt: Date? = nil) {
        self.id = id
        self.kind = kind
        self.subject = subject
        self.occurredAt = occurredAt
        self.expiresAt = expiresAt
    }
}

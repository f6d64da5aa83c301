public import Foundation
import ProviderKit
public import ProviderKitTesting

extension AppleSimulator {
    /// An event that Apple notifies a team's server of.
    public enum Event: String, Sendable, Hashable, CaseIterable {
        case emailDisabled = "email-disabled"
        case emailEnabled = "email-enabled"
        case consentRevoked = "consent-revoked"
        /// The event's name in Apple's messages.
        case accountDelete = "account-delete"
        /// The event's name in Apple's documentation.
        case accountDeleted = "account-deleted"
    }

    /// How a notification differs from an ordinary one.
    public struct NotificationOptions: Sendable {
        /// Another client's ID; the application's own when `nil`.
        public var audience: String?
        /// When the event happened; now when `nil`. Notifications may arrive out of order.
        public var time: Date?
        /// Whether `events` is a text that is JSON, as Apple has it, or plain JSON, as its documentation suggests.
        public var encodesEventsTwice: Bool
        /// The defect of the signed token.
        public var forgery: IDTokenForgery?

        /// Describes a notification; an ordinary one unless told otherwise.
        public init(
            audience: String? = nil, time: Date? = nil, encodesEventsTwice: Bool = true,
            forgery: IDTokenForgery? = nil
        ) {
            self.audience = audience
            self.time = time
            self.encodesEventsTwice = encodesEventsTwice
            self.forgery = forgery
        }
    }

    /// A notification to a team's server.
    public struct Notification: Sendable, Hashable {
        /// The notification's identifier (`jti`); a second delivery has the same.
        public let id: String
        /// The signed token.
        public let payload: String

        /// The JSON document that is posted.
        public var body: String { JSONValue.object(["payload": .string(payload)]).serialized() }
    }

    /// Makes a notification. Sending it more than once is a duplicate.
    public func notification(
        _ event: Event, about person: Person, application: Application, _ options: NotificationOptions = .init()
    ) -> Notification {
        notification(type: event.rawValue, about: person, application: application, options)
    }

    /// Makes a notification of any type, such as one that Apple adds one day.
    public func notification(
        type: String, about person: Person, application: Application, _ options: NotificationOptions = .init()
    ) -> Notification {
        core.withState { $0.notification(type, about: person, application.clientID, options) }
    }

    /// Posts a notification to a server on this machine.
    ///
    /// - Returns: The status it answered with; `nil` when there was no answer.
    public func send(_ notification: Notification, to url: String) async -> Int? {
        await Delivery(
            url: url, headers: [("content-type", "application/json")], body: Array(notification.body.utf8)
        ).send()
    }
}

extension AppleState {
    /// A signed notification. Unlike an ID token it has `events`, a text that is JSON itself.
    mutating func notification(
        _ type: String, about person: Person, _ clientID: String,
        _ options: AppleSimulator.NotificationOptions
    ) -> AppleSimulator.Notification {
        let id = RandomText.alphanumeric(22)
        let account = account(key(person.id, clientID))
        var details: JSONObject = [
            "type": .string(type), "sub": .string(account.subject),
            "event_time": .integer((options.time ?? now).epochSeconds &* 1000),
        ]
        if [AppleSimulator.Event.emailEnabled, .emailDisabled].map(\.rawValue).contains(type) {
            details["email"] = .string(account.relayAddress)
            details["is_private_email"] = behaviour.booleans.value(true)
        }
        let claims: JSONObject = [
            "iss": .string(issuer), "aud": .string(options.audience ?? clientID),
            "iat": .integer(now.epochSeconds), "exp": .integer(now.epochSeconds + 86_400), "jti": .string(id),
            "events": options.encodesEventsTwice ? .string(details.serialized()) : .object(details),
        ]
        let payload = memory.mint.keys.token(claims, type: nil, forging: options.forgery, now: now)
        return AppleSimulator.Notification(id: id, payload: payload)
    }
}

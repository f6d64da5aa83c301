import BrokerStore
package import ProviderKit

/// `webhooks.list`: the webhooks, without their secrets.
package struct ListWebhooks: AdminOperation {
    package static let name = "webhooks.list"
    package static let summary = "Lists webhooks, the oldest first."
    package static let scope: AdminScope? = .readEvents

    package struct Answer: Codable, Sendable {
        package let webhooks: [JSONObject]
    }

    package init() {}

    package func run(for call: AdminCall) async throws -> Answer {
        Answer(webhooks: try await call.admin.outbox.events.webhooks.list().map(\.document))
    }
}

/// A webhook with a secret that is shown once.
package struct WebhookWithSecret: Codable, Sendable {
    package let webhook: JSONObject
    package let secret: String
}

/// `webhooks.add`: adds a webhook.
package struct AddWebhook: AdminOperation {
    package static let name = "webhooks.add"
    package static let summary = "Adds a webhook, and returns its secret once."
    package static let scope: AdminScope? = .writeEvents
    package typealias Answer = WebhookWithSecret

    /// The URL that messages are posted to.
    let url: String
    /// The types of events it gets; every type when there are none.
    let events: [String]?

    package init(url: String, events: [String]) {
        self.url = url
        self.events = events.isEmpty ? nil : events
    }

    package func run(for call: AdminCall) async throws -> WebhookWithSecret {
        do {
            let added = try await call.admin.outbox.events.webhooks.add(
                url: url, events: events ?? [], origin: call.origin)
            return WebhookWithSecret(webhook: added.webhook.document, secret: added.secret.text)
        } catch let refusal as Webhooks.Refusal {
            switch refusal {
            case .invalidURL(let reason): throw AdminFailure.parameter("url", "cannot be used: \(reason)")
            case .unknownEvent(let name):
                let types = UserEvent.Kind.allCases.map(\.rawValue).joined(separator: ", ")
                throw AdminFailure.parameter(
                    "events", "has no type \(name.debugDescription): the types are \(types), and * for all")
            case .tooMany:
                throw AdminFailure(
                    code: "TOO_MANY_WEBHOOKS", "there are \(Webhooks.maximum) webhooks already: remove one first")
            }
        }
    }
}

/// `webhooks.remove`: removes a webhook.
package struct RemoveWebhook: AdminOperation {
    package static let name = "webhooks.remove"
    package static let summary = "Removes a webhook and drops its queued messages."
    package static let scope: AdminScope? = .writeEvents

    /// The webhook's id.
    let webhook: String

    package struct Answer: Codable, Sendable {
        package let removed: String
    }

    package init(webhook: String) {
        self.webhook = webhook
    }

    package func run(for call: AdminCall) async throws -> Answer {
        guard try await call.admin.outbox.events.webhooks.remove(webhook, origin: call.origin) else {
            throw AdminFailure.webhookNotFound
        }
        return Answer(removed: webhook)
    }
}

/// `webhooks.rotate-secret`: rotates the secret of a webhook.
package struct RotateWebhookSecret: AdminOperation {
    package static let name = "webhooks.rotate-secret"
    package static let summary = "Rotates a webhook's secret. The old one signs for 24 hours more, or ends now."
    package static let scope: AdminScope? = .writeEvents
    package typealias Answer = WebhookWithSecret

    /// The webhook's id.
    let webhook: String
    /// Whether the old secret signs no more at once.
    let now: Bool?

    package init(webhook: String, now: Bool) {
        self.webhook = webhook
        self.now = now
    }

    package func run(for call: AdminCall) async throws -> WebhookWithSecret {
        let rotated = try await call.admin.outbox.events.webhooks.rotateSecret(
            of: webhook, endingPrevious: now ?? false, origin: call.origin)
        guard let rotated else { throw AdminFailure.webhookNotFound }
        return WebhookWithSecret(webhook: rotated.webhook.document, secret: rotated.secret.text)
    }
}

/// `webhooks.enable`: enables a webhook.
package struct EnableWebhook: AdminOperation {
    package static let name = "webhooks.enable"
    package static let summary = "Enables a webhook. Its dead letters stay until they are replayed."
    package static let scope: AdminScope? = .writeEvents
    /// The webhook.
    package typealias Answer = JSONObject

    /// The webhook's id.
    let webhook: String

    package init(webhook: String) {
        self.webhook = webhook
    }

    package func run(for call: AdminCall) async throws -> JSONObject {
        guard let enabled = try await call.admin.outbox.events.webhooks.enable(webhook, origin: call.origin) else {
            throw AdminFailure.webhookNotFound
        }
        return enabled.document
    }
}

/// `webhooks.disable`: disables a webhook.
package struct DisableWebhook: AdminOperation {
    package static let name = "webhooks.disable"
    package static let summary = "Disables a webhook. Its queued messages become dead letters."
    package static let scope: AdminScope? = .writeEvents
    /// The webhook.
    package typealias Answer = JSONObject

    /// The webhook's id.
    let webhook: String

    package init(webhook: String) {
        self.webhook = webhook
    }

    package func run(for call: AdminCall) async throws -> JSONObject {
        let disabled = try await call.admin.outbox.events.webhooks.disable(
            webhook, reason: "disabled by an administrator", origin: call.origin)
        guard let disabled else { throw AdminFailure.webhookNotFound }
        return disabled.document
    }
}

/// `webhooks.test`: posts one test message.
package struct TestWebhook: AdminOperation {
    package static let name = "webhooks.test"
    package static let summary = "Posts a message of the type webhook.test once, and returns what came of it."
    package static let scope: AdminScope? = .writeEvents

    /// The webhook's id.
    let webhook: String

    package struct Answer: Codable, Sendable {
        package let delivered: Bool
        /// The reason it was not delivered.
        package let reason: String?
    }

    package init(webhook: String) {
        self.webhook = webhook
    }

    package func run(for call: AdminCall) async throws -> Answer {
        switch try await call.admin.outbox.events.webhooks.test(webhook) {
        case .delivered: return Answer(delivered: true, reason: nil)
        case .failed(let reason): return Answer(delivered: false, reason: reason)
        case nil: throw AdminFailure.webhookNotFound
        }
    }
}

extension AdminFailure {
    fileprivate static var webhookNotFound: AdminFailure {
        AdminFailure(code: "WEBHOOK_NOT_FOUND", "there is no webhook with this id: broker webhooks list shows all")
    }
}

extension Webhook {
    /// The webhook for answers; it contains no secret.
    fileprivate var document: JSONObject {
        var object: JSONObject = [
            "id": .string(id), "url": .string(url), "events": .array(events.map(JSONValue.string)),
            "enabled": .bool(disabling == nil), "createdAt": .string(createdAt.text),
        ]
        object["disabledAt"] = disabling.map { .string($0.at.text) }
        object["disabledReason"] = disabling.map { .string($0.reason) }
        object["previousSecretUntil"] = previousSecret.map { .string($0.until.text) }
        return object
    }
}

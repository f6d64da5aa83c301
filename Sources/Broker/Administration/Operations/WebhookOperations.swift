package import BrokerStore
import ProviderKit

/// `webhooks.list`: the webhooks, without their secrets.
package struct ListWebhooks: AdminOperation {
    package static let declaration = OperationDeclaration(
        "webhooks.list", "Lists webhooks, the oldest first.", .readEvents, .reads,
        command: DeclaredCommand(
            "list", "List the webhooks, the oldest first.",
            """
            Example:
              broker webhooks list --json
            """))

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = ["webhooks": "The webhooks, the oldest first."]

        package let webhooks: [WebhookAnswer]
    }

    package func run(for call: AdminCall) async throws -> Answer {
        Answer(webhooks: try await call.admin.outbox.events.webhooks.list().map { WebhookAnswer($0) })
    }

    package func text(of answer: Answer) -> TerminalText {
        answer.webhooks.isEmpty ? "No webhooks." : answer.webhooks.text
    }
}

/// A webhook with a secret that is shown once.
package struct WebhookWithSecret: DescribedObject {
    package static let texts: [String: MemberText] = [
        "webhook": "The webhook.", "secret": .secret("The secret that signs its messages. It is answered once."),
    ]

    package let webhook: WebhookAnswer
    package let secret: String

    fileprivate var text: TerminalText {
        """
        \([webhook].text)
        secret: \(secret)
                Store it now: it is not shown again.
        """
    }
}

/// `webhooks.add`: adds a webhook.
package struct AddWebhook: AdminOperation {
    package static let declaration = OperationDeclaration(
        "webhooks.add", "Adds a webhook, and returns its secret once.", .writeEvents, .undoable,
        [
            .positional("url", "The URL that messages are posted to.", example: "https://shop.example/broker-events"),
            .option("events", "A type of event it gets; repeatable. Without any it gets every type.", as: "event"),
        ],
        command: DeclaredCommand(
            "add", "Add a webhook. The secret is shown once.",
            """
            Examples:
              broker webhooks add https://shop.example/broker-events
              broker webhooks add https://shop.example/broker-events \\
                --event user.created --event user.deleted
            """))
    package typealias Answer = WebhookWithSecret

    let url: String
    let events: [String]?

    package func run(for call: AdminCall) async throws -> WebhookWithSecret {
        do {
            let added = try await call.admin.outbox.events.webhooks.add(
                url: url, events: events ?? [], origin: call.origin)
            return WebhookWithSecret(webhook: WebhookAnswer(added.webhook), secret: added.secret.text)
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

    package func text(of answer: WebhookWithSecret) -> TerminalText { answer.text }
}

/// `webhooks.remove`: removes a webhook.
package struct RemoveWebhook: AdminOperation {
    package static let declaration = OperationDeclaration(
        "webhooks.remove", "Removes a webhook and drops its queued messages.", .writeEvents, .irreversible, [.webhook],
        command: DeclaredCommand(
            "remove", "Remove a webhook and drop its queued messages.",
            """
            Example:
              broker webhooks remove wh_4fJqW8… --yes
            """))

    let webhook: String

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = ["removed": "The webhook's id."]

        package let removed: String
    }

    package func run(for call: AdminCall) async throws -> Answer {
        guard try await call.admin.outbox.events.webhooks.remove(webhook, origin: call.origin) else {
            throw AdminFailure.webhookNotFound
        }
        return Answer(removed: webhook)
    }

    package func text(of answer: Answer) -> TerminalText { "Removed \(answer.removed)." }

    package func question(_ runner: some OperationRunner) async throws -> OperationQuestion? {
        OperationQuestion("Remove \(webhook) and drop its queued messages?", otherwise: "nothing was removed")
    }
}

/// `webhooks.rotate-secret`: rotates the secret of a webhook.
package struct RotateWebhookSecret: AdminOperation {
    package static let declaration = OperationDeclaration(
        "webhooks.rotate-secret", "Rotates a webhook's secret. The old one signs for 24 hours more, or ends now.",
        .writeEvents, .irreversibleWith("now"),
        [
            .webhook,
            .option("now", "End the old secret at once."),
        ],
        command: DeclaredCommand(
            "rotate-secret", "Rotate the secret of a webhook.",
            """
            The new secret is printed once. Messages are signed with both secrets for 24 hours, so that every
            receiver can be updated. With --now the old one ends at once, which cannot be undone: use it when the secret
            may have leaked.

            Examples:
              broker webhooks rotate-secret wh_4fJqW8…
              broker webhooks rotate-secret wh_4fJqW8… --now --yes --json
            """))
    package typealias Answer = WebhookWithSecret

    let webhook: String
    let now: Bool?

    package func run(for call: AdminCall) async throws -> WebhookWithSecret {
        let rotated = try await call.admin.outbox.events.webhooks.rotateSecret(
            of: webhook, endingPrevious: now ?? false, origin: call.origin)
        guard let rotated else { throw AdminFailure.webhookNotFound }
        return WebhookWithSecret(webhook: WebhookAnswer(rotated.webhook), secret: rotated.secret.text)
    }

    package func text(of answer: WebhookWithSecret) -> TerminalText { answer.text }

    package func question(_ runner: some OperationRunner) async throws -> OperationQuestion? {
        .irreversible("End the present secret of \(webhook) at once?", otherwise: "nothing was rotated")
    }
}

/// `webhooks.enable`: enables a webhook.
package struct EnableWebhook: AdminOperation {
    package static let declaration = OperationDeclaration(
        "webhooks.enable", "Enables a webhook. Its dead letters stay until they are replayed.", .writeEvents, .undoable,
        [.webhook],
        command: DeclaredCommand(
            "enable", "Enable a webhook. Its dead letters stay until they are replayed.",
            """
            A webhook that answers 410 is disabled by the broker.

            Example:
              broker webhooks enable wh_4fJqW8…
              broker events replay --dead --target wh_4fJqW8…
            """))
    package typealias Answer = WebhookAnswer

    let webhook: String

    package func run(for call: AdminCall) async throws -> WebhookAnswer {
        guard let enabled = try await call.admin.outbox.events.webhooks.enable(webhook, origin: call.origin) else {
            throw AdminFailure.webhookNotFound
        }
        return WebhookAnswer(enabled)
    }

    package func text(of answer: WebhookAnswer) -> TerminalText { [answer].text }
}

/// `webhooks.disable`: disables a webhook.
package struct DisableWebhook: AdminOperation {
    package static let declaration = OperationDeclaration(
        "webhooks.disable", "Disables a webhook. Its queued messages become dead letters.", .writeEvents, .undoable,
        [.webhook],
        command: DeclaredCommand(
            "disable", "Disable a webhook. Its queued messages become dead letters.",
            """
            Example:
              broker webhooks disable wh_4fJqW8…
            """))
    package typealias Answer = WebhookAnswer

    let webhook: String

    package func run(for call: AdminCall) async throws -> WebhookAnswer {
        let disabled = try await call.admin.outbox.events.webhooks.disable(
            webhook, reason: "disabled by an administrator", origin: call.origin)
        guard let disabled else { throw AdminFailure.webhookNotFound }
        return WebhookAnswer(disabled)
    }

    package func text(of answer: WebhookAnswer) -> TerminalText { [answer].text }
}

/// `webhooks.test`: posts one test message.
package struct TestWebhook: AdminOperation {
    package static let declaration = OperationDeclaration(
        "webhooks.test", "Posts a message of the type webhook.test once, and returns what came of it.", .writeEvents,
        .reads, [.webhook],
        command: DeclaredCommand(
            "test", "Post a test message once, and print what came of it.",
            """
            The message has the type webhook.test and is signed like any other. Exits 1 when it was not delivered.

            Example:
              broker webhooks test wh_4fJqW8…
            """))

    let webhook: String

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = [
            "delivered": "Whether the receiver accepted it.", "reason": "The reason it was not delivered.",
        ]

        package let delivered: Bool
        package let reason: String?
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let webhook = webhook
        try await call.admin.write(by: call.origin) { transaction in
            guard try transaction.webhook(id: webhook) != nil else { return }
            try transaction.audit("webhook.tested", of: nil, detail: ["webhook": .string(webhook)])
        }
        switch try await call.admin.outbox.events.webhooks.test(webhook) {
        case .delivered: return Answer(delivered: true, reason: nil)
        case .failed(let reason): return Answer(delivered: false, reason: reason)
        case nil: throw AdminFailure.webhookNotFound
        }
    }

    package func text(of answer: Answer) -> TerminalText {
        answer.delivered ? "Delivered." : "Not delivered: \(answer.reason ?? "")."
    }

    package func isFailure(_ answer: Answer) -> Bool { !answer.delivered }
}

extension AdminFailure {
    fileprivate static var webhookNotFound: AdminFailure {
        AdminFailure(code: "WEBHOOK_NOT_FOUND", "there is no webhook with this id: broker webhooks list shows all")
    }
}

/// A webhook; it contains no secret.
package struct WebhookAnswer: DescribedObject {
    package static let texts: [String: MemberText] = [
        "id": "The webhook's id.",
        "url": "The URL that messages are posted to.",
        "events": "The types of events it gets; every type when there are none.",
        "enabled": "Whether it gets messages.",
        "createdAt": "When it was added.",
        "disabledAt": "When it was disabled.",
        "disabledReason": "Why it was disabled.",
        "previousSecretUntil": "Until when the secret before the present one signs as well.",
    ]

    package let id: String
    package let url: String
    package let events: [String]
    package let enabled: Bool
    package let createdAt: Timestamp
    package let disabledAt: Timestamp?
    package let disabledReason: String?
    package let previousSecretUntil: Timestamp?

    fileprivate init(_ webhook: Webhook) {
        (id, url, events) = (webhook.id, webhook.url, webhook.events)
        (enabled, createdAt) = (webhook.disabling == nil, webhook.createdAt)
        (disabledAt, disabledReason) = (webhook.disabling?.at, webhook.disabling?.reason)
        previousSecretUntil = webhook.previousSecret?.until
    }
}

extension DeclaredArgument {
    fileprivate static let webhook = positional(
        "webhook", "The webhook's id.", as: "id", example: "wh_4fJqW8xT0aPz")
}

extension [WebhookAnswer] {
    /// A table.
    fileprivate var text: TerminalText {
        let table = Table<WebhookAnswer>(
            .init("WEBHOOK") { $0.id }, .init("URL", mayBeCut: true) { $0.url },
            .init("EVENTS", mayBeCut: true) { $0.events.joined(separator: ",") },
            .init("STATE", mayBeCut: true) { $0.enabled ? "" : "disabled: \($0.disabledReason ?? "")" })
        return table.text(self)
    }
}

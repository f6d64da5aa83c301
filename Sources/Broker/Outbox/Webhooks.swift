package import BrokerStore
import OAuth
import ProviderKit

/// The webhooks of a store: administrators add, change and test them, ``EventWorker`` delivers to them.
package struct Webhooks: StoreLayer {
    package let stored: StoreContext
    let sealer: Sealer
    let sender: EventSender
    let allowsInsecureLoopback: Bool

    init(_ stored: StoreContext, sender: EventSender, allowsInsecureLoopback: Bool) {
        self.stored = stored
        sealer = Sealer(stored.masterKey, for: .webhooks)
        self.sender = sender
        self.allowsInsecureLoopback = allowsInsecureLoopback
    }

    /// The number of webhooks a store has at most: each event is a row for each of them.
    package static let maximum = 20
    /// How long the previous secret signs beside the new one after a rotation.
    package static let secretOverlap = Duration.seconds(24 * 3600)

    /// The reason why a webhook cannot be added.
    package enum Refusal: Error, Sendable, Equatable {
        case invalidURL(String)
        case unknownEvent(String)
        case tooMany
    }

    /// The result of a test message.
    package enum TestResult: Sendable, Hashable {
        case delivered
        case failed(String)
    }

    /// The webhooks, the oldest first.
    package func list() async throws -> [Webhook] { try await store.read { try $0.webhooks() } }

    /// Adds a webhook. It gets the events of changes that begin later than five seconds from now, and of this process at
    /// once.
    ///
    /// - Parameters:
    ///   - url: Where its messages are posted to.
    ///   - events: The types it gets; none means every type.
    ///   - origin: The administrator, for the audit.
    /// - Returns: The webhook and its secret, which is shown once.
    /// - Throws: ``Refusal``, or a store's error.
    package func add(
        url: String, events: [String], origin: Origin
    ) async throws -> (webhook: Webhook, secret: WebhookSecret) {
        do throws(DeliveryURL.Refusal) {
            _ = try DeliveryURL(checking: url, allowsInsecureLoopback: allowsInsecureLoopback)
        } catch {
            throw Refusal.invalidURL(error.reason)
        }
        let types = UserEvent.Kind.allCases.map(\.rawValue) + [Webhook.everyEvent]
        if let unknown = events.first(where: { !types.contains($0) }) { throw Refusal.unknownEvent(unknown) }
        let (id, secret) = ("wh_" + RandomText.alphanumeric(20), WebhookSecret.generate())
        let sealed = try secret.sealed(by: sealer, webhook: id)
        let webhook = try await write(by: origin) { transaction in
            guard try transaction.webhooks().count < Self.maximum else { throw Refusal.tooMany }
            let webhook = Webhook(
                key: transaction.nextKey(), id: id, url: url, events: events.isEmpty ? [Webhook.everyEvent] : events,
                sealedSecret: sealed, createdAt: transaction.now)
            try transaction.insert(webhook)
            try transaction.audit("webhook.added", of: nil, detail: ["webhook": .string(id)])
            return webhook
        }
        store.forgetEventSubscriptions()
        return (webhook, secret)
    }

    /// Removes a webhook. Its queued messages are dropped.
    ///
    /// - Returns: false if there is none.
    package func remove(_ id: String, origin: Origin) async throws -> Bool {
        defer { store.forgetEventSubscriptions() }
        return try await write(by: origin) { transaction in
            guard try transaction.removeWebhook(id: id) else { return false }
            try transaction.end(
                EventDelivery.self, of: .webhook(id), as: .dropped, reason: "the webhook was removed",
                at: transaction.now)
            try transaction.audit("webhook.removed", of: nil, detail: ["webhook": .string(id)])
            return true
        }
    }

    /// Rotates the secret of a webhook.
    ///
    /// - Parameters:
    ///   - id: The webhook.
    ///   - endsPrevious: Whether the previous secret signs no more at once, for a compromised one.
    ///   - origin: The administrator, for the audit.
    /// - Returns: The webhook and its new secret; nil if there is none.
    /// - Throws: A store's error.
    package func rotateSecret(
        of id: String, endingPrevious endsPrevious: Bool, origin: Origin
    ) async throws -> (webhook: Webhook, secret: WebhookSecret)? {
        let secret = WebhookSecret.generate()
        let sealed = try secret.sealed(by: sealer, webhook: id)
        let rotated = try await write(by: origin) { transaction -> Webhook? in
            guard let current = try transaction.webhook(id: id) else { return nil }
            let until = transaction.now.advanced(by: Self.secretOverlap)
            let previous = Webhook.PreviousSecret(sealed: current.sealedSecret, until: until)
            let webhook = try transaction.rotateSecret(
                ofWebhook: id, to: sealed, keeping: endsPrevious ? nil : previous)
            try transaction.audit("webhook.secret-rotated", of: nil, detail: ["webhook": .string(id)])
            return webhook
        }
        return rotated.map { ($0, secret) }
    }

    /// Disables a webhook. Its queued messages become dead letters, which can be replayed.
    ///
    /// - Returns: The webhook; nil if there is none.
    @discardableResult
    package func disable(_ id: String, reason: String, origin: Origin) async throws -> Webhook? {
        defer { store.forgetEventSubscriptions() }
        return try await write(by: origin) { transaction in
            guard let webhook = try transaction.disableWebhook(id: id, reason: reason, at: transaction.now) else {
                return try transaction.webhook(id: id)
            }
            try transaction.end(
                EventDelivery.self, of: .webhook(id), as: .dead, reason: "the webhook was disabled",
                at: transaction.now)
            try transaction.audit(
                "webhook.disabled", of: nil, detail: ["webhook": .string(id), "reason": .string(reason)])
            return webhook
        }
    }

    /// Enables a webhook. Its dead letters stay until they are replayed.
    ///
    /// - Returns: The webhook; nil if there is none.
    package func enable(_ id: String, origin: Origin) async throws -> Webhook? {
        defer { store.forgetEventSubscriptions() }
        return try await write(by: origin) { transaction in
            guard let webhook = try transaction.enableWebhook(id: id) else { return try transaction.webhook(id: id) }
            try transaction.audit("webhook.enabled", of: nil, detail: ["webhook": .string(id)])
            return webhook
        }
    }

    /// Sends a test message once, from this process.
    ///
    /// - Returns: The result; nil if there is no such webhook.
    package func test(_ id: String) async throws -> TestResult? {
        guard let webhook = try await store.read({ try $0.webhook(id: id) }) else { return nil }
        let now = now
        guard let secrets = secrets(of: webhook, at: now) else { return .failed(Self.sealBroken) }
        let message = WebhookMessage(testing: "evt_" + RandomText.alphanumeric(24), at: now)
        let answer = await sender.post(
            message.body, headers: message.headers(signedBy: secrets, at: now), to: webhook.url)
        switch AttemptResult(answer, mayUnsubscribe: false) {
        case .done: return .delivered
        case .failed(let reason, _), .unsubscribed(let reason), .dropped(let reason), .dead(let reason),
            .parked(let reason):
            return .failed(reason)
        case .interrupted: return .failed("the broker stopped meanwhile")
        }
    }

    /// The webhook as a recipient.
    func recipient(_ id: String) async throws -> EventRecipient {
        guard let webhook = try await store.read({ try $0.webhook(id: id) }) else {
            return .removed("the webhook was removed")
        }
        if webhook.disabling != nil { return .disabled("the webhook is disabled") }
        guard let secrets = secrets(of: webhook, at: now) else { return .unusable(Self.sealBroken) }
        return .webhook(url: webhook.url, secrets: secrets)
    }

    private static let sealBroken = "the sealed secret does not open: run broker vault verify"

    /// The new secret first; nil when it does not open.
    private func secrets(of webhook: Webhook, at now: Timestamp) -> [WebhookSecret]? {
        guard let secret = try? WebhookSecret(opening: webhook.sealedSecret, webhook: webhook.id, with: sealer) else {
            return nil
        }
        guard let previous = webhook.previousSecret, now < previous.until,
            let earlier = try? WebhookSecret(opening: previous.sealed, webhook: webhook.id, with: sealer)
        else { return [secret] }
        return [secret, earlier]
    }
}

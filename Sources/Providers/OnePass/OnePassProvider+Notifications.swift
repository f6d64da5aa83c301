import Foundation
public import ProviderKit

/// Webhooks of 1Pass, and its logout tokens where the options accept them.
extension OnePassProvider: ProviderNotifications {
    public var acceptsNotifications: Bool { notifications.webhooks.areAccepted || notifications.acceptsLogout }

    public func verify(_ message: ProviderMessage) async throws(ProviderError) -> VerifiedProviderMessage {
        if BackChannelLogout.isLogout(message) {
            guard notifications.acceptsLogout else { throw .webhook("options.backChannelLogout is not set") }
            return try await BackChannelLogout.verify(message, by: api.policy(), with: api.context.tokens)
        }
        let keyID = try notifications.webhooks.verify(message, with: api.context.tokens, now: api.context.now())
        guard let document = try? JSONValue(parsing: message.body) else { throw .webhook("the webhook is no JSON") }
        let event = try OnePassEvent(document, removalDelay: notifications.removalDelay).event
        // The header is not signed: the body's id decides.
        if let id = message.header("X-Logi-Event-Id"), !id.utf8.elementsEqual(event.id.utf8) {
            throw .webhook("X-Logi-Event-Id differs from event_id")
        }
        return VerifiedProviderMessage([event], keyID: keyID)
    }
}

/// The event feed, for confidential clients that missed a webhook.
extension OnePassProvider: ProviderEventFeed {
    public var eventPollInterval: Int? { notifications.pollInterval }

    public func events(after cursor: String?) async throws(ProviderError) -> ProviderEventPage {
        let answer = try await api.events(after: cursor)
        guard let entries = answer["events"]?.array else {
            throw ProviderError(.upstream, at: .pollEvents, "the answer has no events")
        }
        let events = entries.compactMap { try? OnePassEvent($0, removalDelay: notifications.removalDelay).event }
        let next = answer["next_cursor"]?.string.flatMap { (1...1024).contains($0.utf8.count) ? $0 : nil }
        guard let next = next ?? cursor ?? (entries.isEmpty ? "" : nil) else {
            throw ProviderError(.upstream, at: .pollEvents, "the answer has no usable next_cursor")
        }
        return ProviderEventPage(
            events, unreadable: entries.count - events.count, cursor: next,
            hasMore: answer["has_more"]?.bool ?? false)
    }
}

/// The options about events, checked.
struct OnePassNotifications: Sendable {
    let webhooks: OnePassWebhooks
    let acceptsLogout: Bool
    /// Seconds between two requests to the event feed; `nil` for none.
    let pollInterval: Int?
    /// Seconds until the identity of a deleted account is removed.
    let removalDelay: Int

    init(_ options: OnePassProvider.Options) throws(ProviderError) {
        for (name, secret) in options.webhookKeys {
            guard !name.isEmpty, secret.reveal().utf8.count >= 16 else {
                throw .options("webhookKeys must have names, and secrets of at least 16 bytes")
            }
        }
        guard options.webhookSecret.map({ $0.reveal().utf8.count >= 16 }) ?? true else {
            throw .options("webhookSecret must have at least 16 bytes")
        }
        webhooks = OnePassWebhooks(
            keys: options.webhookKeys, legacySecret: options.webhookSecret, tolerance: options.webhookTolerance)
        acceptsLogout = options.backChannelLogout
        removalDelay = options.deletedAccountDays * 86_400
        pollInterval = try Self.pollInterval(options, receives: webhooks.areAccepted)
    }

    /// The feed backs up webhooks, so it is on with them; only a confidential client may use it.
    private static func pollInterval(
        _ options: OnePassProvider.Options, receives: Bool
    ) throws(ProviderError) -> Int? {
        guard let interval = options.eventPollInterval else {
            return receives && options.clientSecret != nil ? 300 : nil
        }
        guard interval != 0 else { return nil }
        guard options.clientSecret != nil else {
            throw .options("eventPollInterval needs clientSecret: 1Pass shows events to confidential clients only")
        }
        return interval
    }
}

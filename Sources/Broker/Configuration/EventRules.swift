import ProviderKit

/// How long events for webhooks and clients are delivered and kept.
package struct EventRules: Sendable, Hashable {
    /// The time after which an unsuccessful delivery becomes a dead letter.
    package var retries = Duration.seconds(3 * 86_400)
    /// How long dead letters stay.
    package var deadLetters = Duration.seconds(30 * 86_400)

    package init() {}
}

extension EventRules {
    /// `events` of `broker.json`.
    static let keys = DeclaredObject<EventRules>([
        .days(
            "retryDays", 1...30, initially: EventRules().retries,
            "the days after which the delivery of an event is abandoned ([Webhooks](Webhooks.md))"
        ) { rules, days in rules.retries = days ?? rules.retries },
        .days(
            "deadLetterDays", 1...365, initially: EventRules().deadLetters,
            "the days for which an abandoned event can be replayed"
        ) { rules, days in rules.deadLetters = days ?? rules.deadLetters },
    ])
}

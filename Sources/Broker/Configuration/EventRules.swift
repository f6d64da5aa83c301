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
    struct Entry: Decodable {
        let retryDays: Int?
        let deadLetterDays: Int?
    }

    /// - Throws: ``ConfigurationError`` for a number of days out of range.
    init(_ entry: Entry?, in path: String) throws(ConfigurationError) {
        self.init()
        if let days = entry?.retryDays {
            guard (1...30).contains(days) else {
                throw ConfigurationError(path, at: "/events/retryDays", "must be between 1 and 30.")
            }
            retries = .seconds(days * 86_400)
        }
        if let days = entry?.deadLetterDays {
            guard (1...365).contains(days) else {
                throw ConfigurationError(path, at: "/events/deadLetterDays", "must be between 1 and 365.")
            }
            deadLetters = .seconds(days * 86_400)
        }
    }
}

import ArgumentParser
import Broker
import BrokerStore
import Foundation
import ProviderKit

/// A time on the command line: a date, a time of ISO 8601, or a duration before now (30m, 24h, 7d).
struct TimeArgument: CommandValue {
    let timestamp: Timestamp

    init?(argument: String) {
        if let match = argument.wholeMatch(of: /([0-9]{1,6})([smhd])/), let count = Double(match.1) {
            let seconds: [Substring: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
            timestamp = Timestamp(Date(timeIntervalSinceNow: -count * (seconds[match.2] ?? 1)))
            return
        }
        let text = argument.contains("T") ? argument : argument + "T00:00:00Z"
        guard let date = try? Date(text, strategy: .iso8601) else { return nil }
        timestamp = Timestamp(date)
    }

    init?(json: JSONValue) {
        guard let text = json.string else { return nil }
        self.init(argument: text)
    }

    var json: JSONValue { .string(timestamp.text) }
}

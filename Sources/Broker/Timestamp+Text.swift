package import BrokerStore
import Foundation

extension Timestamp {
    /// ISO 8601, in UTC and to the second.
    package var text: String { date.formatted(.iso8601) }

    /// The same with milliseconds (RFC 3339 §5.6).
    package var millisecondText: String { date.formatted(Self.milliseconds) }

    private static let milliseconds = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}

/// As ISO 8601 text, to the second.
extension Timestamp: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let date = try? Date(text, strategy: .iso8601) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a time of ISO 8601")
        }
        self.init(date)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

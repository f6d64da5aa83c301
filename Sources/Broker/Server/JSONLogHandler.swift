import Foundation
package import Logging
import ProviderKit

/// One JSON object a line on standard error: values are escaped by the serializer and cut to a bounded length, so no
/// input can forge a line.
package struct JSONLogHandler: LogHandler {
    package var logLevel: Logger.Level
    package var metadata: Logger.Metadata = [:]
    private let label: String
    private let write: @Sendable (String) -> Void

    /// - Parameters:
    ///   - label: The logger's name.
    ///   - level: Below it nothing is written.
    ///   - write: Takes a line without its end; standard error when not given.
    package init(
        label: String, level: Logger.Level = .info, write: @escaping @Sendable (String) -> Void = Self.standardError
    ) {
        self.label = label
        logLevel = level
        self.write = write
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var line = JSONObject([
            ("time", .string(Date().formatted(Self.timeFormat))), ("level", .string(event.level.rawValue)),
            ("logger", .string(label)), ("message", .string(Self.cut(event.message.description))),
        ])
        for (name, value) in metadata.merging(event.metadata ?? [:], uniquingKeysWith: { _, new in new })
            .sorted(by: { $0.key < $1.key })
        {
            line[name] = Self.json(value)
        }
        write(JSONValue.object(line).serialized())
    }

    /// Numbers and booleans stay what they are, so that logs can be added up and compared.
    private static func json(_ value: Logger.MetadataValue) -> JSONValue {
        guard case .stringConvertible(let content) = value else { return .string(cut(value.description)) }
        return switch content {
        case let number as any FixedWidthInteger: .number(JSONNumber(number))
        case let flag as Bool: .bool(flag)
        default: .string(cut(value.description))
        }
    }

    private static func cut(_ text: String) -> String {
        text.utf8.count <= 512 ? text : String(decoding: text.utf8.prefix(512), as: UTF8.self) + "…"
    }

    private static let timeFormat = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    package static let standardError: @Sendable (String) -> Void = { line in
        // A full disk or a reader that has gone costs the line, not the broker.
        try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
    }
}

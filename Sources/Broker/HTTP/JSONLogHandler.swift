import Foundation
package import Logging
import ProviderKit

/// One JSON object for each line: values are escaped and cut to a bounded length, so no input can forge a line.
package struct JSONLogHandler: LogHandler {
    package var logLevel: Logger.Level
    package var metadata: Logger.Metadata = [:]
    private let label: String
    /// What all lines of requests have after the time.
    private let requestLine: [UInt8]
    private let write: @Sendable (_ line: String, _ level: Logger.Level) -> Void

    /// - Parameters:
    ///   - label: The logger's name.
    ///   - level: Below it nothing is written.
    ///   - write: Takes a line without its end, with its level.
    package init(
        label: String, level: Logger.Level = .info,
        write: @escaping @Sendable (_ line: String, _ level: Logger.Level) -> Void
    ) {
        self.label = label
        requestLine = Self.kind(.info, label, RequestLine.message)
        logLevel = level
        self.write = write
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var line = beginning(Self.kind(event.level, label, event.message))
        for (name, value) in members(event.metadata) {
            line.append(UInt8(ascii: ","))
            JSONValue.string(name).append(to: &line)
            line.append(UInt8(ascii: ":"))
            Self.append(value, to: &line)
        }
        end(&line, event.level)
    }

    /// Writes a request's line with the same text as of an event with its metadata.
    ///
    /// - Returns: Whether this logger has no metadata, which would have its place among the values.
    func log(_ request: RequestLine) -> Bool {
        guard logLevel <= .info else { return true }
        guard metadata.isEmpty else { return false }
        var line = beginning(requestLine)
        Self.append(#","client":"#, request.client, to: &line)
        if let clientID = request.refusal?.clientID { Self.append(#","client_id":"#, clientID, to: &line) }
        if let code = request.refusal?.code { Self.append(#","code":"#, code, to: &line) }
        Self.append(#","method":"#, request.method, to: &line)
        Self.append(#","microseconds":"#, request.microseconds, to: &line)
        if let provider = request.refusal?.provider { Self.append(#","provider":"#, provider, to: &line) }
        Self.append(#","request_id":"#, request.requestID, to: &line)
        Self.append(#","route":"#, request.route, to: &line)
        if let trace = request.trace { Self.append(#","span_id":"#, trace.spanID, to: &line) }
        Self.append(#","status":"#, Int64(request.status), to: &line)
        if let trace = request.trace { Self.append(#","trace_id":"#, trace.traceID, to: &line) }
        end(&line, .info)
        return true
    }

    /// The beginning of a line with the members that every line has.
    private func beginning(_ kind: [UInt8]) -> [UInt8] {
        var line: [UInt8] = []
        line.reserveCapacity(384)
        line += #"{"time":""#.utf8
        Self.append(Date(), to: &line)
        line += kind
        return line
    }

    /// The members of all lines of a kind, after the time.
    private static func kind(_ level: Logger.Level, _ label: String, _ message: Logger.Message) -> [UInt8] {
        var kind = Array(#"","level":""#.utf8)
        kind += level.rawValue.utf8
        kind += #"","logger":"#.utf8
        JSONValue.string(label).append(to: &kind)
        kind += #","message":"#.utf8
        JSONValue.string(cut(message.description)).append(to: &kind)
        return kind
    }

    private func end(_ line: inout [UInt8], _ level: Logger.Level) {
        line.append(UInt8(ascii: "}"))
        write(String(decoding: line, as: UTF8.self), level)
    }

    /// Appends a member, whose name is as it stands in the line, with what is around it.
    private static func append(_ name: StaticString, _ text: String, to line: inout [UInt8]) {
        name.withUTF8Buffer { line.append(contentsOf: $0) }
        JSONValue.append(cut(text), to: &line)
    }

    private static func append(_ name: StaticString, _ number: Int64, to line: inout [UInt8]) {
        name.withUTF8Buffer { line.append(contentsOf: $0) }
        line += String(number).utf8
    }

    /// The logger's metadata and the event's, which comes first, in the order of their names.
    private func members(_ own: Logger.Metadata?) -> [(key: String, value: Logger.MetadataValue)] {
        var members = own.map(Array.init) ?? []
        for member in metadata where own?[member.key] == nil { members.append(member) }
        members.removeAll { Self.fixed.contains($0.key) }
        members.sort { $0.key < $1.key }
        return members
    }

    /// Numbers and booleans stay what they are, so that logs can be added up and compared.
    private static func append(_ value: Logger.MetadataValue, to line: inout [UInt8]) {
        guard case .stringConvertible(let content) = value else {
            return JSONValue.string(cut(value.description)).append(to: &line)
        }
        switch content {
        case let number as Int: line += String(number).utf8
        case let number as any FixedWidthInteger: JSONValue.number(JSONNumber(number)).append(to: &line)
        case let flag as Bool: JSONValue.bool(flag).append(to: &line)
        default: JSONValue.string(cut(value.description)).append(to: &line)
        }
    }

    /// The time in UTC with milliseconds (RFC 3339 §5.6).
    private static func append(_ time: Date, to line: inout [UInt8]) {
        line += SecondText.timestamp(at: time).utf8
        let milliseconds = Int((time.timeIntervalSince1970 * 1000).rounded(.down)) % 1000
        line.append(UInt8(ascii: "."))
        for divisor in [100, 10, 1] { line.append(UInt8(ascii: "0") + UInt8(milliseconds / divisor % 10)) }
        line.append(UInt8(ascii: "Z"))
    }

    /// The names of the members that every line has.
    private static let fixed: Set<String> = ["time", "level", "logger", "message"]

    private static func cut(_ text: String) -> String {
        text.utf8.count <= 512 ? text : String(decoding: text.utf8.prefix(512), as: UTF8.self) + "…"
    }
}

import HTTPTypes
import Hummingbird
import Logging
import ProviderKit

/// The place of a request in a distributed trace (W3C Trace Context §3.2), as its `traceparent` names it.
///
/// Requests without one belong to no trace: the broker begins none, since it exports none.
struct TraceContext: Sendable, Hashable {
    /// 32 lower-case hexadecimal digits.
    let traceID: String
    /// That of the broker's own part of the trace.
    let spanID: String
    /// Whether the caller records the trace; the other flags have no meaning (§3.2.2.5).
    let isSampled: Bool

    /// That of the request which this task answers.
    @TaskLocal static var current: TraceContext?

    /// - Returns: Nil without exactly one valid `traceparent`.
    init?(_ request: Request) {
        let values = request.headers[values: Self.traceparent]
        guard values.count == 1 else { return nil }
        self.init(parsing: values[0])
    }

    /// Reads a `traceparent`. Those of later versions may go on after the flags, with a dash (§4.3).
    init?(parsing text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 55, bytes[2] == Self.dash, bytes[35] == Self.dash, bytes[52] == Self.dash,
            bytes.count == 55 || bytes[55] == Self.dash
        else { return nil }
        let parts = [0..<2, 3..<35, 36..<52, 53..<55].map { bytes[$0] }
        guard parts.allSatisfy({ $0.allSatisfy(Self.isHexadecimal) }) else { return nil }
        let zero = UInt8(ascii: "0")
        guard !parts[0].elementsEqual("ff".utf8), !parts[0].elementsEqual("00".utf8) || bytes.count == 55,
            parts[1].contains(where: { $0 != zero }), parts[2].contains(where: { $0 != zero }),
            let flags = Hexadecimal.decode(parts[3])?.first
        else { return nil }
        traceID = String(decoding: parts[1], as: UTF8.self)
        spanID = Self.newSpanID()
        isSampled = flags & 1 == 1
    }

    /// The `traceparent` of a request to a provider, which is a part of its own.
    func childHeader() -> String { "00-\(traceID)-\(Self.newSpanID())-\(isSampled ? "01" : "00")" }

    /// Adds the ids to all lines of the request.
    func note(in logger: inout Logger) {
        for (key, value) in metadata { logger[metadataKey: key] = value }
    }

    /// The ids as the members of a line in the log.
    var metadata: Logger.Metadata { ["trace_id": .string(traceID), "span_id": .string(spanID)] }

    /// Sixteen hexadecimal digits that are not all zero.
    private static func newSpanID() -> String {
        withUnsafeBytes(of: UInt64.random(in: 1 ... .max)) { Hexadecimal.encode($0) }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
        default: false
        }
    }

    private static let dash = UInt8(ascii: "-")
    private static let traceparent = HTTPField.Name.known("traceparent")
}

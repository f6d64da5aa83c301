import Logging
import ProviderKit
import Synchronization
import Testing

@testable import Broker

@Suite("the log line of a request")
struct RequestLineTests {
    /// Hides the handler that writes requests in its own way.
    private struct OtherHandler: LogHandler {
        var handler: JSONLogHandler
        var logLevel: Logger.Level {
            get { handler.logLevel }
            set { handler.logLevel = newValue }
        }
        var metadata: Logger.Metadata {
            get { handler.metadata }
            set { handler.metadata = newValue }
        }
        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { handler[metadataKey: key] }
            set { handler[metadataKey: key] = newValue }
        }
        func log(event: LogEvent) { handler.log(event: event) }
    }

    /// The line, written from its values and from metadata, without its time.
    private static func texts(
        of line: RequestLine, level: Logger.Level = .info, _ metadata: Logger.Metadata = [:]
    ) -> (values: [String], metadata: [String]) {
        func written(_ wrap: (JSONLogHandler) -> any LogHandler) -> [String] {
            let sink = Sink()
            var logger = Logger(label: "broker") { label in
                wrap(JSONLogHandler(label: label, level: level) { text, level in sink.add("\(level) \(text)") })
            }
            for (key, value) in metadata { logger[metadataKey: key] = value }
            logger.info(line)
            return sink.lines.map { $0.replacing(/"time":"[^"]+"/, with: "") }
        }
        return (written { $0 }, written { OtherHandler(handler: $0) })
    }

    private final class Sink: Sendable {
        private let state = Mutex<[String]>([])
        var lines: [String] { state.withLock(\.self) }
        func add(_ line: String) { state.withLock { $0.append(line) } }
    }

    private static let ordinary = RequestLine(
        requestID: "r1", method: "POST", route: "/v1/token", status: 200, microseconds: 1234, client: "00ff00ff")

    @Test func `it has its seven values in the order of their names`() throws {
        let line = try #require(Self.texts(of: Self.ordinary).values.first)

        #expect(
            line == """
                info {,"level":"info","logger":"broker","message":"request","client":"00ff00ff","method":"POST",\
                "microseconds":1234,"request_id":"r1","route":"/v1/token","status":200}
                """)
    }

    @Test(arguments: [
        ordinary,
        RequestLine(
            requestID: "", method: "\"\\\n\u{202E}", route: "é\u{0}", status: 0, microseconds: -1, client: ""),
        RequestLine(
            requestID: String(repeating: "r", count: 513), method: String(repeating: "M", count: 513),
            route: String(repeating: "é", count: 300), status: .max, microseconds: .max,
            client: String(repeating: "c", count: 512)),
        RequestLine(
            requestID: "r1", method: "GET", route: "/v1/token", status: 200, microseconds: 1, client: "c",
            trace: TraceContext(parsing: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")),
        RequestLine(
            requestID: "r1", method: "POST", route: "/v1/token", status: 400, microseconds: 1, client: "c",
            refusal: RequestOutcome(code: "\"\n", text: "not in the line", provider: "github.com", clientID: "web")),
        RequestLine(
            requestID: "r1", method: "POST", route: "/v1/token", status: 400, microseconds: 1, client: "c",
            refusal: RequestOutcome(code: "INVALID_ID_TOKEN")),
    ])
    func `it is the line that the same metadata gives`(line: RequestLine) {
        let texts = Self.texts(of: line)

        #expect(texts.values == texts.metadata)
        #expect(texts.values.count == 1 && texts.values.allSatisfy { !$0.contains("not in the line") })
    }

    @Test(
        arguments: [
            ["other": "o", "trace_id": "t"], [:], ["request_id": .stringConvertible(7)],
        ] as [Logger.Metadata])
    func `further metadata is in it`(metadata: Logger.Metadata) throws {
        let texts = Self.texts(of: Self.ordinary, metadata)

        #expect(texts.values == texts.metadata)
        let line = try #require(texts.values.first)
        for name in metadata.keys { #expect(line.contains("\"\(name)\":")) }
    }

    @Test func `it is not written where lines of level info are not`() {
        #expect(Self.texts(of: Self.ordinary, level: .warning).values == [])
    }
}

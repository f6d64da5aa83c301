import Broker
import Testing

@testable import BrokerCommand

@Suite("--log-format")
struct LogFormatTests {
    @Test func `at a terminal a line is text, with values that end visibly`() {
        let line = #"""
            {"time":"2026-05-04T10:11:12.345Z","level":"info","logger":"broker","message":"request","method":"GET",\#
            "route":"/v1/accounts:lookup","status":200,"reason":"not now"}
            """#

        #expect(
            LogFormat.text.line(line).description
                == #"10:11:12.345Z  info     request method=GET route=/v1/accounts:lookup status=200 reason="not now""#)
        #expect(LogFormat.json.line(line).description == line)
    }

    @Test func `no value forges a line or moves the cursor`() {
        let line = #"{"time":"2026-05-04T10:11:12.345Z","level":"error","message":"a\nb","name":"\u001b[31m x"}"#

        let text = LogFormat.text.line(line).description

        #expect(!text.contains("\n") && !text.contains("\u{1B}"), "\(text)")
        #expect(text.contains("error") && text.contains("a\\u{a}b"))
    }

    @Test func `what is no JSON stays as it is`() {
        #expect(LogFormat.text.line("not JSON").description == "not JSON")
    }

    @Test func `the variable goes before the kind of standard error`() {
        #expect(LogFormat.standard(nil, isTerminal: true) == .text)
        #expect(LogFormat.standard(nil, isTerminal: false) == .json)
        #expect(LogFormat.standard("JSON", isTerminal: true) == .json)
        #expect(LogFormat.standard("text", isTerminal: false) == .text)
    }
}

import ProviderKit
import Testing

@Suite("The log of broker serve", .timeLimit(.minutes(20)))
struct LogFormatTests {
    @Test func `at a terminal it is text`() async throws {
        try await Installation.run { broker in
            let arguments = ["serve", "--listen", "127.0.0.1:0"]

            try await BrokerProcess.run(atTerminal: arguments, in: broker.folder) { process, keyboard in
                let line = try #require(
                    await process.output.firstLine { $0.contains("broker started") }, "\(process.everything)")
                try keyboard.type("\u{3}")
                _ = try await process.exitCode()

                #expect(line.contains(/[0-9:.]{12}Z  notice   broker started .*version=[0-9.]+/), "\(line)")
            }
        }
    }

    @Test(arguments: ["text", "json", nil])
    func `elsewhere it is JSON, unless --log-format says otherwise`(format: String?) async throws {
        try await Installation.run { broker in
            let arguments = ["serve", "--listen", "127.0.0.1:0"] + (format.map { ["--log-format", $0] } ?? [])

            try await BrokerProcess.run(arguments, in: broker.folder) { process in
                let line = try #require(
                    await process.log.firstLine { $0.contains("broker started") }, "\(process.everything)")
                try await process.stop()

                let document = try? JSONValue(parsing: line)
                #expect((document == nil) == (format == "text"), "\(line)")
            }
        }
    }
}

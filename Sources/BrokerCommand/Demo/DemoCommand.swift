import ArgumentParser
import Broker
import Foundation
import Logging
import ProviderKit

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "The broker and the providers' simulators on this machine, with a round trip to watch.",
        discussion: """
            Signs fictitious people in with GitHub, GitLab, Apple and 1Pass, links all four to one user and
            reauthenticates with each, then stays up for your browser and your own curl. Nothing leaves this machine. The
            log goes to a file that the demo names, and stays.

            Examples:
              broker demo
              broker demo --check --json          the round trip alone; exits 0 or 1
              broker demo --port 9099 --data DIR  keeps users in DIR
            """.paragraphs)

    @Option(name: .long, help: "The broker's port; a free one when not given.")
    var port: UInt16 = 0

    @Option(name: .long, help: "Folder to keep the demo's data in; a temporary one when not given.")
    var data: String?

    @Flag(name: .long, help: "Do the round trip and exit.")
    var check = false

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await output.reporting {
            let folder = try DemoFolder(data)
            defer { folder.removeIfTemporary() }
            let log = try DemoLog(folder)
            LoggingSystem.bootstrap { JSONLogHandler(label: $0, level: .info, write: log.write) }
            let demo = try await DemoBroker.start(folder, port: Int(port))
            do {
                check ? try await checkRoundTrip(demo, log) : try await show(demo, log)
                await demo.stop()
            } catch {
                await demo.stop()
                throw error
            }
            // Nothing is to be looked up after a round trip that went well.
            if check { log.removeIfTemporary() }
        }
    }

    /// What `--json` prints, without steps.
    private func document(_ demo: DemoBroker, _ log: DemoLog) -> JSONObject {
        var document = demo.document
        document["log"] = .string(log.path)
        return document
    }

    private func checkRoundTrip(_ demo: DemoBroker, _ log: DemoLog) async throws {
        let trip = await RoundTrip(demo).run()
        var document = document(demo, log)
        document["steps"] = .array(trip.steps.map(\.document))
        output(.object(document), text: trip.steps.map(\.line).joined(separator: "\n"))
        if !trip.isGood { throw ExitCode.failure }
    }

    private func show(_ demo: DemoBroker, _ log: DemoLog) async throws {
        if output.json {
            TerminalText(json: .object(document(demo, log))).show()
        } else {
            let trip = await RoundTrip(demo).run()
            DemoText.roundTrip(trip, demo).show()
            TerminalText("\nLog      \(log.path)").show()
            guard trip.isGood else { throw ExitCode.failure }
            DemoText.curlLines(demo).show()
        }
        await demo.waitForShutdown()
    }
}

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
            reauthenticates with each, then stays up for your own curl. Nothing leaves this machine.

            Examples:
              broker demo
              broker demo --check --json          the round trip alone, for scripts: exits 0 or 1
              broker demo --port 9099 --data DIR  keeps users in DIR
            """)

    @Option(name: .long, help: "The broker's port; a free one when not given.")
    var port: UInt16 = 0

    @Option(name: .long, help: "Folder to keep the demo's data in; a temporary one when not given.")
    var data: String?

    @Flag(name: .long, help: "Do the round trip and exit.")
    var check = false

    @OptionGroup var output: OutputOptions

    func run() async throws {
        LoggingSystem.bootstrap { JSONLogHandler(label: $0, level: .error) }
        try await output.reporting {
            let folder = try DemoFolder(data)
            defer { folder.removeIfTemporary() }
            let demo = try await DemoBroker.start(folder, port: Int(port))
            do {
                check ? try await checkRoundTrip(demo) : try await show(demo)
                await demo.stop()
            } catch {
                await demo.stop()
                throw error
            }
        }
    }

    private func checkRoundTrip(_ demo: DemoBroker) async throws {
        let trip = await RoundTrip(demo).run()
        var document = demo.document
        document["steps"] = .array(trip.steps.map(\.document))
        output(.object(document), text: trip.steps.map(\.line).joined(separator: "\n"))
        if !trip.isGood { throw ExitCode.failure }
    }

    private func show(_ demo: DemoBroker) async throws {
        if output.json {
            print(JSONValue.object(demo.document).serialized())
        } else {
            let trip = await RoundTrip(demo).run()
            print(DemoText.roundTrip(trip, demo))
            guard trip.isGood else { throw ExitCode.failure }
            print(DemoText.curlLines(demo))
        }
        fflush(nil)
        await demo.waitForShutdown()
    }
}

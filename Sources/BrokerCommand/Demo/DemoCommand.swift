import ArgumentParser
import Broker
import Foundation
import Logging
import ProviderKit

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Run a broker and the providers' simulators on this machine, with a sample round trip.",
        discussion: """
            Signs fictitious users in with GitHub, GitLab, Apple and 1Pass, links all four to one user and
            reauthenticates with each; deletes a user of Apple and waits for the revocation at Apple. Then it serves your browser and curl until Ctrl-C. All traffic stays on this
            machine. The log is written to a file whose path the demo prints.

            Examples:
              broker demo
              broker demo --check --json          only the round trip; exits 0 or 1
              broker demo --port 9099 --data DIR  stores users in DIR
              broker demo --emulator              serves an app's tests
              broker demo --emulator --origin https://app.example

            With --emulator no provider is simulated and nothing is verified: any API key, any project, unsigned tokens
            and credentials, Bearer owner. It listens on 127.0.0.1 only, and answers pages of this machine and of each
            --origin. Users are removed when it ends.
            """.paragraphs)

    @Option(name: .long, help: "The broker's port (default: a free port).")
    var port: UInt16 = 0

    @Option(name: .long, help: "Folder for the demo's data (default: a temporary folder).")
    var data: String?

    @Flag(name: .long, help: "Run the round trip and exit.")
    var check = false

    @Flag(name: .long, help: "Serve what the Firebase Auth emulator serves, for an app's tests.")
    var emulator = false

    @Option(name: .long, help: "The project of requests that name none, with --emulator.")
    var project = "demo-project"

    @Option(name: .long, help: "A web origin whose pages may use the emulator, besides this machine's; repeatable.")
    var origin: [String] = []

    @Option(
        name: .long,
        help: "The maximum number of the emulator's projects. Beyond 50, one idle for ten minutes is replaced.")
    var maxProjects = EmulatedProjects.standardMaximumCount

    @OptionGroup var host: HostOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard emulator || origin.isEmpty && maxProjects == EmulatedProjects.standardMaximumCount else {
            throw ValidationError("--origin and --max-projects are for --emulator.")
        }
        do {
            _ = try EmulatorOrigins(origin)
        } catch {
            throw ValidationError("\(error.text) is no web origin: write one such as https://app.example.")
        }
        guard (1...10_000).contains(maxProjects) else { throw ValidationError("--max-projects takes 1 to 10000.") }
    }

    func run() async throws {
        try await output.reporting {
            let folder = try DemoFolder(data)
            defer { folder.removeIfTemporary() }
            let log = try DemoLog(folder)
            LoggingSystem.bootstrap { JSONLogHandler(label: $0, level: .info, write: log.write) }
            if emulator {
                try await emulate(in: folder, log)
                return
            }
            let demo = try await DemoBroker.start(folder, port: Int(port))
            do {
                check ? try await checkRoundTrip(demo, log) : try await show(demo, log)
                await demo.stop()
            } catch {
                await demo.stop()
                throw error
            }
            // The log of a successful round trip is not needed.
            if check { log.removeIfTemporary() }
        }
    }

    private func emulate(in folder: DemoFolder, _ log: DemoLog) async throws {
        let origins = try EmulatorOrigins(origin)
        try await DemoBroker.withPort(Int(port)) { port in
            // Requests name projects freely: each start begins with none.
            let folder = "\(folder.path)/emulator-\(UUID().uuidString)"
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let emulator = Emulator(
                projectID: project, folder: folder, origins: origins, maximumProjects: maxProjects)
            try await emulator.serve(port: port) { show(emulatorAt: $0, log) }
        }
    }

    private func show(emulatorAt url: String, _ log: DemoLog) {
        output(
            [
                "emulator": .string(url), "project": .string(project), "log": .string(log.path),
                "warning": .string(EmulatorGateway.warning),
            ],
            text: """
                Emulator  \(url)
                Project   \(project)
                Log       \(log.path)
                \(EmulatorGateway.warning)

                  FIREBASE_AUTH_EMULATOR_HOST=\(String(url.dropFirst("http://".count)))
                  connectAuthEmulator(auth, "\(url)")
                """)
        fflush(nil)
    }

    /// The `--json` document, without steps.
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

import Foundation
import ProviderKit
import Testing

/// The commands of `Docs/Apple.md` that try a notification out.
@Suite("The notification of the Apple page", .timeLimit(.minutes(20)))
struct AppleNotificationSampleTests {
    @Test func `what the demo's simulator signs is taken by its broker`() async throws {
        let folder = try TestFolder()
        try await BrokerProcess.run(["demo", "--json"], in: folder) { demo in
            let line = try #require(await demo.output.firstLine(), "\(demo.everything)")
            let document = try JSONValue(parsing: line)
            let program = try SampleProgram(
                "notification.sh", in: "Docs/Apple.md",
                environment: [
                    "BROKER": try #require(document["broker"]?.string, "\(demo.everything)"),
                    "APPLE": try #require(document["simulators"]?["apple.com"]?.string),
                ])

            let result = try await program.run("sh", "notification.sh", input: "")

            let event = try program.folder.text(of: "event.json")
            #expect(event.contains(#""payload""#) && result.exitCode == 0, "\(result) \(event)")
            #expect(result.output == "{}", "\(result)")
        }
    }
}

import Foundation
import ProviderKit
import Testing

@Suite("broker serve: warnings at the start", .timeLimit(.minutes(20)))
struct ServeWarningTests {
    private static let isWarning: @Sendable (String) -> Bool = { $0.contains(#""level":"warning""#) }

    @Test(arguments: [
        #"{"providers":[]}"#, #"{"providers":[{"use":"github","enabled":false}]}"#,
    ])
    func `a broker without an enabled provider says so`(plugins: String) async throws {
        try await Installation.run { broker in
            try broker.folder.write(plugins, to: "plugins.json")
            try await broker.serve { process, _ in
                let line = await process.log.firstLine(where: Self.isWarning)

                #expect(line?.contains("no provider is enabled") == true)
            }
        }
    }

    @Test func `a step-up rule that some users can never satisfy is named at the start`() async throws {
        try await Installation.run { broker in
            try broker.changeConfiguration {
                $0["policy"] = [
                    "preset": "strict", "stepUp": [["acr": "urn:example:acme", "providers": ["gitlab.acme"]]],
                ]
            }
            try await broker.serve { process, _ in
                let line = await process.log.firstLine(where: Self.isWarning)

                #expect(line?.contains("can never satisfy a step-up rule") == true, "\(line ?? "")")
                #expect(line?.contains("urn:example:acme") == true)
            }
        }
    }

    @Test func `files with secrets that others can read are named, and a sound broker warns of nothing`() async throws {
        try await Installation.run { broker in
            try await broker.serve { process, client in
                _ = try await client.get("/healthz")
                #expect(!process.log.text.contains(#""level":"warning""#), "\(process.log.text)")
            }
            try broker.folder.write(
                try broker.folder.text(of: "plugins.json"), to: "plugins.json", permissions: 0o644)
            try await broker.serve { process, _ in
                let line = try #require(await process.log.firstLine(where: Self.isWarning))

                #expect(line.contains("can be read by others") && line.contains("plugins.json"))
            }
        }
    }

    @Test(arguments: ["broker.json", "plugins.json"])
    func `a configuration that others can write to is refused`(name: String) async throws {
        try await Installation.run { broker in
            try broker.folder.write(try broker.folder.text(of: name), to: name, permissions: 0o666)

            let result = try await broker.command("serve", "--json", "--listen", "127.0.0.1:0")

            #expect(result.exitCode != 0)
            #expect(result.errors.contains("others on this host can write to"), "\(result)")
        }
    }
}

import Foundation
import PostgreSQLTesting
import ProviderKit
import Testing

@Suite("broker config show, and the variables", .timeLimit(.minutes(20)))
struct ConfigCommandTests {
    private static func settings(
        _ broker: Installation, _ environment: [String: String] = [:]
    ) async throws -> [String: JSONValue] {
        let shown = try await broker.command("config", "show", "--json", environment: environment)
        #expect(shown.exitCode == 0, "\(shown)")
        let settings = try #require(try JSONValue(parsing: shown.output)["settings"]?.array)
        return Dictionary(uniqueKeysWithValues: settings.map { ($0["name"]?.string ?? "", $0) })
    }

    @Test func `a value comes from the file, from a variable or is the default`() async throws {
        try await Installation.run(engine: .sqlite) { broker in
            let settings = try await Self.settings(broker, ["BROKER_LISTEN": "127.0.0.1:9177"])

            #expect(settings["project.id"]?["value"] == "my-app")
            #expect(settings["project.id"]?["source"]?.string?.hasSuffix("broker.json") == true)
            #expect(settings["listen"]?["value"] == "127.0.0.1:9177")
            #expect(settings["listen"]?["source"] == "BROKER_LISTEN")
            #expect(
                settings["sessions.perUser"]?["value"] == 200 && settings["sessions.perUser"]?["source"] == "default")
            #expect(settings["policy.preset"]?["value"] == "strict")
            #expect(settings["policy.refreshTokens"]?["value"] == "rotating")
            #expect(settings["policy.emailCollision"]?["value"] == "strict")
            let address = try #require(settings["rateLimits.unprovenRequestsPerAddress"]?["value"]?.integer)
            #expect(settings["rateLimits.unprovenRequestsPerSite"]?["value"] == .integer(20 * address))
            #expect(settings["rateLimits.unprovenRequestsPerSite"]?["source"] == "default")
            #expect(settings["metrics.listen"]?["value"] == nil && settings["metrics.listen"]?["remark"] == "off")
            #expect(settings["$schema"] == nil)
        }
    }

    @Test func `the text names each key with its value and origin`() async throws {
        try await Installation.run(engine: .sqlite) { broker in
            let shown = try await broker.command("config", "show")
            let line = try #require(shown.output.split(separator: "\n").first { $0.hasPrefix("withdrawals.days") })
            #expect(line.split(separator: " ") == ["withdrawals.days", "7", "default"])
        }
    }

    @Test func `a secret in the file and a password in a variable are hidden`() async throws {
        try await Installation.run(engine: .sqlite) { broker in
            var file = try #require(try JSONValue(parsing: try broker.folder.text(of: "broker.json")).object)
            file["database"] = ["url": "postgresql://ann:open-sesame@localhost/broker"]
            try broker.folder.write(JSONValue.object(file).serialized(), to: "broker.json")
            let hidden = try await broker.command("config", "show")
            let variable = try await broker.command(
                "config", "show", environment: ["BROKER_DATABASE": "postgresql://ann:open-sesame@localhost/broker"])

            for shown in [hidden, variable] {
                #expect(shown.exitCode == 0, "\(shown)")
                #expect(!shown.output.contains("open-sesame") && !shown.errors.contains("open-sesame"))
            }
            #expect(hidden.output.contains("(hidden)"), "\(hidden)")
        }
    }

    @Test func `each entry of plugins.json follows, with the plugin's defaults and without its secrets`() async throws {
        try await Installation.run(engine: .sqlite) { broker in
            let entries: JSONValue = [
                "providers": [
                    [
                        "use": "github", "displayName": "Work",
                        "options": ["clientId": "c", "clientSecret": "open-sesame", "url": "https://ghe.example"],
                    ],
                    [
                        "use": "1pass", "enabled": false,
                        "options": [
                            "clientSecret": ["env": "NOT_SET_HERE"], "webhookKeys": ["k": "open-sesame"],
                            "later": "open-sesame",
                        ],
                    ],
                ]
            ]
            try broker.folder.write(entries.serialized(), to: "plugins.json")
            let text = try await broker.command("config", "show")
            let settings = try await Self.settings(broker)

            #expect(text.exitCode == 0 && !text.output.contains("open-sesame"), "\(text)")
            #expect(settings["providers[github.com].displayName"]?["value"] == "Work")
            #expect(settings["providers[github.com].displayName"]?["source"]?.string?.hasSuffix("plugins.json") == true)
            #expect(settings["providers[github.com].enabled"]?["value"] == true)
            #expect(settings["providers[github.com].enabled"]?["source"] == "default")
            #expect(settings["providers[github.com].options.url"]?["value"] == "https://ghe.example")
            #expect(settings["providers[github.com].options.scopes"]?["value"] == ["read:user", "user:email"])
            #expect(settings["providers[github.com].options.scopes"]?["source"] == "default")
            #expect(settings["providers[github.com].options.clientSecret"]?["value"] == nil)
            #expect(settings["providers[github.com].options.clientSecret"]?["remark"] == "(hidden)")
            #expect(settings["providers[1pass.dev].options.clientSecret"]?["value"] == ["env": "NOT_SET_HERE"])
            #expect(settings["providers[1pass.dev].options.webhookKeys"]?["value"] == ["k": "(hidden)"])
            #expect(settings["providers[1pass.dev].options.later"]?["remark"] == "(hidden)")
            #expect(!JSONValue.object(JSONObject(settings.map { ($0.key, $0.value) })).serialized().contains("sesame"))
        }
    }

    @Test(arguments: ["plugins", "broker"])
    func `schema prints what the file beside the example is`(name: String) async throws {
        let printed = try await CommandResult.broker(["schema", name], in: try TestFolder())
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../\(name).schema.json")

        #expect(printed.exitCode == 0, "\(printed)")
        #expect(try JSONValue(parsing: printed.output) == JSONValue(parsing: String(contentsOf: file, encoding: .utf8)))
    }

    @Test(arguments: [
        (["BROKER_LISTN": "127.0.0.1:0"], "BROKER_LISTEN"), (["BROKER_SESSIONS": "5"], "Unset it"),
        (["BROKER_PUBLIC_URl": "https://id.example"], "BROKER_PUBLIC_URL"),
    ])
    func `a variable that nothing reads is refused with the nearest name`(
        environment: [String: String], says: String
    ) async throws {
        try await Installation.run(engine: .sqlite) { broker in
            let refused = try await broker.command("config", "show", environment: environment)
            #expect(refused.exitCode == 78 && refused.errors.contains(says), "\(refused)")
        }
    }

    @Test func `variables of the operator's files and of Kubernetes are no mistakes`() async throws {
        try await Installation.run(engine: .sqlite) { broker in
            var file = try #require(try JSONValue(parsing: try broker.folder.text(of: "broker.json")).object)
            file["masterKey"] = ["env": "BROKER_MASTER_KEY"]
            try broker.folder.write(JSONValue.object(file).serialized(), to: "broker.json")
            _ = try await Self.settings(
                broker,
                [
                    "BROKER_MASTER_KEY": "x", "BROKER_SERVICE_HOST": "10.0.0.1", "BROKER_SERVICE_PORT_HTTP": "80",
                    "BROKER_PORT": "tcp://10.0.0.1:80", "BROKER_PORT_80_TCP_ADDR": "10.0.0.1",
                    "BROKER_INTERNAL_SERVICE_HOST": "10.0.0.2",
                ])
        }
    }

    @Test func `a variable is named where its value is refused`() async throws {
        try await Installation.run(engine: .sqlite) { broker in
            let refused = try await broker.command("config", "show", environment: ["BROKER_LISTEN": "nowhere"])
            #expect(refused.exitCode == 78 && refused.errors.contains("BROKER_LISTEN: \"nowhere\""), "\(refused)")
        }
    }

    @Test func `a program that prints the master key may have variables of its own`() async throws {
        try await Installation.run(engine: .sqlite) { broker in
            var file = try #require(try JSONValue(parsing: try broker.folder.text(of: "broker.json")).object)
            file["masterKey"] = ["command": ["/usr/bin/true"]]
            try broker.folder.write(JSONValue.object(file).serialized(), to: "broker.json")
            _ = try await Self.settings(broker, ["BROKER_KEY_SERVICE": "https://keys.example"])
        }
    }
}

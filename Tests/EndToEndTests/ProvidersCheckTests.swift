import PostgreSQLTesting
import ProviderKit
import ProviderSimulators
import Testing

@Suite("broker providers check", .oneEngine("requests to providers"), .timeLimit(.minutes(20)))
struct ProvidersCheckTests {
    @Test(arguments: [[], ["github.com"], ["github"]])
    func `a client the provider knows is fine`(names: [String]) async throws {
        try await Installation.run { broker in
            let result = try await CommandResult.broker(
                ["providers", "check", "--json"] + names, in: broker.folder)

            #expect(result.exitCode == 0, "\(result)")
            #expect(result.codes == [["github.com", "ok"]])
            #expect(broker.github.hits(.checkToken) == 1)
        }
    }

    @Test func `the redirect URI to register is shown`() async throws {
        try await Installation.run { broker in
            let text = try await broker.command("providers", "check")
            let json = try await broker.command("providers", "check", "--json")

            let uri = "http://127.0.0.1:9099/oauth/callback/github.com"
            #expect(text.output.contains("\n  redirect URI: \(uri)"), "\(text)")
            let line = try JSONValue(parsing: json.output)["providers"]?.array?.first
            #expect(line?["redirectUri"]?.string == uri)
        }
    }

    @Test func `a wrong client secret is found, also in the text output`() async throws {
        try await Installation.run { broker in
            var application = broker.github.defaultApplication
            let secret = application.clientSecret
            application.clientSecret = randomText(40)
            broker.github.register(application)

            let result = try await broker.command("providers", "check", "--json")
            let text = try await broker.command("providers", "check")

            #expect(result.codes == [["github.com", "client-refused"]], "\(result)")
            #expect(text.output.contains("✗ github.com: ") && text.output.contains("[client-refused]"), "\(text)")
            #expect(text.output.contains("Copy client id and secret"), "\(text)")
            for result in [result, text] {
                #expect(result.exitCode == 1)
                #expect(!result.everything.contains(secret))
            }
        }
    }

    @Test func `a provider that hangs up is not a wrong configuration, and one that is gone is neither`() async throws {
        try await Installation.run { broker in
            broker.github.fail(.checkToken, with: .closeConnection)
            let broken = try await broker.command("providers", "check", "--json")
            await broker.github.stop()
            let gone = try await broker.command("providers", "check", "--json")

            #expect(broken.exitCode == 1 && broken.codes == [["github.com", "provider-unavailable"]], "\(broken)")
            #expect(gone.exitCode == 1 && gone.codes == [["github.com", "connection-failed"]], "\(gone)")
        }
    }

    @Test func `a name that has no address is found`() async throws {
        try await Installation.run { broker in
            try broker.writeProviders([broker.gitHub(at: "https://github.acme.invalid")])

            let result = try await broker.command("providers", "check", "--json")

            #expect(result.exitCode == 1 && result.codes == [["github.com", "name-not-found"]], "\(result)")
        }
    }

    @Test func `an address that may not be asked is found`() async throws {
        try await Installation.run { broker in
            try broker.writeProviders([
                broker.gitHub(at: broker.github.url.replacing("127.0.0.1", with: "localhost"))
            ])
            var configuration = try #require(try JSONValue(parsing: try broker.folder.text(of: "broker.json")).object)
            configuration["egress"] = ["privateNetworks": ["localhost": ["10.0.0.0/8"]]]
            try broker.folder.write(JSONValue.object(configuration).serialized(), to: "broker.json")

            let result = try await broker.command("providers", "check", "--json")

            #expect(result.exitCode == 1 && result.codes == [["github.com", "address-not-allowed"]], "\(result)")
            #expect(result.output.contains("privateNetworks"))
            #expect(broker.github.hits(.checkToken) == 0)
        }
    }

    @Test func `an untrusted certificate is found`() async throws {
        try await SelfSignedServer.run { url in
            try await Installation.run { broker in
                try broker.writeProviders([broker.gitHub(at: url)])

                let result = try await broker.command("providers", "check", "--json")

                #expect(result.exitCode == 1, "\(result)")
                #expect(Set(result.codes ?? []) == [["github.com", "certificate-refused"]], "\(result)")
            }
        }
    }

    @Test func `an entry's private network leads to its server, and to no other port`() async throws {
        try await SelfSignedServer.run { url in
            try await Installation.run { broker in
                let port = try #require(url.split(separator: ":").last.flatMap { Int64($0) })
                func codes(_ networks: JSONValue?) async throws -> Set<[String]> {
                    var entry = try #require(broker.gitHub(at: url).object)
                    entry["allowInsecureLoopback"] = nil
                    entry["privateNetworks"] = networks
                    try broker.writeProviders([.object(entry)])
                    return Set(try await broker.command("providers", "check", "--json").codes ?? [])
                }

                let closed = try await codes(nil)
                let open = try await codes([["range": "127.0.0.1", "ports": [.integer(port)]]])
                let elsewhere = try await codes([["range": "127.0.0.1", "ports": [.integer(port ^ 1)]]])

                #expect(open == [["github.com", "certificate-refused"]])
                #expect(closed == [["github.com", "address-not-allowed"]] && elsewhere == closed)
            }
        }
    }

    @Test func `https to a port that speaks http fails to connect`() async throws {
        try await Installation.run { broker in
            let url = broker.github.url.replacing("http://", with: "https://")
            try broker.writeProviders([broker.gitHub(at: url)])

            let result = try await broker.command("providers", "check", "--json")

            #expect(result.exitCode == 1 && result.codes == [["github.com", "connection-failed"]], "\(result)")
        }
    }

    @Test(arguments: [(300, "ahead of"), (-300, "behind")])
    func `a clock that is minutes off is found, and which one`(seconds: Int, side: String) async throws {
        try await Installation.run { broker in
            broker.github.clock.advance(by: .seconds(seconds))

            let result = try await broker.command("providers", "check", "--json")

            #expect(result.exitCode == 1 && result.codes == [["github.com", "clock-skew"]], "\(result)")
            #expect(result.output.contains(" s \(side) this host's"))
        }
    }

    @Test func `a clock that is seconds off is fine`() async throws {
        try await Installation.run { broker in
            broker.github.clock.advance(by: .seconds(20))

            let result = try await broker.command("providers", "check", "--json")

            #expect(result.exitCode == 0 && result.codes == [["github.com", "ok"]], "\(result)")
        }
    }

    @Test func `an entry that is off is named, and is a problem only for who asked about it`() async throws {
        try await Installation.run { broker in
            let off: JSONValue = ["id": "github.later", "use": "github", "enabled": false, "options": [:]]
            try broker.writeProviders([broker.gitHub(at: broker.github.url), off])

            let all = try await broker.command("providers", "check", "--json")
            let named = try await broker.command("providers", "check", "github.later", "--json")

            #expect(all.exitCode == 0 && all.codes == [["github.com", "ok"], ["github.later", "off"]], "\(all)")
            #expect(named.exitCode == 1 && named.codes == [["github.later", "off"]], "\(named)")
        }
    }

    @Test func `an unknown provider is wrong usage, and the nearest one is named`() async throws {
        try await Installation.run { broker in
            let result = try await broker.command("providers", "check", "gihtub.com", "--json")

            #expect(result.exitCode == 64, "\(result)")
            #expect(result.errors.contains("Did you mean github.com?"), "\(result)")
            #expect(result.errorCode == "UNKNOWN_PROVIDER")
        }
    }
}

extension CommandResult {
    /// Each line's provider and code.
    fileprivate var codes: [[String]]? {
        (try? JSONValue(parsing: output))?["providers"]?.array?.map {
            [$0["id"]?.string ?? "", $0["code"]?.string ?? ""]
        }
    }
}

extension Installation {
    /// The entry for GitHub at another place.
    fileprivate func gitHub(at url: String) -> JSONValue {
        [
            "id": "github.com", "use": "github", "allowInsecureLoopback": true,
            "options": [
                "url": .string(url), "apiUrl": .string(url + "/api"),
                "clientId": .string(github.defaultApplication.clientID),
                "clientSecret": .string(github.defaultApplication.clientSecret),
            ],
        ]
    }

    fileprivate func writeProviders(_ entries: [JSONValue]) throws {
        try folder.write(JSONValue.object(["providers": .array(entries)]).serialized(), to: "plugins.json")
    }
}

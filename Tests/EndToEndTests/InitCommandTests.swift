import Foundation
import ProviderKit
import Subprocess
import Testing

@Suite("broker init", .timeLimit(.minutes(20)))
struct InitCommandTests {
    @Test func `it writes three files that only their owner can read, and a broker starts with them`() async throws {
        let folder = try TestFolder()

        let result = try await CommandResult.broker(["init", "--json", "--project", "shop"], in: folder)

        #expect(result.exitCode == 0, "\(result)")
        let document = try JSONValue(parsing: result.output)
        #expect(document["configuration"]?.string?.hasSuffix("/broker.json") == true)
        #expect(document["plugins"]?.string?.hasSuffix("/plugins.json") == true)
        #expect(document["masterKey"]?.string?.hasSuffix("/master.key") == true)
        for name in ["broker.json", "plugins.json", "master.key"] {
            #expect(try folder.permissions(of: name) == 0o600, "\(name)")
        }
        let apiKey = try #require(document["apiKey"]?.string)
        try await BrokerProcess.run(["serve", "--json", "--listen", "127.0.0.1:0"], in: folder) { process in
            let line = try #require(await process.output.firstLine(), "\(process.log.text)")
            let url = try #require(try JSONValue(parsing: line)["broker"]?.string)
            let answer = try await IdentityToolkitApp(url: url, apiKey: apiKey).send(
                "GET", "/v1/projects?key=\(apiKey)")
            #expect(answer.status == 200, "\(answer)")
            #expect(try folder.permissions(of: "data") == 0o700)
            #expect(try folder.permissions(of: "data/broker.sqlite") == 0o600)
        }
    }

    @Test func `what it is told stands in the file, and every run draws its own secrets`() async throws {
        let folder = try TestFolder()
        let other = try TestFolder()

        let result = try await CommandResult.broker(
            [
                "init", "--directory", folder.file("new"), "--public-url", "https://id.example", "--project", "shop",
                "--origin", "https://shop.example",
            ], in: folder)
        let second = try await CommandResult.broker(["init"], in: other)

        #expect(result.exitCode == 0, "\(result)")
        #expect(second.exitCode == 0, "\(second)")
        let configuration = try JSONValue(parsing: try folder.text(of: "new/broker.json"))
        #expect(configuration["publicURL"] == "https://id.example")
        #expect(configuration["project"]?["id"] == "shop")
        #expect(configuration["policy"] == "strict")
        #expect(configuration["signIn"]?["anonymous"] == false)
        #expect(configuration["apiKeys"]?.array?.first?["origins"] == ["https://shop.example"])
        let apiKey = try #require(configuration["apiKeys"]?.array?.first?["key"]?.string)
        #expect(result.output.contains(apiKey))
        #expect(try folder.text(of: "new/master.key") != other.text(of: "master.key"))
        #expect(try !other.text(of: "broker.json").contains(apiKey))
        let masterKey = try folder.text(of: "new/master.key").prefix(43)
        #expect(!result.everything.contains(masterKey))
    }

    @Test func `its next step names the configuration wherever it is, and can be pasted`() async throws {
        let folder = try TestFolder()
        let other = try TestFolder()

        let elsewhere = try await CommandResult.broker(["init", "--directory", "the broker's"], in: folder)
        let here = try await CommandResult.broker(["init"], in: other)

        let next = try #require(elsewhere.output.split(separator: "\n").last { $0.hasPrefix("  broker ") })
        let check = try #require(next.components(separatedBy: " && ").first)
        let words = try await Self.words(of: check)
        #expect(words.prefix(4) == ["broker", "providers", "check", "--config"], "\(next)")
        #expect(words.last?.hasSuffix("/the broker's/broker.json") == true, "\(next)")
        let checked = try await CommandResult.broker(Array(words.dropFirst()), in: other)
        #expect(checked.exitCode == 0 && checked.output.contains("No providers."), "\(checked)")
        #expect(here.output.contains("broker providers check && broker serve\n"), "\(here)")
    }

    @Test func `its next step adds the provider that the help of providers add begins with`() async throws {
        let folder = try TestFolder()
        let written = try await CommandResult.broker(["init"], in: folder)
        let next = String(try #require(written.output.split(separator: "\n").first { $0.hasPrefix("  broker ") }))
        try folder.write("s3cret-of-the-app\n", to: "secret")
        let words = try await Self.words(
            of: next.replacing("CLIENT_ID", with: "Ov23liExample").replacing(
                "--prompt-secret", with: "--secret-file secret --disabled"))
        let added = try await CommandResult.broker(Array(words.dropFirst()), in: folder)
        let list = try await CommandResult.broker(["providers", "list", "--json"], in: folder)

        #expect(words.prefix(4) == ["broker", "providers", "add", "github.com"], "\(written)")
        #expect(added.exitCode == 0, "\(added)")
        let providers = try #require(try JSONValue(parsing: list.output)["providers"]?.array)
        #expect(providers.map { $0["id"] } == ["github.com"] && providers.first?["source"] == "store", "\(list)")
    }

    /// What a shell makes of a line.
    private static func words(of line: String) async throws -> [String] {
        let result = try await Subprocess.run(
            .name("sh"), arguments: ["-c", #"printf '%s\n' "# + line], output: .string(limit: 1 << 16))
        return result.standardOutput.split(separator: "\n").map(String.init)
    }

    @Test func `the hosts of origins are authorized domains, localhost only of a broker on this machine`() async throws
    {
        let folder = try TestFolder()
        let options = [
            "--directory", "public", "--public-url", "https://id.example", "--origin", "https://app.example",
            "--origin", "https://app.example:8443",
        ]
        _ = try await CommandResult.broker(["init"] + options, in: folder)
        _ = try await CommandResult.broker(["init", "--origin", "http://127.0.0.1:3000"], in: folder)

        func domains(_ file: String) throws -> JSONValue? {
            try JSONValue(parsing: try folder.text(of: file))["project"]?["authorizedDomains"]
        }
        #expect(try domains("public/broker.json") == ["id.example", "app.example"])
        #expect(try domains("broker.json") == ["localhost", "127.0.0.1"])
    }

    @Test(arguments: [
        ["--public-url", "not-a-url"], ["--public-url", "http://id.example"], ["--project", "My App"],
        ["--origin", "http://localhost:3000/"],
    ])
    func `what a broker would refuse to start with is not written`(options: [String]) async throws {
        let folder = try TestFolder()

        let result = try await CommandResult.broker(["init"] + options, in: folder)

        #expect(result.exitCode == 78, "\(result)")
        #expect(try folder.names() == [])
    }

    @Test(arguments: ["broker.json", "plugins.json", "master.key"])
    func `it never overwrites a file, and then writes none of the others`(name: String) async throws {
        let folder = try TestFolder()
        let mine = randomText()
        try folder.write(mine, to: name)

        let result = try await CommandResult.broker(["init", "--json"], in: folder)

        #expect(result.exitCode == 1, "\(result)")
        #expect(try JSONValue(parsing: result.output)["error"]?["code"] == "FILE_EXISTS")
        #expect(result.errors.contains(name))
        #expect(try folder.text(of: name) == mine)
        #expect(try folder.names() == [name])
    }
}

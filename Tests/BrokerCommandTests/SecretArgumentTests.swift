import ArgumentParser
import ProviderKit
import Testing

@testable import BrokerCommand

@Suite("Secrets and the command line, which every user of the host can read")
struct SecretArgumentTests {
    /// Options and arguments whose names speak of secrets, and that take a file, an id or a kind of thing.
    private static let harmless: Set<String> = [
        "broker serve --tls-key", "broker providers add --secret-file", "broker providers add --private-network",
        "broker providers update --secret-file", "broker providers update --private-network",
        "broker apple key import --key-id", "broker apple client-secret --secret", "broker users import --passwords",
        "broker clients add --id-token-alg", "broker clients add --provider-tokens",
        "broker clients update --provider-tokens", "broker link --credential", "broker reauth --credential",
        "broker refusals --code",
    ]

    private static let words = [
        "secret", "token", "password", "passphrase", "credential", "private", "code", "nonce", "verifier", "assertion",
        "key", "cookie",
    ]

    @Test func `no command takes a secret as an option or an argument`() throws {
        let help = try JSONValue(parsing: Array(RootCommand._dumpHelp().utf8))
        var found: Set<String> = []
        func visit(_ command: JSONValue, below parent: String) {
            let name = parent + (command["commandName"]?.string ?? "")
            for argument in command["arguments"]?.array ?? [] where argument["kind"] != "flag" {
                let names = (argument["names"]?.array ?? []).compactMap { $0["name"]?.string }
                let value = argument["valueName"]?.string ?? ""
                guard Self.words.contains(where: { word in (names + [value]).contains { $0.contains(word) } }) else {
                    continue
                }
                found.insert("\(name) \(names.first.map { "--\($0)" } ?? value)")
            }
            for subcommand in command["subcommands"]?.array ?? [] { visit(subcommand, below: name + " ") }
        }
        visit(try #require(help["command"]), below: "")

        #expect(found == Self.harmless)
    }
}

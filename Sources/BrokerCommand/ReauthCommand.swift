import ArgumentParser
import Broker
import BrokerStore
import ProviderKit

struct ReauthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reauth", abstract: "Say whether a provider's credential proves a user.",
        discussion: """
            For support: is the person at the other end who they say they are? The credential comes from a file or from
            standard input, or the person signs in on another device, as with `broker link`. Exits 0 when it proves the user and 1 when it does not. Nothing but an
            audit row is written.

            Examples:
              broker reauth --provider github --user ann@example.com --credential token.txt
              pass show github-token | broker reauth --provider github --user kX3… --json
              broker reauth --provider github --device --user ann@example.com
            """)

    @OptionGroup var credentials: CredentialOptions

    @Option(name: .long, help: "localId or e-mail address of the user to be proven.")
    var user: String

    @OptionGroup var options: ConfigurationOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await output.reporting {
            let credential = try credentials.read()
            let (id, localID, finding) = try await options.withCore(asksProviders: true) { core in
                let id = try core.providers.named(credentials.provider).id
                let localID = try await core.user(named: user).user.localID
                let source = try await credentials.source(credential, from: id, core, json: output.json)
                let finding = try await core.reauthenticate(source, as: localID, origin: .commandLine())
                return (id, localID, finding)
            }
            output(finding.document(provider: id), text: finding.text(provider: id, expected: localID))
            if !finding.matches { throw ExitCode.failure }
        }
    }
}

extension Reauthenticate.Finding {
    fileprivate func document(provider: String) -> JSONValue {
        var object: JSONObject = [
            "matches": .bool(matches), "provider": .string(provider), "subject": .string(subject),
        ]
        object["displayName"] = displayName.map(JSONValue.string)
        object["screenName"] = screenName.map(JSONValue.string)
        object["email"] = email.map(JSONValue.string)
        object["localId"] = (owner?.user.localID).map(JSONValue.string)
        return .object(object)
    }

    fileprivate func text(provider: String, expected: String) -> String {
        let person = [displayName, screenName, email].compactMap(\.self).joined(separator: ", ")
        let isDisabled = owner?.user.isDisabled == true ? ", who is disabled" : ""
        let verdict =
            switch owner?.user.localID {
            case nil: "✗ No user signs in with it."
            case let owner? where matches: "✓ That is user \(owner)\(isDisabled)."
            case let owner?: "✗ That is not \(expected) but user \(owner)\(isDisabled)."
            }
        return "\(provider) says this credential belongs to \(person) (subject \(subject)).\n\(verdict)"
    }
}

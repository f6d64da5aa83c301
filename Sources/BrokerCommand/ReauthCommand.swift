import ArgumentParser
import Broker
import BrokerStore
import ProviderKit

struct ReauthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reauth", abstract: "Say whether a provider's credential proves a user.",
        discussion: """
            For support: is the person at the other end who they say they are? They sign in with a browser, or at the
            provider with --device, or a credential comes from a file or standard input, all as with `broker link`.
            Exits 0 when it proves the user and 1 when it does not. Nothing but an audit row is written.

            A browser may still have been signed in at the provider. The provider is asked for a new login, and this
            says whether it vouches for one: providers that cannot say when a person signed in, such as GitHub, prove
            the account, not that somebody typed a password just now.

            Examples:
              broker reauth --provider github --user ann@example.com
              broker reauth --provider github --user ann@example.com --credential token.txt
              pass show github-token | broker reauth --provider github --user kX3… --json
              broker reauth --provider github --device --user ann@example.com
            """.paragraphs)

    @OptionGroup var credentials: CredentialOptions

    @Option(name: .long, help: "localId or e-mail address of the user to be proven.")
    var user: String

    @OptionGroup var options: ConfigurationOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await output.reporting {
            let way = try credentials.way()
            let (id, localID, finding, authentication) = try await options.withCore(asksProviders: true) { core in
                let id = try core.providers.named(credentials.provider).id
                let localID = try await core.user(named: user).user.localID
                let given = try await credentials.given(
                    by: way, from: id, core, asksAnew: true, json: output.json)
                let finding = try await core.reauthenticate(given.source, as: localID, origin: .commandLine())
                return (id, localID, finding, given.authentication)
            }
            var text = finding.text(provider: id, expected: localID)
            if let authentication { text = "\(text)\n\(authentication.text(provider: id))" }
            output(finding.document(provider: id, authentication), text: text)
            if !finding.matches { throw ExitCode.failure }
        }
    }
}

extension Reauthenticate.Finding {
    fileprivate func document(provider: String, _ authentication: TerminalSignIn.Outcome?) -> JSONValue {
        var object: JSONObject = [
            "matches": .bool(matches), "provider": .string(provider), "subject": .string(subject),
        ]
        object["displayName"] = displayName.map(JSONValue.string)
        object["screenName"] = screenName.map(JSONValue.string)
        object["email"] = email.map(JSONValue.string)
        object["localId"] = (owner?.user.localID).map(JSONValue.string)
        if let authentication {
            object["fresh"] = .bool(authentication.isFresh)
            object["authTime"] = authentication.authTime.map(JSONValue.integer)
            object["amr"] = .array(authentication.methods.map(JSONValue.string))
        }
        return .object(object)
    }

    fileprivate func text(provider: String, expected: String) -> TerminalText {
        let person = TerminalText(names: [displayName, screenName, email])
        let isDisabled = owner?.user.isDisabled == true ? ", who is disabled" : ""
        let verdict: TerminalText =
            switch owner?.user.localID {
            case nil: "✗ No user signs in with it."
            case let owner? where matches: "✓ That is user \(owner)\(isDisabled)."
            case let owner?: "✗ That is not \(expected) but user \(owner)\(isDisabled)."
            }
        return "\(provider) says this credential belongs to \(person) (subject \(subject)).\n\(verdict)"
    }
}

extension TerminalSignIn.Outcome {
    /// What was really proven about the login itself.
    fileprivate func text(provider: String) -> TerminalText {
        let how = methods.isEmpty ? "" : " (\(methods.joined(separator: ", ")))"
        guard let authTime else { return "\(provider) does not say when they signed in there: freshness not proven." }
        let moment = Timestamp(milliseconds: authTime.multipliedReportingOverflow(by: 1000).partialValue).text
        return isFresh
            ? "\(provider) saw them sign in just now\(how)."
            : "They signed in at \(provider) at \(moment)\(how), before this was asked: freshness not proven."
    }
}

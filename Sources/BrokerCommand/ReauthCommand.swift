import ArgumentParser
import Broker
import BrokerStore
import ProviderKit

struct ReauthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reauth", abstract: "Verify that a provider's credential belongs to a user.",
        discussion: """
            For support: the command verifies the identity of a caller. The caller signs in with a browser, or at the
            provider with --device, or a file or standard input contains a credential, as with `broker link`. Exits 0
            when the credential belongs to the user, otherwise 1. The command writes only an audit row.

            The browser may already have a session at the provider. The command requests a new login and shows whether
            the provider asserts one (auth_time). A provider that does not report the time of the login, such as GitHub,
            verifies the account but not a new login.

            Examples:
              broker reauth --provider github --user ann@example.com
              broker reauth --provider github --user ann@example.com --credential token.txt
              pass show github-token | broker reauth --provider github --user kX3… --json
              broker reauth --provider github --device --user ann@example.com
            """.paragraphs)

    @OptionGroup var credentials: CredentialOptions

    @Option(name: .long, help: "localId or e-mail address of the expected user.", completion: .users)
    var user: String

    @OptionGroup var options: ConfigurationOptions
    @OptionGroup var host: HostOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await output.reporting {
            let way = try credentials.way()
            let (matches, document, text) = try await options.withCore(asksProviders: true) { core in
                let id = try core.providers.current.named(credentials.provider).id
                let localID = try await core.admin.user(named: user).user.localID
                let (credential, login) = try await credentials.verified(
                    by: way, from: id, core, requiresLogin: true, json: output.json)
                let finding = try await core.accounts.reauthenticate(credential, as: localID, origin: .commandLine())
                var text = finding.text(credential, from: id, expected: localID)
                if let login { text = "\(text)\n\(login.text(provider: id))" }
                return (finding.matches, finding.document(credential, from: id, login), text)
            }
            output(document, text: text)
            if !matches { throw ExitCode.failure }
        }
    }
}

extension ReauthenticationFinding {
    fileprivate func document(
        _ credential: VerifiedCredential, from provider: String, _ login: DeviceIdentity?
    ) -> JSONValue {
        var object: JSONObject = [
            "matches": .bool(matches), "provider": .string(provider), "subject": .string(credential.subject),
        ]
        object["displayName"] = credential.displayName.map(JSONValue.string)
        object["screenName"] = credential.screenName.map(JSONValue.string)
        object["email"] = credential.email.map(JSONValue.string)
        object["localId"] = (owner?.user.localID).map(JSONValue.string)
        if let login {
            object["fresh"] = .bool(login.isFresh)
            object["authTime"] = login.authTime.map(JSONValue.integer)
            object["amr"] = .array(login.methods.map(JSONValue.string))
        }
        return .object(object)
    }

    fileprivate func text(_ credential: VerifiedCredential, from provider: String, expected: String) -> TerminalText {
        let isDisabled = owner?.user.isDisabled == true ? ", who is disabled" : ""
        let comparison: TerminalText =
            switch owner?.user.localID {
            case nil: "✗ No user has this identity."
            case let owner? where matches: "✓ That is user \(owner)\(isDisabled)."
            case let owner?: "✗ That is not \(expected) but user \(owner)\(isDisabled)."
            }
        return "At \(provider) this credential belongs to \(TerminalText(credential)).\n\(comparison)"
    }
}

extension DeviceIdentity {
    /// Whether the provider asserts a new login.
    fileprivate func text(provider: String) -> TerminalText {
        let how = methods.isEmpty ? "" : " (\(methods.joined(separator: ", ")))"
        guard let authTime else { return "\(provider) does not report the time of the login: freshness not verified." }
        let moment = Timestamp(milliseconds: authTime.multipliedReportingOverflow(by: 1000).partialValue).text
        return isFresh
            ? "The login at \(provider) is new\(how)."
            : "The login at \(provider) was at \(moment)\(how), before this request: freshness not verified."
    }
}

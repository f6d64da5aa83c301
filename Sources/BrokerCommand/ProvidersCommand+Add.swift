import ArgumentParser
import Broker
import ProviderKit

extension ProvidersCommand {
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Add an entry to the store.",
            discussion: """
                For a provider of the catalogue (broker providers catalogue) its name and the client are enough; --from
                names it where the entry gets an id of its own. Otherwise the id decides the type where --type is absent:
                github.com, gitlab.com, apple.com and 1pass.dev, and oidc.<name> or oauth2.<name> for any other provider.
                The client's secret is read from a file, from standard input (-) or at the terminal; for apple it is the
                .p8 file. It is sealed in the store and never shown again.

                The entry is checked against the provider first, and added disabled if the check finds a problem. The
                command prints the redirect URI to register at the provider. Further options of the type are set with
                --option, further members of the entry with --set; Docs/Providers.md lists both. --allow-insecure-loopback and --private-network are accepted on
                the broker's host only.

                A caller who decides which provider proves a user may become any user: remotely this needs the scope
                providers:trust. If users have an identity of an earlier entry with the id, the new entry signs them in;
                on the host that needs --yes.

                Examples:
                  broker providers add google --client-id 1234.apps.googleusercontent.com \\
                    --secret-file google-secret
                  broker providers add oidc.acme --from microsoft-tenant \\
                    --variable tenant=1b2c… --client-id 5d6e… --prompt-secret
                  broker providers add github.com --client-id Ov23li… \\
                    --secret-file github-secret
                  broker providers add oidc.keycloak --issuer https://id.example/realms/a \\
                    --client-id broker --prompt-secret
                  broker providers add apple.com --secret-file AuthKey_ABC1234567.p8 \\
                    --option teamId=DEF1234567 --option keyId=ABC1234567 \\
                    --option 'clientIds=["com.example.app"]'
                  broker providers add 1pass.dev --client-id logi_1 --prompt-secret \\
                    --app-redirect com.example.app:/1pass
                """.paragraphs)

        @Argument(
            help: "The name of a provider of the catalogue, or the id of the new entry: the providerId that apps send.")
        var id: String

        @Option(name: .long, help: "The name of the provider of the catalogue that the entry is made from.")
        var from: String?

        @Option(
            name: .customLong("variable"),
            help: "A variable of the provider of the catalogue: NAME=VALUE; repeatable.")
        var variables: [String] = []

        @Option(name: .long, help: "The plugin: github, gitlab, apple, 1pass, oidc, oauth2, or one of this build.")
        var type: String?

        @Flag(name: .long, help: "Add it disabled.")
        var disabled = false

        @Flag(name: .long, help: "Let it sign in the users of an earlier entry with the id, without asking.")
        var yes = false

        @OptionGroup var entry: ProviderEntryOptions
        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let name = type == nil && ProviderCatalogue.embedded.provider(named: id) != nil ? from ?? id : from
                // A broker may know a provider that this program does not.
                let use =
                    try name.map { type ?? ProviderCatalogue.embedded.provider(named: $0)?.use } ?? typeOfID()
                var document = try entry.changes(use: use)
                if from != nil || name == nil { document["id"] = .string(id) }
                if name == nil || type != nil { document["use"] = use.map(JSONValue.string) }
                document["enabled"] = .bool(!disabled)
                let answer = try await add(document, from: name, try values())
                try output(answer) { Self.text($0) }
            }
        }

        private func add(
            _ document: JSONObject, from name: String?, _ variables: JSONObject?
        ) async throws -> AddProvider.Answer {
            func operation(takesUsers: Bool?) -> AddProvider {
                AddProvider(
                    entry: document, from: name, variables: variables, subjects: entry.subjects, takesUsers: takesUsers)
            }
            return try await options.withExecutor { run in
                do {
                    return try await run(operation(takesUsers: yes ? true : nil))
                } catch let error as AdminFailure where error.code == AddProvider.notConfirmed {
                    guard (try? Confirmation.requireTerminal()) != nil else { throw error }
                    try Confirmation.require(
                        "Let the new entry sign in the users of an earlier entry with its id? [y/N] ",
                        otherwise: "nothing was added")
                    return try await run(operation(takesUsers: true))
                }
            }
        }

        /// The values of the variables; nil for none.
        private func values() throws(CommandFailure) -> JSONObject? {
            guard !variables.isEmpty else { return nil }
            var values = JSONObject()
            for text in variables {
                let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                guard parts.count == 2, !parts[0].isEmpty else {
                    throw CommandFailure(
                        code: "INVALID_OPTION", "--variable takes NAME=VALUE, not \(text)",
                        exitCode: .validationFailure)
                }
                values[parts[0]] = .string(parts[1])
            }
            return values
        }

        private func typeOfID() throws(CommandFailure) -> String {
            if let type { return type }
            if let plugin = BrokerProgram.plugins.first(where: { $0.publicInstance?.id.hasSameBytes(as: id) ?? false })
            {
                return plugin.kind.rawValue
            }
            if let kind = ProviderEntry.genericKinds.first(where: { id.hasPrefix($0 + ".") }) { return kind }
            let nearest = ProviderCatalogue.embedded.nearest(to: id)
            throw CommandFailure(
                code: "MISSING_TYPE",
                "\(id) is no provider of the catalogue and no id that tells the type: "
                    + (nearest.map { "did you mean \($0)?" } ?? "see broker providers catalogue, or add --type"),
                exitCode: .validationFailure)
        }

        private static func text(_ answer: AddProvider.Answer) -> TerminalText {
            let provider = answer.provider
            let problems = answer.findings.map { finding -> TerminalText in "\n\(finding.line)" }.joined()
            let state: TerminalText =
                answer.findings.isEmpty
                ? (provider.enabled ? "enabled. " : "disabled. ")
                : "disabled, because its check found a problem:\(problems)\n"
            let next: TerminalText =
                answer.findings.isEmpty
                ? "Then check it: broker providers check \(provider.id)"
                : "When the problem is solved: broker providers enable \(provider.id)"
            let registration = answer.catalogue.map { listed -> TerminalText in
                let steps = listed.registration.map { step -> TerminalText in "\n  - \(step)" }
                return "\nThere (\(listed.links.console)):\(steps.joined())"
            }
            return """
                Added \(provider.id), \(state)Register this redirect URI at the provider:
                  \(provider.redirectUri)\(registration ?? "")
                \(next)
                """
        }
    }

    struct Update: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "update", abstract: "Change an entry of the store, such as its secret.",
            discussion: """
                What no option names stays. Its id and its type cannot be changed. An entry of plugins.json is changed in
                the file.

                Its secrets are bound to the issuer, the endpoints and the client id: a change of one of them takes the
                secret again. Remotely, every change but of the name and the scopes needs the scope providers:trust.

                A change of how users are told apart, such as the instance's URL or claims.subject, would make every user a
                new one and is refused without --subjects. For an entry of plugins.json, change the file and then run this
                command on the host with --subjects alone.

                Examples:
                  broker providers update github.com --secret-file new-secret
                  broker providers update oidc.keycloak --display-name "Acme" --trust-email true
                  broker providers update oauth2.acme --subjects new
                """.paragraphs)

        @Argument(help: "The provider's id.")
        var id: String

        @OptionGroup var entry: ProviderEntryOptions
        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let changes = try entry.changes(use: Self.use(of: id))
                guard !changes.isEmpty || entry.subjects != nil else {
                    throw CommandFailure(
                        code: "NO_CHANGE", "nothing to change: add an option, see --help", exitCode: .validationFailure)
                }
                let answer = try await options.run(UpdateProvider(id: id, changes: changes, subjects: entry.subjects))
                try output(answer) { _ in "Updated \(id)." }
            }
        }

        /// The type that the id tells; nil where it tells none.
        private static func use(of id: String) -> String? {
            BrokerProgram.plugins.first { plugin in
                plugin.publicInstance?.id.hasSameBytes(as: id) == true || id.hasPrefix("\(plugin.kind).")
            }?.kind.rawValue
        }
    }
}

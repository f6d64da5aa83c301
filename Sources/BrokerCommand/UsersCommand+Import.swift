import ArgumentParser
import Broker
import Foundation
import ProviderKit

extension UsersCommand {
    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: "Import users of Firebase, Supabase, Auth0, another broker, or a CSV file.",
            discussion: """
                Ids stay, so that what apps store under them stays valid. Identities are given to the enabled entries of
                plugins.json with the same id, or as --map says. A user whose id, e-mail address or identity belongs to
                another user is refused and reported; no identity ever changes its user. Password hashes, telephone
                numbers and tokens are not imported.

                Users without an identity of an enabled entry, such as those with a password only, need a decision:
                --passwords keep or --passwords skip.

                The file is read twice: nothing is written while a decision is missing or the file is damaged. After an
                interruption run the same command again: users who were imported are passed over. The report names every
                field that is not imported, and every refused user. Docs/Migration.md has the steps for each system.

                Examples:
                  broker users import users.json --format firebase --passwords skip --dry-run
                  broker users import users.json --format firebase \\
                    --passwords skip --output report.jsonl
                  broker users import users.ndjson --format auth0 \\
                    --map okta-prod=oidc.okta --passwords keep
                """.paragraphs)

        @Argument(help: "The file.")
        var file: String

        @Option(name: .long, help: "The format of the file: firebase, supabase, auth0, jsonl or csv.")
        var format: String

        @Option(
            name: .long,
            help: "NAME=ENTRY: the entry for a provider of the file; NAME=none leaves its identities out.")
        var map: [String] = []

        @Option(name: .long, help: "keep or skip users who could not sign in here.")
        var passwords: String?

        @Flag(name: .long, help: "Replace existing users with the same id. Their sessions end.")
        var overwrite = false

        @Flag(name: .long, help: "Check everything and write nothing.")
        var dryRun = false

        @Option(name: .long, help: "Write a report to this file, one JSON object in each line.")
        var output: String?

        @Option(name: .long, help: ArgumentHelp("The earlier name of --output.", visibility: .hidden))
        var report: String?

        @OptionGroup var options: AdministrationOptions
        @OptionGroup var reporting: OutputOptions

        func validate() throws {
            guard UserFileFormat(rawValue: format) != nil else {
                throw ValidationError("--format takes firebase, supabase, auth0, jsonl or csv.")
            }
            guard passwords.map({ UserImport.WithoutIdentity(rawValue: $0) != nil }) ?? true else {
                throw ValidationError("--passwords takes keep or skip.")
            }
            guard output == nil || report == nil else {
                throw ValidationError("--report is --output: pass one of them.")
            }
        }

        func run() async throws {
            try await reporting.reporting {
                guard let format = UserFileFormat(rawValue: format) else { throw ExitCode.validationFailure }
                let report = try ImportReport(output ?? report)
                let work = UserImport(
                    path: file, format: format, connections: map,
                    withoutIdentity: passwords.flatMap(UserImport.WithoutIdentity.init), replacesExisting: overwrite,
                    isDryRun: dryRun, report: report)
                let summary = try await options.withExecutor(asksProviders: ImportUserPage.declaration.asksProviders) {
                    try await work($0)
                }
                reporting(.object(summary.document), text: summary.text)
                guard summary.refused > 0 else { return }
                for refusal in report.firstRefusals { TerminalText("broker: refused \(refusal)").warn() }
                throw ExitCode.failure
            }
        }
    }
}

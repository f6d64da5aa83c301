import ArgumentParser
import Broker
import BrokerStore
import Foundation
import ProviderKit

extension AppleCommand {
    struct Migrate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "migrate", abstract: "Migrate the users of an app that goes to another team.",
            discussion: """
                Apple's subjects belong to a team. Before the app is transferred, prepare asks Apple as the former team for \
                a transfer subject of every user. After the transfer, exchange asks as the new team for the new subjects \
                and applies them. Both store every answer: after an interruption, resume continues. Apple exchanges \
                subjects for sixty days after the transfer.

                The file about both teams; for a team of another organization teamId alone is enough:
                  {"from": {"teamId": "…", "keyId": "…", "clientId": "…",
                            "privateKey": {"file": "AuthKey_….p8"}},
                   "to":   {"teamId": "…", "keyId": "…", "clientId": "…",
                            "privateKey": {"file": "AuthKey_….p8"}}}

                Examples:
                  broker apple migrate prepare --teams teams.json --dry-run
                  broker apple migrate prepare --teams teams.json \\
                    --first 001234.0123456789abcdef.1234
                  broker apple migrate exchange --teams teams.json --transferred-on 2026-05-04
                  broker apple migrate status
                """.paragraphs,
            subcommands: [Prepare.self, Exchange.self, Resume.self, Status.self, Export.self, Import.self])
    }
}

/// The entry and the teams of a migration.
struct MigrationOptions: ParsableArguments {
    @Option(name: .long, help: "The file about both teams.")
    var teams: String

    @Option(
        name: .long, help: "The entry's id in plugins.json (default: the only entry that uses apple).",
        completion: .providers)
    var provider = "apple"

    func migrator(_ core: BrokerCore) throws -> (provider: ConfiguredProvider, migrator: any SubjectMigrator) {
        let entry = try core.providers.current.named(provider)
        return (entry, try entry.migrator(configuredBy: teams, environment: ProcessInfo.processInfo.environment))
    }
}

/// The pace of a run and its decisions.
struct MigrationRunOptions: ParsableArguments {
    @Option(name: .long, help: "The subject or localId of the user who is asked about first.")
    var first: String?

    @Option(name: .long, help: "Requests per second, 1 to 10000.")
    var rate = 20

    @Option(name: .long, help: "Requests at a time, 1 to 64.")
    var concurrency = 4

    @Flag(name: .long, help: "Ask about users again who failed.")
    var retryFailed = false

    @Flag(name: .long, help: "Check the teams and ask about one user, without storing anything.")
    var dryRun = false

    @Option(name: .long, help: "The code of a finding that does not stop the migration; repeatable.")
    var ignore: [String] = []

    func validate() throws {
        guard (1...10_000).contains(rate) else { throw ValidationError("--rate takes 1 to 10000.") }
        guard (1...64).contains(concurrency) else { throw ValidationError("--concurrency takes 1 to 64.") }
    }

    func options(transferredAt: Timestamp? = nil) -> MigrateSubjects.Options {
        var options = MigrateSubjects.Options()
        options.rate = rate
        options.concurrency = concurrency
        options.first = first
        options.retriesFailed = retryFailed
        options.transferredAt = transferredAt
        options.ignoredFindings = Set(ignore)
        return options
    }

    /// Runs a phase, or rehearses it.
    func perform(
        _ phase: SubjectMigrationJob.Phase?, _ migration: MigrationOptions, _ core: BrokerCore, _ output: OutputOptions,
        transferredAt: Timestamp? = nil
    ) async throws {
        let (entry, migrator) = try migration.migrator(core)
        let progress = ProgressLine()
        let run = core.admin.subjectMigrations.run(
            of: entry, migrator, options(transferredAt: transferredAt), origin: .commandLine(),
            report: { progress.note($0.phase.rawValue, Int($0.done), of: Int($0.total), "users") })
        if dryRun, let phase {
            let users = try await run.rehearse(phase)
            output(
                ["dryRun": true, "phase": .string(phase.rawValue), "users": .integer(users)],
                text: "The provider accepts the team and one user. \(phase.rawValue) would ask about \(users) users.")
            return
        }
        let status =
            switch phase {
            case .prepare: try await run.prepare()
            case .exchange: try await run.exchange()
            case nil: try await run.resume()
            }
        output(.object(status.document), text: status.text)
    }
}

extension AppleCommand.Migrate {
    struct Prepare: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "prepare", abstract: "Ask Apple for every user's transfer subject, as the former team.",
            discussion: """
                Run it again shortly before the transfer: it asks about new users only.

                Examples:
                  broker apple migrate prepare --teams teams.json --dry-run
                  broker apple migrate prepare --teams teams.json --rate 50
                """.paragraphs)

        @OptionGroup var migration: MigrationOptions
        @OptionGroup var run: MigrationRunOptions
        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var host: HostOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                try await options.withCore(asksProviders: true) { core in
                    try await run.perform(.prepare, migration, core, output)
                }
            }
        }
    }

    struct Exchange: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "exchange",
            abstract: "Exchange the transfer subjects as the new team, and apply the new subjects.",
            discussion: """
                Also applies new subjects that were imported, and users who have been merged since.

                Examples:
                  broker apple migrate exchange --teams teams.json --transferred-on 2026-05-04
                """.paragraphs)

        @Option(name: .long, help: "The day on which the app was transferred, such as 2026-05-04 (UTC).")
        var transferredOn: String?

        @OptionGroup var migration: MigrationOptions
        @OptionGroup var run: MigrationRunOptions
        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var host: HostOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard transferredOn == nil || day != nil else {
                throw ValidationError("--transferred-on takes a day such as 2026-05-04.")
            }
        }

        func run() async throws {
            try await output.reporting {
                try await options.withCore(asksProviders: true) { core in
                    try await run.perform(.exchange, migration, core, output, transferredAt: day)
                }
            }
        }

        private var day: Timestamp? {
            guard let transferredOn, transferredOn.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}/) != nil else {
                return nil
            }
            return (try? Date(transferredOn + "T00:00:00Z", strategy: .iso8601)).map(Timestamp.init)
        }
    }

    struct Resume: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "resume", abstract: "Continue a migration that was interrupted or has paused.",
            discussion: """
                Examples:
                  broker apple migrate resume --teams teams.json
                """.paragraphs)

        @OptionGroup var migration: MigrationOptions
        @OptionGroup var run: MigrationRunOptions
        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var host: HostOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard !run.dryRun else { throw ValidationError("--dry-run is for prepare and exchange.") }
        }

        func run() async throws {
            try await output.reporting {
                try await options.withCore(asksProviders: true) { core in
                    try await run.perform(nil, migration, core, output)
                }
            }
        }
    }
}

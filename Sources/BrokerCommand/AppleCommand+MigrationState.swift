import ArgumentParser
import Broker
import BrokerStore
import Foundation
import ProviderKit

extension AppleCommand.Migrate {
    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status",
            abstract: "Show the migrations: states of users, the time that is left, why one has paused.",
            discussion: """
                Examples:
                  broker apple migrate status --json
                """.paragraphs)

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var host: HostOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let all = try await options.withCore { try await $0.admin.subjectMigrations.all() }
                output(
                    ["migrations": .array(all.map { .object($0.document) })],
                    text: all.isEmpty ? "No migrations." : all.map(\.text).joined(separator: "\n\n"))
            }
        }
    }

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export", abstract: "Write a migration's users as lines of JSON, for the other organization.",
            discussion: """
                Writes to standard output. The lines have the users' subjects and, once exchanged, their addresses: protect \
                the file (umask 077).

                Examples:
                  broker apple migrate export --teams teams.json
                """.paragraphs)

        @OptionGroup var migration: MigrationOptions
        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var host: HostOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                try await options.withCore(asksProviders: true) { core in
                    let (entry, migrator) = try migration.migrator(core)
                    let status = try await core.admin.subjectMigrations.status(of: entry.id, migrator)
                    try await core.admin.subjectMigrations.export(status) { lines in
                        for line in lines { TerminalText(serializedJSON: line).show() }
                    }
                }
            }
        }
    }

    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import", abstract: "Take the lines of JSON that the other organization exported.",
            discussion: """
                Takes transfer subjects of the former team, or new subjects of the new team. Run exchange afterwards.

                Examples:
                  broker apple migrate import --teams teams.json users.jsonl
                """.paragraphs)

        @Argument(help: "The file.")
        var file: String

        @OptionGroup var migration: MigrationOptions
        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var host: HostOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                guard let lines = FileLines(path: file) else {
                    throw CommandFailure(code: "CANNOT_READ", "\(file) cannot be read.")
                }
                let result = try await options.withCore(asksProviders: true) { core in
                    let (entry, migrator) = try migration.migrator(core)
                    return try await core.admin.subjectMigrations.importLines(
                        lines, of: entry, migrator, by: .commandLine())
                }
                output(
                    [
                        "prepared": .integer(Int64(result.prepared)), "exchanged": .integer(Int64(result.exchanged)),
                        "unchanged": .integer(Int64(result.unchanged)), "unknown": .integer(Int64(result.unknown)),
                    ],
                    text: """
                        \(result.prepared) prepared, \(result.exchanged) exchanged, \(result.unchanged) unchanged, \
                        \(result.unknown) not among this broker's users.
                        """)
            }
        }
    }
}

/// The lines of a file, read in pieces.
private struct FileLines: Sequence, IteratorProtocol {
    private let handle: FileHandle
    private var buffer: [UInt8] = []
    private var position = 0
    private var isAtEnd = false

    init?(path: String) {
        guard let handle = FileHandle(forReadingAtPath: path) else { return nil }
        self.handle = handle
    }

    mutating func next() -> ArraySlice<UInt8>? {
        while true {
            if let end = buffer[position...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { position = end + 1 }
                return buffer[position..<end]
            }
            guard !isAtEnd else {
                defer { position = buffer.count }
                return position < buffer.count ? buffer[position...] : nil
            }
            buffer.removeFirst(position)
            position = 0
            let piece = (try? handle.read(upToCount: 1 << 16)) ?? nil
            isAtEnd = piece?.isEmpty ?? true
            buffer += piece ?? Data()
        }
    }
}

extension SubjectMigrationStatus {
    var document: JSONObject {
        var object: JSONObject = [
            "provider": .string(job.provider), "from": .string(job.sourceIssuer), "to": .string(job.targetIssuer),
            "phase": .string(job.phase.rawValue), "startedAt": job.startedAt.document,
            "users": .object(
                JSONObject(
                    MigratingSubject.State.allCases.map { ($0.rawValue, .integer(counts[$0] ?? 0)) })),
        ]
        object["failures"] = .object(JSONObject(failures.map { ($0.reason, .integer($0.count)) }))
        object["transferredAt"] = job.transferredAt?.document
        object["daysLeft"] = daysLeft.map(JSONValue.integer)
        object["paused"] = job.pause.map { ["code": .string($0.code), "reason": .string($0.reason)] }
        return object
    }

    var text: TerminalText {
        let states = MigratingSubject.State.allCases.compactMap { state in
            counts[state].map { "\($0) \(state.rawValue)" }
        }
        var lines: [TerminalText] = [
            "\(job.provider): from \(job.sourceIssuer) to \(job.targetIssuer)",
            "  users   \(states.isEmpty ? "none" : states.joined(separator: ", "))",
        ]
        for (reason, count) in failures { lines.append("  failed  \(count): \(reason)") }
        if let clock { lines.append("  time    \(clock)") }
        if let pause = job.pause { lines.append("  paused  \(pause.reason) [\(pause.code)]") }
        return lines.joined(separator: "\n")
    }

    /// The sixty-day clock.
    private var clock: String? {
        switch daysLeft {
        case nil: "starts with the transfer of the app; tell its day with exchange --transferred-on"
        case 0?: remaining == 0 ? nil : "is over: \(remaining) users were not migrated"
        case let days?:
            remaining == 0
                ? nil
                : (days <= 14 ? "WARNING: " : "") + "\(days) \(days == 1 ? "day" : "days") left for \(remaining) users"
        }
    }
}

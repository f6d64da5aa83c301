import ArgumentParser
import Broker
import BrokerStore
import Foundation
import ProviderKit

extension AdminCommand {
    struct ServiceAccountGroup: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "service-account",
            abstract: "Create, list and revoke service accounts, and rotate their keys.",
            subcommands: [
                CreateServiceAccount.self, ListServiceAccounts.self, RotateServiceAccountKey.self,
                RevokeServiceAccount.self,
            ])
    }

    struct CreateServiceAccount: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create", abstract: "Create a service account and write its key file.",
            discussion: """
                The key file is the JSON that credentials.Certificate of firebase-admin reads. It contains the private
                key, which the broker does not store: the file cannot be made again. It is readable for its owner only,
                and an existing file is never replaced.

                The account may do what its scopes name; with users:write it also signs custom tokens:
                  \(AdminScope.allCases.map(\.helpLine).joined(separator: "\n  "))

                Examples:
                  broker admin service-account create calendar \\
                    --scope users:read --scope users:write
                  broker admin service-account create calendar \\
                    --scope admin --output /etc/calendar/key.json
                """.paragraphs)

        @Argument(help: "Its name: lower-case letters, digits and hyphens. A name is given once.")
        var name: String

        @Option(
            name: .long,
            help: "A scope: \(AdminScope.allCases.map(\.rawValue).joined(separator: ", ")); repeatable.")
        var scope: [AdminScope]

        @OptionGroup var file: KeyFileOptions
        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                try file.check(printsDocument: output.json)
                let (record, path) = try await options.withCore { core in
                    let (record, keyFile) = try await core.serviceAccounts.create(
                        named: name, scopes: Set(scope), origin: .commandLine())
                    do {
                        return (record, try file.write(keyFile))
                    } catch {
                        // Without its key the account is of no use, and its name would be taken.
                        _ = try await core.serviceAccounts.revoke(id: record.account.id, origin: .commandLine())
                        throw error
                    }
                }
                guard let path else { return }
                output(
                    ["serviceAccount": record.document(at: Timestamp(Date())), "file": .string(path)],
                    text: "\(record.text)\nfile:     \(path)\n          Keep it secret: whoever has it is this account."
                )
            }
        }
    }

    struct ListServiceAccounts: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List service accounts with their state, the oldest first.",
            discussion: """
                The broker stores only the public half of each key.

                Example:
                  broker admin service-account list --json
                """.paragraphs)

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let records = try await options.withCore { try await $0.serviceAccounts.all() }
                let now = Timestamp(Date())
                output(
                    ["serviceAccounts": .array(records.map { $0.document(at: now) })],
                    text: records.isEmpty ? "No service accounts." : Self.table(at: now).text(records))
            }
        }

        private static func table(at now: Timestamp) -> Table<ServiceAccounts.Record> {
            Table(
                Table.Column("ID") { $0.account.id }, Table.Column("NAME") { $0.account.name },
                Table.Column("SCOPES", mayBeCut: true) { $0.account.scopes },
                Table.Column("KEYS") { String($0.keys.count { $0.isValid(at: now) }) },
                Table.Column("LAST USED (UTC)") { $0.account.lastUsedAt?.minute ?? "never" },
                Table.Column("STATE") { $0.account.revokedAt == nil ? "valid" : "revoked" })
        }
    }

    struct RotateServiceAccountKey: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate-key", abstract: "Give a service account another key and write its key file.",
            discussion: """
                The earlier keys stay valid for a day, or as long as --overlap says. With --overlap 0 they are revoked at
                once, with the access tokens that were obtained with them.

                Examples:
                  broker admin service-account rotate-key 4fJqW8xT0aPz
                  broker admin service-account rotate-key 4fJqW8xT0aPz \\
                    --overlap 0 --output /etc/calendar/key-2.json
                """.paragraphs)

        @Argument(help: "The account's id, shown by `broker admin service-account list`.")
        var id: String

        @Option(name: .long, help: "How long earlier keys stay valid: days, hours or minutes (7d, 12h, 30m), or 0.")
        var overlap = KeyOverlap.standard

        @OptionGroup var file: KeyFileOptions
        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                try file.check(printsDocument: output.json)
                let (record, path) = try await options.withCore { core in
                    let rotated = try await core.serviceAccounts.rotateKey(
                        id: id, overlap: overlap.duration, origin: .commandLine())
                    guard let rotated else { throw CommandFailure.serviceAccountNotFound }
                    return (rotated.record, try file.write(rotated.keyFile))
                }
                guard let path else { return }
                output(
                    ["serviceAccount": record.document(at: Timestamp(Date())), "file": .string(path)],
                    text: "\(record.text)\nfile:     \(path)")
            }
        }
    }

    struct RevokeServiceAccount: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke", abstract: "Revoke a service account.",
            discussion: """
                Takes effect at once, in running brokers too, for its keys and for access tokens that were obtained with
                them. Cannot be undone.

                Example:
                  broker admin service-account revoke 4fJqW8xT0aPz
                """.paragraphs)

        @Argument(help: "The account's id, shown by `broker admin service-account list`.")
        var id: String

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let revoked = try await options.withCore { core in
                    try await core.serviceAccounts.revoke(id: id, origin: .commandLine())
                }
                guard let revoked else { throw CommandFailure.serviceAccountNotFound }
                output(["revoked": .string(revoked.id)], text: "Revoked \(revoked.id) (\(revoked.name)).")
            }
        }
    }
}

/// The file that a service account's key is written to.
struct KeyFileOptions: ParsableArguments {
    @Option(
        name: .long,
        help: "The file to write, or - for standard output when it is no terminal (default: NAME-KEY.json here).")
    var output: String?

    /// Refuses a destination before a key exists for it.
    ///
    /// - Throws: ``CommandFailure``.
    func check(printsDocument: Bool) throws(CommandFailure) {
        guard let output else { return }
        if output == "-" {
            guard !printsDocument else {
                throw CommandFailure(code: "WRONG_USAGE", "--output - prints the key file itself: omit --json")
            }
            guard isatty(STDOUT_FILENO) == 0 else {
                throw CommandFailure(
                    code: "TERMINAL", "a private key is not shown on a terminal: name a file, or redirect the output")
            }
        } else if FileManager.default.fileExists(atPath: output) {
            throw CommandFailure(code: "FILE_EXISTS", "\(output) exists: nothing was created. Name another --output")
        } else if !FileManager.default.isWritableFile(atPath: folder(of: output)) {
            throw CommandFailure(
                code: "CANNOT_WRITE", "\(folder(of: output)) is no folder that can be written to: nothing was created")
        }
    }

    /// Writes the key file.
    ///
    /// - Returns: The path; nil for standard output.
    /// - Throws: ``CommandFailure``.
    func write(_ keyFile: ServiceAccountKeyFile) throws -> String? {
        let text = keyFile.document.indented() + "\n"
        guard output != "-" else {
            try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
            return nil
        }
        let path = URL(filePath: output ?? keyFile.name).standardizedFileURL.path
        do {
            try PrivateFiles.create([path: text], in: folder(of: path))
        } catch {
            throw CommandFailure(code: "CANNOT_WRITE", "\(path) exists or cannot be written")
        }
        return path
    }

    private func folder(of path: String) -> String {
        URL(filePath: path).standardizedFileURL.deletingLastPathComponent().path
    }
}

/// The time that earlier keys stay valid.
struct KeyOverlap: ExpressibleByArgument {
    let duration: Duration
    let defaultValueDescription: String

    static let standard = KeyOverlap(duration: ServiceAccounts.standardOverlap, defaultValueDescription: "1d")

    private init(duration: Duration, defaultValueDescription: String) {
        self.duration = duration
        self.defaultValueDescription = defaultValueDescription
    }

    init?(argument: String) {
        guard argument != "0" else {
            self.init(duration: .zero, defaultValueDescription: "0")
            return
        }
        guard let duration = TokenLifetime(argument: argument)?.duration else { return nil }
        self.init(duration: duration, defaultValueDescription: argument)
    }
}

extension CommandFailure {
    fileprivate static let serviceAccountNotFound = CommandFailure(
        code: "CREDENTIAL_NOT_FOUND",
        "no valid service account has this id: broker admin service-account list shows all accounts")
}

extension ServiceAccounts.Record {
    /// The account for `--json`; it contains no private key.
    fileprivate func document(at now: Timestamp) -> JSONValue {
        var object: JSONObject = [
            "id": .string(account.id), "name": .string(account.name), "email": .string(account.email),
            "scopes": .array(account.scopes.split(separator: " ").map { .string(String($0)) }),
            "state": .string(account.revokedAt == nil ? "valid" : "revoked"), "createdAt": account.createdAt.document,
            "keys": .array(keys.filter { $0.isValid(at: now) }.map(\.document)),
        ]
        object["revokedAt"] = account.revokedAt?.document
        object["lastUsedAt"] = account.lastUsedAt?.document
        return .object(object)
    }

    /// On several lines.
    fileprivate var text: TerminalText {
        let lines: [TerminalText] = [
            "id:       \(account.id)", "name:     \(account.name)", "e-mail:   \(account.email)",
            "scopes:   \(account.scopes)",
        ]
        return lines.joined(separator: "\n")
    }
}

extension StoredServiceAccountKey {
    fileprivate var document: JSONValue {
        var object: JSONObject = ["id": .string(id), "createdAt": createdAt.document]
        object["expiresAt"] = expiresAt?.document
        return .object(object)
    }
}

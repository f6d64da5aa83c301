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
                CreateServiceAccount.self, command(of: ListServiceAccounts.self),
                RotateServiceAccountKey.self, command(of: RevokeServiceAccount.self),
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

        @Argument(help: Broker.CreateServiceAccount.help("name"))
        var name: String

        @Option(name: .long, help: Broker.CreateServiceAccount.help("scopes"))
        var scope: [AdminScope]

        @OptionGroup var file: KeyFileOptions
        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                try file.check(printsDocument: output.json)
                let (account, path) = try await options.withExecutor { run in
                    let created = try await run(Broker.CreateServiceAccount(name: name, scopes: scope))
                    do {
                        return (created.serviceAccount, try file.write(created))
                    } catch {
                        // Without its key the account is of no use, and its name would be taken.
                        _ = try await run(Broker.RevokeServiceAccount(id: created.serviceAccount.id))
                        throw error
                    }
                }
                guard let path else { return }
                try output(WrittenKey(serviceAccount: account, file: path)) { key in
                    """
                    \(key.text)
                              Keep it secret: its holder acts as this account.
                    """
                }
            }
        }
    }

    struct RotateServiceAccountKey: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate-key", abstract: "Give a service account another key and write its key file.",
            discussion: """
                The earlier keys stay valid for a day, or as long as --overlap says. With --overlap 0 they are revoked at
                once, with the access tokens that were obtained with them. That cannot be undone.

                Examples:
                  broker admin service-account rotate-key 4fJqW8xT0aPz
                  broker admin service-account rotate-key 4fJqW8xT0aPz \\
                    --overlap 0 --yes --output key-2.json
                """.paragraphs)

        @Argument(help: Broker.RotateServiceAccountKey.help("id"))
        var id: String

        @Option(name: .long, help: "How long earlier keys stay valid: days, hours or minutes (7d, 12h, 30m), or 0.")
        var overlap = KeyOverlap.standard

        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var file: KeyFileOptions
        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                if overlap.duration == .zero {
                    try confirmation.requireIrreversible(
                        "Revoke the earlier keys of service account \(id) at once?",
                        otherwise: "nothing was rotated")
                }
                try file.check(printsDocument: output.json)
                let answer = try await options.run(
                    Broker.RotateServiceAccountKey(id: id, overlap: overlap.duration))
                guard let path = try file.write(answer) else { return }
                try output(WrittenKey(serviceAccount: answer.serviceAccount, file: path)) { $0.text }
            }
        }
    }
}

/// A service account and the file that its new key was written to.
private struct WrittenKey: Encodable {
    let serviceAccount: ServiceAccountAnswer
    let file: String

    /// On several lines.
    var text: TerminalText {
        """
        id:       \(serviceAccount.id)
        name:     \(serviceAccount.name)
        e-mail:   \(serviceAccount.email)
        scopes:   \(serviceAccount.scopes.joined(separator: " "))
        file:     \(file)
        """
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
    fileprivate func write(_ key: ServiceAccountKeyAnswer) throws -> String? {
        let text = key.keyFile.indented()
        guard output != "-" else {
            TerminalText(program: text).show()
            return nil
        }
        // The name comes from the broker, which may be another's: it must not lead elsewhere.
        let name = key.keyFileName.split(separator: "/").last.map(String.init) ?? "key.json"
        let path = URL(filePath: output ?? name).standardizedFileURL.path
        do {
            try PrivateFiles.create([path: text + "\n"], in: folder(of: path))
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

import ArgumentParser
import Broker
import Foundation
import ProviderKit

extension AppleCommand.Key {
    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import", abstract: "Import the .p8 file that Apple let you download.",
            discussion: """
                Checks that the file is a P-256 private key and writes it where the entry reads it: the file of its
                privateKey, else a new one beside plugins.json. Only the owner can read it. The key is never printed.
                Apple lets a key be downloaded once: keep the original in a safe place.

                The key id is part of the name AuthKey_<key id>.p8; give it with --key-id if the file was renamed. A key
                with another id than the entry's gets a file of its own: set keyId and privateKey together, and running
                brokers change to the new key at once.

                Examples:
                  broker apple key import ~/Downloads/AuthKey_FGHIJ67890.p8
                  broker apple key import - --key-id FGHIJ67890 --json
                  broker apple key import - --key-id FGHIJ67890 --replace --yes
                """.paragraphs)

        @Argument(help: "The .p8 file; - for standard input.")
        var file: String

        @Option(name: .long, help: "The key id, if the file's name does not have it.")
        var keyID: String?

        @Option(
            name: .long, help: "The entry's id in plugins.json (default: the only entry that uses apple).",
            completion: .providers)
        var provider: String?

        @Flag(name: .long, help: "Replace a file that holds another key, which is lost then.")
        var replace = false

        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var host: HostOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                if replace {
                    try confirmation.requireIrreversible(
                        "Replace the private key of the entry, if its file has another one?",
                        otherwise: "nothing was replaced")
                }
                guard let pem = SecretInput.text(file) else {
                    throw CommandFailure(
                        code: "INVALID_KEY", "the file is empty, unreadable or larger than 64 KiB",
                        exitCode: .validationFailure)
                }
                let key = try ClientSigningKey(pem: pem)
                let entry = try entry(in: options.load().pluginsPath)
                let place = try AppleKeyPlace(
                    entry: entry.entry, pluginsPath: entry.path, keyID: keyID ?? Self.keyID(inName: file))
                let isNew = try place.store(pem, of: key, replaces: replace)
                output(place.document(of: key), text: place.text(of: key, isNew: isNew))
            }
        }

        /// The entry to import for, enabled or not; absent when `plugins.json` has none that uses apple.
        private func entry(in path: String) throws -> (entry: ProviderEntry?, path: String) {
            let entries = try PluginsFile.load(path: path, plugins: BrokerProgram.plugins).entries
            let named = entries.filter { entry in
                provider.map { entry.id.hasSameBytes(as: $0) } ?? (entry.use == "apple")
            }
            if let provider, named.first?.use != "apple" {
                throw CommandFailure(
                    code: "UNKNOWN_PROVIDER", "plugins.json has no entry \(provider) that uses apple",
                    exitCode: .validationFailure)
            }
            guard named.count <= 1 else {
                throw CommandFailure(
                    code: "AMBIGUOUS_PROVIDER",
                    "several entries use apple: choose one of \(named.map(\.id).joined(separator: ", ")) with "
                        + "--provider", exitCode: .validationFailure)
            }
            return (named.first, path)
        }

        private static func keyID(inName file: String) -> String? {
            let name = URL(filePath: file).lastPathComponent
            return name.wholeMatch(of: /AuthKey_([A-Z0-9]{10}).*\.p8/).map { String($0.1) }
        }
    }
}

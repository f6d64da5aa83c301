import ArgumentParser
import Broker
import Foundation
import ProviderKit

extension AppleCommand {
    struct ClientSecret: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "client-secret",
            abstract: "Decode a client secret and explain why Apple refuses it.",
            discussion: """
                Signs a client secret as the broker does for every request, or reads one that was made elsewhere, and
                shows its header and claims. The signature is not printed; --output writes the whole secret to a file
                that only its owner can read. It is valid for five minutes.

                Every deviation from what Apple requires is a finding with a stable code and a fix. With --verify Apple
                is asked too: it answers invalid_client to every fault and gives no reason, so the cause is found by
                asking again with swapped ids and for the entry's other clients, and by comparing the clocks. Exits 0
                without findings, otherwise 1.

                Examples:
                  broker apple client-secret --verify
                  broker apple client-secret --verify --client com.example.app --json
                  pbpaste | broker apple client-secret --verify --secret -
                """.paragraphs)

        @Flag(name: .long, help: "Ask Apple whether it accepts the client secret.")
        var verify = false

        @Option(name: .long, help: "File with a client secret to inspect; - for standard input.")
        var secret: String?

        @Option(name: .long, help: "Write the client secret to this new file.")
        var output: String?

        @OptionGroup var entry: AppleEntryOptions
        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var host: HostOptions
        @OptionGroup var format: OutputOptions

        func validate() throws {
            guard secret == nil || output == nil else {
                throw ValidationError("--output excludes --secret: it writes a new client secret.")
            }
        }

        func run() async throws {
            try await format.reporting {
                let given = try secret.map(Self.read)
                let report = try await options.withCore(asksProviders: true) { core in
                    let (_, provider) = try entry.entry(core, as: (any SignedClientSecret).self)
                    let clientID = try entry.clientID(at: provider)
                    let inspected = try given ?? core.admin.clientSecret(of: clientID, at: provider)
                    if let output { try Self.write(inspected, to: output) }
                    return try await core.admin.inspectClientSecret(
                        inspected, of: given != nil && entry.client == nil ? nil : clientID, at: provider,
                        asksProvider: verify)
                }
                format(report.document, text: report.text)
                if !report.findings.isEmpty { throw ExitCode.failure }
            }
        }

        private static func read(_ path: String) throws(CommandFailure) -> Secret {
            guard let text = SecretInput.text(path), !text.isEmpty else {
                throw CommandFailure(
                    code: "INVALID_TOKEN", "there is no client secret in the file or on standard input",
                    exitCode: .validationFailure)
            }
            return Secret(text)
        }

        private static func write(_ secret: Secret, to path: String) throws(CommandFailure) {
            let folder = URL(filePath: path).deletingLastPathComponent().path
            do {
                try PrivateFiles.create([path: secret.reveal() + "\n"], in: folder)
            } catch {
                throw CommandFailure(
                    code: "CANNOT_WRITE", "\(path) exists or cannot be written: the client secret was discarded")
            }
        }
    }
}

extension ClientSecretReport {
    fileprivate var document: JSONValue {
        var object: JSONObject = [
            "clientId": .string(clientID), "header": .object(header), "claims": .object(claims),
            "findings": .array(findings.map(\.document)),
        ]
        object["accepted"] = isAccepted.map(JSONValue.bool)
        return .object(object)
    }

    fileprivate var text: TerminalText {
        let lines: [TerminalText] = [
            "client  \(clientID)",
            "header  \(TerminalText(json: .object(header)))",
            "claims  \(TerminalText(json: .object(claims)))",
        ]
        let summary: [TerminalText] =
            switch isAccepted {
            case true?: ["✓ Apple accepts this client secret"]
            case false?: ["✗ Apple answered invalid_client"]
            case nil: []
            }
        return (lines + summary + findings.map(\.line)).joined(separator: "\n")
    }
}

import ArgumentParser
import Broker
import BrokerStore
import ProviderKit

extension VaultCommand {
    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate", abstract: "Rotate the master key while brokers serve, or continue a rotation.",
            discussion: """
                First write the new key into the configuration of every broker as masterKey, and the present one as
                previousMasterKey, and restart the brokers one after the other. This command then changes the store to
                the new key and seals every value again, in small batches. No session ends. When it was
                interrupted, run it again. broker vault status tells when previousMasterKey can be removed.

                With --compromised the former key is treated as stolen: the keys of refresh tokens, cookies and forms
                and the signing keys are replaced, and every session ends. It also declares the key of the last
                rotation compromised when that has taken place already. That cannot be undone.

                Examples:
                  broker vault rotate
                  broker vault rotate --compromised --yes --json
                """.paragraphs)

        @Flag(name: .long, help: "Replace the keys under the former key, and end every session.")
        var compromised = false

        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var host: HostOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                if compromised {
                    try confirmation.requireIrreversible(
                        "Replace the keys under the former master key and end every session?",
                        otherwise: "nothing was rotated")
                }
                let progress = ProgressLine()
                let outcome = try await options.withCore { core in
                    try await core.admin.rotateMasterKey(compromised: compromised, origin: .commandLine()) {
                        progress.note($0)
                    }
                }
                output(outcome.document, text: outcome.text)
                guard outcome.unopened.isEmpty else { throw ExitCode.failure }
            }
        }
    }
}

extension MasterKeyRotation.Outcome {
    fileprivate var document: JSONValue {
        var object: JSONObject = [
            "masterKey": .string(keyID), "resealed": .integer(Int64(resealed)),
            "unopened": .array(unopened.map(\.document)),
        ]
        object["endedSessions"] = endedSessions.map { .integer(Int64($0)) }
        return .object(object)
    }

    fileprivate var text: TerminalText {
        var lines: [TerminalText] = unopened.map(\.line)
        if !unopened.isEmpty { lines.append("The values above open with no configured key and stayed as they are.") }
        if let endedSessions { lines.append("\(String(endedSessions)) sessions ended.") }
        lines.append("The store is sealed under key \(keyID); \(resealed.rowsText) sealed again.")
        return lines.joined(separator: "\n")
    }
}

extension MasterKeyRotation.Refusal {
    var commandCode: String {
        switch self {
        case .noNewKey: "NO_NEW_MASTER_KEY"
        case .brokersWithout: "BROKERS_WITHOUT_KEY"
        case .brokersBehind: "BROKERS_BEHIND"
        case .compromisedKey: "COMPROMISED_MASTER_KEY"
        }
    }

    var commandMessage: String {
        switch self {
        case .noNewKey(let id):
            "the store is sealed under the configured key \(id) already: write a new key as masterKey and this one as "
                + "previousMasterKey"
        case .brokersWithout(let id, let count):
            "running brokers without key \(id): \(count). Restart them with it as masterKey and the present key as "
                + "previousMasterKey; one that has stopped is forgotten after a minute"
        case .brokersBehind(let id, let count):
            "running brokers that do not seal with key \(id) yet: \(count). Look at their logs, then run the command again"
        case .compromisedKey(let id): "key \(id) was declared compromised: write a new key as masterKey"
        }
    }
}

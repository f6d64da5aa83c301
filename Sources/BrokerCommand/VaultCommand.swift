import ArgumentParser
import Broker
import BrokerStore
import Foundation
import Logging
import ProviderKit

struct VaultCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vault", abstract: "Inspect what is sealed in the store, and rotate the master key.",
        subcommands: [Status.self, Rotate.self, Verify.self])

    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status", abstract: "Show the master keys, and how many values are sealed under each.",
            discussion: """
                Keys are identified by eight digits that tell nothing about them. The output contains no secret.

                Examples:
                  broker vault status
                  broker vault status --json
                """.paragraphs)

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var host: HostOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let status = try await options.withVault { try await $0.status() }
                output(status.document, text: status.text)
            }
        }
    }
}

extension ConfigurationOptions {
    /// Opens the configured store and its master key, without what else a broker needs, for `work`.
    func withVault<Value>(_ work: (InspectVault) async throws -> Value) async throws -> Value {
        startLogging(otherwise: .warning)
        let configuration = try load()
        let masterKey = try MasterKey.load(configuration, environment: ProcessInfo.processInfo.environment)
        return try await DatabaseName(configuration).withStore { store in
            try await work(try await InspectVault(StoreContext(store, masterKey)))
        }
    }
}

extension InspectVault.Status {
    fileprivate var document: JSONValue {
        var object: JSONObject = [
            "configured": .array(configured.map(JSONValue.string)),
            "masterKeys": .array(history.map(\.document)),
            "wrappedKeys": .array(wrapped.map { $0.document(state: state(of: $0)) }),
            "sealed": .array(counts.map(\.document)),
            "brokers": .array(holders.map(\.document)),
            "rowsUnderOtherKeys": .integer(rowsUnderOtherKeys),
            "previousMasterKeyRemovable": .bool(canRemovePrevious),
        ]
        object["sealing"] = sealing.map(JSONValue.string)
        return .object(object)
    }

    fileprivate var text: TerminalText {
        let brokers = Table<KeyHolder>(
            Table.Column("BROKER") { $0.holder }, Table.Column("HAS") { $0.keyIDs.joined(separator: " ") },
            Table.Column("SEALS WITH") { $0.sealing }, Table.Column("SEEN") { $0.seenAt.text })
        let keys = Table<MasterKeyRow>(
            Table.Column("MASTER KEY") { $0.id }, Table.Column("FROM") { $0.beganAt?.text ?? "the start" },
            Table.Column("UNTIL") { $0.endedAt?.text ?? "" },
            Table.Column("RESEALED") { $0.rewrappedAt?.text ?? "" },
            Table.Column("COMPROMISED") { $0.compromisedAt?.text ?? "" })
        let own = Table<WrappedKey>(
            Table.Column("KEY OF") { $0.purpose }, Table.Column("GENERATION") { String($0.generation) },
            Table.Column("ID") { $0.id }, Table.Column("STATE") { state(of: $0) })
        let sealed = Table<InspectVault.Count>(
            Table.Column("TABLE") { $0.table }, Table.Column("COLUMN") { $0.column },
            Table.Column("PURPOSE") { $0.purpose }, Table.Column("MASTER KEY") { $0.keyID },
            Table.Column("ROWS") { String($0.rows) })
        let parts: [TerminalText] = [
            "sealing with \(sealing ?? "no key yet"); configured: \(configured.joined(separator: ", "))",
            history.isEmpty ? "" : keys.text(history), wrapped.isEmpty ? "" : own.text(wrapped),
            counts.isEmpty ? "" : sealed.text(counts), holders.isEmpty ? "" : brokers.text(holders),
        ]
        return (parts.filter { !$0.description.isEmpty } + [advice]).joined(separator: "\n\n")
    }

    private var advice: TerminalText {
        if let sealing, sealing != configured[0] {
            return "masterKey is not in use yet: run broker vault rotate when every broker has it."
        }
        if rowsUnderOtherKeys > 0 || history.contains(where: { $0.endedAt != nil && $0.rewrappedAt == nil }) {
            return "\(Int(rowsUnderOtherKeys).rowsText) under other keys: run broker vault rotate to finish."
        }
        guard configured.count > 1 else { return "every value is sealed under the configured key." }
        if canRemovePrevious { return "previousMasterKey is no longer needed: remove it from the configuration." }
        return "previousMasterKey opens pages in browsers until \(formsExpireAt?.text ?? ""): remove it afterwards."
    }

    private func state(of key: WrappedKey) -> String {
        guard key.activatesAt <= now else { return "next" }
        let isReplaced = wrapped.contains {
            $0.purpose == key.purpose && $0.generation > key.generation && $0.activatesAt <= now
        }
        return isReplaced ? "verifies" : "active"
    }
}

extension MasterKeyRow {
    fileprivate var document: JSONValue {
        var object: JSONObject = ["id": .string(id)]
        object["from"] = beganAt?.document
        object["until"] = endedAt?.document
        object["resealed"] = rewrappedAt?.document
        object["compromised"] = compromisedAt?.document
        return .object(object)
    }
}

extension WrappedKey {
    fileprivate func document(state: String) -> JSONValue {
        [
            "purpose": .string(purpose), "generation": .integer(generation), "id": .string(id),
            "state": .string(state), "activatesAt": activatesAt.document,
        ]
    }
}

extension InspectVault.Count {
    fileprivate var document: JSONValue {
        [
            "table": .string(table), "column": .string(column), "purpose": .string(purpose),
            "masterKey": .string(keyID), "rows": .integer(rows),
        ]
    }
}

extension KeyHolder {
    fileprivate var document: JSONValue {
        [
            "broker": .string(holder), "has": .array(keyIDs.map(JSONValue.string)), "sealing": .string(sealing),
            "seenAt": seenAt.document,
        ]
    }
}

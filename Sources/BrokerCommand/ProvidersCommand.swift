import ArgumentParser
import Broker
import BrokerStore
import Foundation
import ProviderKit

struct ProvidersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "providers", abstract: "List and check the configured identity providers.",
        subcommands: [List.self, Check.self, ResumeProbes.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the entries of plugins.json.",
            discussion: "Example:\n  broker providers list --json")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                try await options.withCore(asksProviders: true) { core in
                    let providers = core.providers
                    let pauses = try await core.resumeProbes.paused()
                    func pause(of id: String) -> ProbePause? { pauses.first { $0.provider == id } }
                    let lines =
                        providers.providers.map { ProviderLine($0, pause(of: $0.id)) }
                        + providers.disabled.map(ProviderLine.init)
                    let documents =
                        providers.providers.map { $0.document(pause(of: $0.id)) } + providers.disabled.map(\.document)
                    output(
                        ["providers": .array(documents)],
                        text: lines.isEmpty ? "plugins.json has no entries." : ProviderLine.table.text(lines))
                }
            }
        }
    }
}

extension ConfiguredProvider {
    fileprivate func document(_ pause: ProbePause?) -> JSONValue {
        var document: JSONObject = [
            "id": .string(id), "use": .string(kind.rawValue), "enabled": true,
            "trustEmail": .bool(trustsEmail), "instance": .string(instance),
            "accepts": .array(provider.accepts.map(\.rawValue).sorted().map(JSONValue.string)),
        ]
        if let pause {
            document["probesPaused"] = [
                "since": pause.at.document, "probes": .integer(Int64(pause.counts.probes)),
                "failures": .integer(Int64(pause.counts.failures)),
            ]
        }
        return .object(document)
    }
}

extension ProviderEntry {
    fileprivate var document: JSONValue {
        ["id": .string(id), "use": .string(use.rawValue), "enabled": false]
    }
}

/// A row of the provider list.
private struct ProviderLine {
    let id: String
    let use: ProviderKind
    let state: String
    var trustsEmail = false
    var instance = ""

    init(_ provider: ConfiguredProvider, _ pause: ProbePause?) {
        (id, use) = (provider.id, provider.kind)
        state = pause == nil ? "enabled" : "enabled, probes paused"
        (trustsEmail, instance) = (provider.trustsEmail, provider.instance)
    }

    init(_ entry: ProviderEntry) {
        (id, use, state) = (entry.id, entry.use, "off")
    }

    static var table: Table<ProviderLine> {
        Table(
            Table.Column("ID") { $0.id }, Table.Column("USE") { $0.use.rawValue }, Table.Column("STATE") { $0.state },
            Table.Column("E-MAIL") { $0.trustsEmail ? "trusted" : "" },
            Table.Column("INSTANCE", mayBeCut: true) { $0.instance })
    }
}

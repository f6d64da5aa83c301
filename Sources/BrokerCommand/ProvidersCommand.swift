import ArgumentParser
import Broker
import Foundation
import ProviderKit

struct ProvidersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "providers", abstract: "See and check the configured identity providers.",
        subcommands: [List.self, Check.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the entries of plugins.json.",
            discussion: "Example:\n  broker providers list --json")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                try await options.withCore { core in
                    let providers = core.providers
                    let lines = providers.providers.map(\.line) + providers.disabled.map(\.line)
                    output(
                        ["providers": .array(providers.providers.map(\.document) + providers.disabled.map(\.document))],
                        text: lines.isEmpty ? "plugins.json has no entries." : lines.joined(separator: "\n"))
                }
            }
        }
    }

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Ask each provider whether it knows this broker.",
            discussion: """
                Exits 1 when a provider that can be checked would refuse sign-ins.

                Examples:
                  broker providers check
                  broker providers check github.com
                """)

        @Argument(help: "The provider's id; all enabled ones when not given.")
        var id: String?

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let findings = try await options.withCore { core in
                    let chosen = try id.map { [try core.providers.named($0)] } ?? core.providers.providers
                    var findings: [ProviderFinding] = []
                    for provider in chosen { findings.append(await ProviderFinding(checking: provider)) }
                    return findings
                }
                output(
                    ["providers": .array(findings.map(\.document))],
                    text: findings.isEmpty
                        ? "No provider is enabled." : findings.map(\.line).joined(separator: "\n"))
                if findings.contains(where: { !$0.isGood }) { throw ExitCode.failure }
            }
        }
    }
}

/// What a check of one provider found.
struct ProviderFinding {
    let id: String
    /// Stable: `ok`, `not-checkable`, or the fault of a `ProviderError`.
    let code: String
    let text: String

    var isGood: Bool { code == "ok" || code == "not-checkable" }

    init(checking provider: ConfiguredProvider) async {
        id = provider.id
        guard let checkable = provider.provider as? any ConfigurationCheck else {
            (code, text) = ("not-checkable", "this provider offers no way to ask about its client")
            return
        }
        do {
            try await checkable.checkConfiguration()
            (code, text) = ("ok", "the provider knows this client")
        } catch {
            (code, text) = (error.fault.rawValue, error.reason)
        }
    }

    var document: JSONValue { ["id": .string(id), "code": .string(code), "text": .string(text)] }
    var line: String { "\(isGood ? "✓" : "✗") \(id): \(text) [\(code)]" }
}

extension ConfiguredProvider {
    fileprivate var document: JSONValue {
        [
            "id": .string(id), "use": .string(kind.rawValue), "enabled": true,
            "trustEmail": .bool(trustsEmail), "instance": .string(instance),
            "accepts": .array(provider.accepts.map(\.rawValue).sorted().map(JSONValue.string)),
        ]
    }

    fileprivate var line: String {
        "\(id)  \(kind)  enabled  \(trustsEmail ? "trusts e-mail  " : "")\(instance)"
    }
}

extension PluginsFile.Entry {
    fileprivate var document: JSONValue {
        ["id": .string(id), "use": .string(use.rawValue), "enabled": false]
    }

    fileprivate var line: String { "\(id)  \(use)  off" }
}

extension ProviderDirectory {
    /// A provider by id, or by its kind when only one entry uses it (`github` for `github.com`).
    ///
    /// - Throws: ``CommandFailure``.
    func named(_ name: String) throws(CommandFailure) -> ConfiguredProvider {
        if let exact = provider(name) { return exact }
        let ofKind = providers.filter { $0.kind.rawValue == name }
        guard let only = ofKind.first, ofKind.count == 1 else {
            let known = providers.map(\.id).joined(separator: ", ")
            throw CommandFailure(
                code: "UNKNOWN_PROVIDER",
                "\(name) names no enabled provider of plugins.json. It has: \(known.isEmpty ? "none" : known)",
                exitCode: .validationFailure)
        }
        return only
    }
}

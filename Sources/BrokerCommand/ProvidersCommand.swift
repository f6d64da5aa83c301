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
                try await options.withCore(asksProviders: true) { core in
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
                let findings = try await options.withCore(asksProviders: true) { core in
                    let chosen = try id.map { [try core.providers.named($0)] } ?? core.providers.providers
                    var findings: [ProviderFinding] = []
                    for provider in chosen { findings += await ProviderFinding.check(provider) }
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
    /// Stable: `ok`, `not-checkable`, or the code of a `ConfigurationFinding`.
    let code: String
    let text: String
    let fix: String?

    var isGood: Bool { code == "ok" || code == "not-checkable" }

    static func check(_ provider: ConfiguredProvider) async -> [ProviderFinding] {
        func good(_ code: String, _ text: String) -> [ProviderFinding] {
            [ProviderFinding(id: provider.id, code: code, text: text, fix: nil)]
        }
        guard let checkable = provider.provider as? any ConfigurationCheck else {
            return good("not-checkable", "this provider offers no way to ask about its client")
        }
        let findings = await checkable.checkConfiguration()
        guard !findings.isEmpty else { return good("ok", "the provider knows this client") }
        return findings.map { ProviderFinding(id: provider.id, code: $0.code, text: $0.text, fix: $0.fix) }
    }

    var document: JSONValue {
        var document = JSONObject([("id", .string(id)), ("code", .string(code)), ("text", .string(text))])
        document["fix"] = fix.map(JSONValue.string)
        return .object(document)
    }

    var line: String { "\(isGood ? "✓" : "✗") \(id): \(text) [\(code)]\(fix.map { "\n  \($0)" } ?? "")" }
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

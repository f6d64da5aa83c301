import ArgumentParser
import Broker
import Foundation
import ProviderKit

extension ProvidersCommand {
    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Check the configuration of each provider against the provider itself.",
            discussion: """
                Checks host name, address, certificate, discovery document, keys, client registration and clock, as far
                as the provider supports it. Every finding has a stable code and a fix. Shows the redirect URI to
                register at each provider. Exits 0 without findings, otherwise 1. Disabled entries are listed and not
                checked.

                Examples:
                  broker providers check
                  broker providers check github.com --json
                """.paragraphs)

        @Argument(help: "The provider's id, or its kind if only one entry has it (default: all enabled providers).")
        var id: String?

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let lines = try await options.withCore(asksProviders: true) { core in
                    if let id { return try await check(id, core) }
                    var lines: [ProviderCheckLine] = []
                    for provider in core.providers.providers { lines += show(await .lines(of: provider, core)) }
                    return lines + show(core.providers.disabled.map { .off($0.id, wasNamed: false) })
                }
                if output.json { output(["providers": .array(lines.map(\.document))], text: "") }
                if lines.isEmpty, !output.json { TerminalText("plugins.json has no entries.").show() }
                if lines.contains(where: \.isProblem) { throw ExitCode.failure }
            }
        }

        private func check(_ name: String, _ core: BrokerCore) async throws -> [ProviderCheckLine] {
            do {
                return show(await .lines(of: try core.providers.named(name), core))
            } catch {
                guard let off = core.providers.disabled(named: name) else { throw error }
                return show([.off(off.id, wasNamed: true)])
            }
        }

        /// Prints text for each provider when its check ends: the next one may be slow.
        private func show(_ lines: [ProviderCheckLine]) -> [ProviderCheckLine] {
            guard !output.json else { return lines }
            for line in lines { line.text.show() }
            return lines
        }
    }
}

/// A finding or state of one entry in the output of `providers check`.
struct ProviderCheckLine {
    enum Mark: String {
        case good = "✓"
        case problem = "✗"
        case note = "–"
    }

    let mark: Mark
    let id: String
    /// Stable: `ok`, `not-checkable`, `off`, or the code of a `ConfigurationFinding`.
    let code: String
    let words: String
    var fix: String?
    /// The redirect URI to register at the provider.
    var redirectURI: String?

    var isProblem: Bool { mark == .problem }

    /// The line of a disabled entry, which is a problem only if the command named it.
    static func off(_ id: String, wasNamed: Bool) -> ProviderCheckLine {
        ProviderCheckLine(
            mark: wasNamed ? .problem : .note, id: id, code: "off",
            words: "this entry is disabled",
            fix: wasNamed ? #"Complete its options and set "enabled": true."# : nil)
    }

    var document: JSONValue {
        var document = JSONObject([("id", .string(id)), ("code", .string(code)), ("text", .string(words))])
        document["fix"] = fix.map(JSONValue.string)
        document["redirectUri"] = redirectURI.map(JSONValue.string)
        return .object(document)
    }

    var text: TerminalText {
        let advice: TerminalText = fix.map { "\n  \($0)" } ?? ""
        let registration: TerminalText = redirectURI.map { "\n  redirect URI: \($0)" } ?? ""
        return "\(mark.rawValue) \(id): \(words) [\(code)]\(advice)\(registration)"
    }
}

extension [ProviderCheckLine] {
    fileprivate static func lines(of provider: ConfiguredProvider, _ core: BrokerCore) async -> [ProviderCheckLine] {
        var lines = findings(about: provider, await core.checkProvider(provider))
        if provider.provider is any RedirectSignIn, !lines.isEmpty {
            // Once for each provider.
            lines[lines.count - 1].redirectURI = ConfiguredProvider.callbackURL(
                of: provider.id, at: core.configuration.publicURL)
        }
        return lines
    }

    private static func findings(
        about provider: ConfiguredProvider, _ outcome: CheckProvider.Outcome
    ) -> [ProviderCheckLine] {
        switch outcome {
        case .notCheckable:
            [
                ProviderCheckLine(
                    mark: .note, id: provider.id, code: "not-checkable", words: "this plugin has no check")
            ]
        case .checked([]):
            [ProviderCheckLine(mark: .good, id: provider.id, code: "ok", words: "ready for sign-ins")]
        case .checked(let findings):
            findings.map {
                ProviderCheckLine(mark: .problem, id: provider.id, code: $0.code, words: $0.text, fix: $0.fix)
            }
        }
    }
}

import ArgumentParser
import Broker
import BrokerStore
import Foundation
import ProviderKit

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Look for what keeps the broker, or an app, from signing users in.",
        discussion: """
            Examines the configuration, the store, the keys, the clock, the disk and the providers of this host, and
            the files of an app for iOS or macOS that are named. Every finding has a stable code, its cause and its
            remedy; the page /diagnose of the broker explains the codes too. Exits 1 when one of the findings keeps users
            from signing in or the broker from limiting strangers, otherwise 0: warnings (!) do not count.

            Nothing is changed. Providers are asked, unless --offline is given.

            Examples:
              broker doctor
              broker doctor --app Info.plist --entitlements App.entitlements
              broker doctor --resolved Package.resolved --offline --json
            """.paragraphs)

    @Option(name: .long, help: "The app's Info.plist.")
    var app: String?

    @Option(name: .long, help: "The app's entitlements file.")
    var entitlements: String?

    @Option(name: .long, help: "The app's Package.resolved.")
    var resolved: String?

    @Flag(name: .long, help: "Ask no provider.")
    var offline = false

    @OptionGroup var options: ConfigurationOptions
    @OptionGroup var host: HostOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await output.reporting {
            let files = try files()
            let lines = try await lines(files)
            output(
                ["findings": .array(lines.map(\.document))],
                text: lines.isEmpty ? "No trouble found." : lines.map(\.text).joined(separator: "\n"))
            if lines.contains(where: { !$0.isWarning }) { throw ExitCode.failure }
        }
    }

    private func files() throws -> AppFiles {
        do {
            return try AppFiles(infoPlist: app, entitlements: entitlements, resolved: resolved)
        } catch let error as AppFiles.Unreadable {
            throw CommandFailure(
                code: "FILE_UNREADABLE", "\(error.path): \(error.reason)", exitCode: .validationFailure)
        }
    }

    private func lines(_ files: AppFiles) async throws -> [DoctorLine] {
        do {
            return try await options.withCore(asksProviders: true) { core in
                var lines = await core.admin.examineBroker().map(DoctorLine.init)
                if !offline { lines += await DoctorLine.lines(askingProvidersOf: core) }
                return lines + (try await examineApp(core)).findings(in: files).map(DoctorLine.init)
            }
        } catch let error as StoreError {
            return [DoctorLine(DoctorFinding(.storeUnavailable, "\(error)"))]
        }
    }

    private func examineApp(_ core: BrokerCore) async throws -> ExamineApp {
        let native = try await core.openID.clients.all().filter { $0.kind == .native }
        return ExamineApp(
            redirectURIs: native.flatMap(\.redirectURIs),
            providerHosts: core.admin.providerHosts,
            providers: Set(core.providers.current.providers.map(\.kind)), declarations: core.configuration.declarations)
    }
}

/// A finding in the output of `doctor`.
struct DoctorLine {
    let code: String
    let subject: String
    let cause: String
    let remedy: String
    var isWarning = false

    init(_ finding: DoctorFinding) {
        let text = finding.diagnosis.text
        (code, subject) = (finding.diagnosis.rawValue, finding.subject)
        (cause, remedy) = (text.cause, text.remedy)
        isWarning = finding.diagnosis.isWarning
    }

    private init(_ finding: ConfigurationFinding, of provider: String) {
        (code, subject, cause, remedy) = (finding.code, provider, finding.text, finding.fix)
        isWarning = finding.isHint
    }

    /// The findings of `providers check`.
    static func lines(askingProvidersOf core: BrokerCore) async -> [DoctorLine] {
        var lines: [DoctorLine] = []
        for provider in core.providers.current.providers {
            guard case .checked(let findings) = await provider.check() else { continue }
            lines += findings.map { DoctorLine($0, of: provider.id) }
        }
        return lines
    }

    var document: JSONValue {
        [
            "code": .string(code), "subject": .string(subject), "cause": .string(cause), "remedy": .string(remedy),
            "severity": isWarning ? "warning" : "problem",
        ]
    }

    var text: TerminalText {
        "\(isWarning ? "!" : "✗") \(subject): \(cause) [\(code)]\n  \(remedy)"
    }
}

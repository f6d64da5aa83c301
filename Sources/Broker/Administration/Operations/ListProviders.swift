package import BrokerStore
import ProviderKit

/// `providers.list`: the provider entries of `plugins.json` and of the store.
package struct ListProviders: AdminOperation {
    package static let declaration = OperationDeclaration(
        "providers.list", "Lists the provider entries of plugins.json and of the store.", .readConfiguration, .reads,
        asksProviders: true,
        command: DeclaredCommand(
            "list", "List the entries of plugins.json and of the store.",
            """
            SOURCE says where an entry stands. An entry of the store that is left out has its reason below the table;
            all the others work.

            Examples:
              broker providers list
              broker providers list --json
            """))

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = ["providers": "The entries."]

        package let providers: [ProviderAnswer]
    }

    /// An entry without its options, which may be secrets. Only an enabled one has an instance.
    package struct ProviderAnswer: DescribedObject {
        package static let texts: [String: MemberText] = [
            "id": "The id of the entry.",
            "use": "Its plugin; absent for a stored entry that cannot be read.",
            "enabled": "Whether users can sign in with it.",
            "source": "`plugins.json` or `store`.",
            "displayName": "The name that users see.",
            "redirectUri": "The redirect URI to register at the provider.",
            "problem": "The reason why a stored entry is left out.",
            "trustEmail": "Whether the addresses that it reports as verified count.",
            "instance": "The provider's issuer.",
            "accepts": "The kinds of credentials that the provider verifies.",
            "probesPaused": "Present while no grants of the provider are checked.",
        ]

        package let id: String
        package let use: String?
        package let enabled: Bool
        package let source: String
        package let displayName: String?
        package let redirectUri: String
        package let problem: String?
        package private(set) var trustEmail: Bool?
        package private(set) var instance: String?
        package private(set) var accepts: [String]?
        package private(set) var probesPaused: Pause?
    }

    /// The reason and the time since when no grants of the provider are checked.
    package struct Pause: DescribedObject {
        package static let texts: [String: MemberText] = [
            "since": "Since when.", "probes": "The checks that led to it.",
            "failures": "How many of them were refused.",
        ]

        package let since: Timestamp
        package let probes: Int64
        package let failures: Int64
    }

    package init() {}

    package func run(for call: AdminCall) async throws -> Answer {
        let admin = call.admin
        let pauses = try await admin.pausedProbes()
        return Answer(
            providers: try await admin.providers.listProviders().map { listed in
                ProviderAnswer(listed, pauses.first { $0.provider.hasSameBytes(as: listed.id) }, admin)
            })
    }

    package func text(of answer: Answer) -> TerminalText {
        guard !answer.providers.isEmpty else { return "No providers." }
        let table = Table<ProviderAnswer>(
            .init("ID") { $0.id }, .init("USE") { $0.use ?? "" }, .init("SOURCE") { $0.source },
            .init("STATE") { $0.stateText }, .init("E-MAIL") { $0.trustEmail == true ? "trusted" : "" },
            .init("INSTANCE", mayBeCut: true) { $0.instance ?? "" })
        let problems = answer.providers.compactMap { provider in provider.problem.map { "\(provider.id): \($0)" } }
        let text = table.text(answer.providers)
        guard !problems.isEmpty else { return text }
        return TerminalText(escapingLines: text.description + "\n\n" + problems.joined(separator: "\n"))
    }
}

extension ListProviders.ProviderAnswer {
    init(_ listed: ListedProvider, _ pause: ProbePause?, _ admin: AdminContext) {
        self.init(
            id: listed.id, use: listed.entry?.use.rawValue, enabled: listed.isEnabled,
            source: listed.isStored ? "store" : "plugins.json", displayName: listed.entry?.displayName,
            redirectUri: ConfiguredProvider.callbackURL(of: listed.id, at: admin.configuration.publicURL),
            problem: listed.problem?.description)
        guard listed.isEnabled, let provider = admin.providers.current.provider(listed.id) else { return }
        trustEmail = provider.trustsEmail
        instance = provider.provider.instance
        accepts = provider.provider.accepts.map(\.rawValue).sorted()
        probesPaused = pause.map {
            .init(since: $0.at, probes: Int64($0.counts.probes), failures: Int64($0.counts.failures))
        }
    }
}

/// `providers.resume-probes`: resumes the paused checks of a provider's grants.
package struct ResumeProviderProbes: AdminOperation {
    package static let declaration = OperationDeclaration(
        "providers.resume-probes", "Resumes the paused background checks of a provider's grants.", .writeConfiguration,
        .undoable,
        [
            .positional(
                "provider", "The provider's id, as broker providers list shows it.", as: "id", example: "apple.com")
        ],
        command: DeclaredCommand(
            "resume-probes", "Resume the paused background checks of a provider's grants.",
            """
            The broker pauses them when a provider refuses more than 5 % of the checks within an hour, and at least
            20: then the entry's client or key has changed, and the users have withdrawn nothing. Find the cause
            with broker providers check first. The refusals that led to the pause have no effect; the grants are
            checked again a day after the last time.

            Example:
              broker providers resume-probes apple.com
            """))

    let provider: String

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = ["provider": "The id of the entry.", "resumed": "`true`."]

        package let provider: String
        package let resumed: Bool
    }

    package func run(for call: AdminCall) async throws -> Answer {
        guard try await call.admin.resumeProbes(provider, origin: call.origin) else {
            throw AdminFailure(code: "NOT_PAUSED", "the probes of \(provider) are not paused")
        }
        return Answer(provider: provider, resumed: true)
    }

    package func text(of answer: Answer) -> TerminalText { "Resumed the probes of \(answer.provider)." }
}

extension ListProviders.ProviderAnswer {
    fileprivate var stateText: String {
        if problem != nil { return "left out" }
        guard enabled else { return "off" }
        return probesPaused == nil ? "enabled" : "enabled, probes paused"
    }
}

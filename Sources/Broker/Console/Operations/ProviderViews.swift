import BrokerStore
import ProviderKit

/// The provider entries of the file and of the store.
struct ProvidersView: Sendable {
    let answer: ListProviders.Answer
    let labels: ProviderLabels
    let buttons: OperationButtons

    var page: ConsolePage {
        let rows = answer.providers.map { provider -> Markup in
            let name = provider.name(labels)
            let second: Markup = "<code>\(provider.id)</code> · \(provider.source)"
            let problem: Markup = provider.problem.map { " · \($0)" } ?? ""
            return .row(
                mark: .mark(kind: provider.use ?? "", name: name),
                .link(ConsoleLink.below(.providers, provider.id), name), second + problem, end: provider.light
            )
        }
        let list: Markup =
            rows.isEmpty ? .empty("Providers with which users sign in stand here.") : .rows(rows)
        return ConsolePage(
            title: "Providers", section: .providers,
            content: .head("Providers", .actions([buttons.button(AddProvider.self, "Add a provider", style: .primary)]))
                + .panel(list), commands: [ListProviders().commandLine].compactMap(\.self))
    }
}

/// One provider: its entry, whether it works, and what can be done.
struct ProviderEntryView: Sendable {
    let answer: ShowProvider.Answer
    /// What came of the check; nil before that.
    let check: CheckProviderOperation.Answer?
    /// Asks for it.
    let checkForm: HiddenForm
    /// Where users sign in with it.
    let signIn: String
    let labels: ProviderLabels
    let buttons: OperationButtons

    private var provider: ListProviders.ProviderAnswer { answer.provider }
    private var name: String { provider.name(labels) }
    private var id: [(String, String)] { [("id", provider.id)] }
    private var isStored: Bool { provider.source == "store" }

    var page: ConsolePage {
        let parts = [
            Markup.breadcrumb([.providers], name), .head(name, .actions(actions)), banner,
            .columns([live, tryOut], [facts]),
            isStored
                ? .dangerZone(
                    "The entry's client and secret are lost. Its users and their identities stay.",
                    buttons.button(RemoveProvider.self, "Remove the provider", id, style: .careful)) : "",
        ]
        return ConsolePage(
            title: name, section: .providers, content: parts.joined(),
            commands: [CheckProviderOperation(provider: provider.id).commandLine].compactMap(\.self))
    }

    private var actions: [Markup] {
        guard isStored else { return [] }
        let toggle =
            provider.enabled
            ? buttons.button(DisableProvider.self, "Disable", id) : buttons.button(EnableProvider.self, "Enable", id)
        return [toggle, buttons.button(UpdateProvider.self, "Change", id)]
    }

    private var banner: Markup {
        if let problem = provider.problem { return .banner(.bad, "The entry is left out.", "\(problem)") }
        if let pause = provider.probesPaused {
            return .banner(
                .warn, "The checks of its grants are paused.",
                """
                \(Int(clamping: pause.failures)) of \(Int(clamping: pause.probes)) were refused. Check the provider first. \
                \(buttons.button(ResumeProviderProbes.self, "Resume", [("provider", provider.id)]))
                """)
        }
        return ""
    }

    private var live: Markup {
        guard let check else {
            return .panel(
                "Live check",
                "<p>The entry is checked against the provider itself.</p>"
                    + .actions([.sendButton(checkForm, "Check now")]))
        }
        let rows = check.providers.map { finding -> Markup in
            let tone: PageTone = finding.isProblem ? .bad : finding.code == "ok" ? .good : .neutral
            let word = finding.isProblem ? "Problem" : finding.code == "ok" ? "Works" : "Not checked"
            return .row(
                "\(finding.text.capitalizedFirst)", finding.fix.map { "\($0)" }, end: .state(tone, word))
        }
        return .panel("Live check", aside: .sendButton(checkForm, "Check again"), .rows(rows))
    }

    private var tryOut: Markup {
        guard provider.enabled, provider.problem == nil else { return "" }
        return .panel(
            "Try a sign-in",
            """
            <p>Signs you in with \(Markup.name(name)) in this browser, as users do; afterwards the account page \
            shows who you are there. A failed sign-in shows a number, which the search above finds.</p>\
            \(Markup.actions([.button(signIn, "Sign in with \(name)")]))
            """)
    }

    private var facts: Markup {
        var rows: [(name: String, value: Markup)] = [
            ("State", provider.light), ("ID", .code(provider.id)), ("Type", "\(provider.use ?? "unknown")"),
            ("Source", isStored ? "the store" : "\(provider.source), which is changed on the host"),
            ("Redirect URI", .code(provider.redirectUri)), ("Users", "\(answer.users.grouped)"),
            ("Without another way in", "\(answer.onlyWayIn.grouped)"),
        ]
        if let instance = provider.instance { rows.append(("Issuer", .code(instance))) }
        if let trusts = provider.trustEmail {
            rows.append(("Addresses it verifies", trusts ? "Trusted" : "Not trusted"))
        }
        if let accepts = provider.accepts {
            rows.append(("Accepts", "\(accepts.map(\.asWords).joined(separator: ", "))"))
        }
        return .panel("Details", .facts(rows))
    }
}

extension ListProviders.ProviderAnswer {
    /// What users call it, else its id.
    fileprivate func name(_ labels: ProviderLabels) -> String { displayName ?? labels.name(id) }

    /// The state in words.
    fileprivate var light: Markup {
        if problem != nil { return .state(.bad, "Left out") }
        guard enabled else { return .state(.neutral, "Off") }
        return probesPaused == nil ? .state(.good, "Enabled") : .state(.warn, "Probes paused")
    }
}

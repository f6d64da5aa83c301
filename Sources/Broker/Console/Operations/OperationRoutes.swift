import BrokerStore
import HTTPTypes
import Hummingbird
import ProviderKit

/// `/console/operations/<name>`: the form of each operation that a person can use, made from its declaration.
struct OperationRoutes: Sendable {
    /// The list of all forms.
    static let path = ConsoleSection.root + "/operations"

    /// What the form at a path does; nil for a path without the form of an operation.
    static func heading(at path: String) -> String? {
        AdminOperations.all.first { path.hasSameBytes(as: "\(Self.path)/\($0.name)") }.map { $0.declaration.heading }
    }

    func add(to routes: ConsoleRoutes) {
        routes.get(Self.path) { visit in try await visit.show(OperationList(allowed: visit.may).page) }
        for operation in AdminOperations.all where OperationForm.exists(for: operation.declaration) {
            add(operation, to: routes)
        }
    }

    private func add<Operation: AdminOperation>(_ operation: Operation.Type, to routes: ConsoleRoutes) {
        let path = OperationLink(operation).href
        routes.get(path) { visit in try await OperationRequest<Operation>(visit, path).open() }
        routes.post(path, requiresRecentLogin: operation.declaration.effect != .reads) { visit in
            try await OperationRequest<Operation>(visit, path).answer()
        }
    }
}

/// A visit to the form of an operation.
private struct OperationRequest<Operation: AdminOperation> {
    let visit: ConsoleVisit
    let path: String
    let contents: FormContents
    let form: OperationForm
    /// Of the provider entry that is added or changed.
    let plugin: ProviderPlugin?
    /// The provider of the catalogue that the entry is made from.
    let listed: CatalogueProvider?

    private var declaration: OperationDeclaration { Operation.declaration }
    private var isChange: Bool { declaration.effect != .reads }

    /// - Throws: ``ConsoleRefusal``, or an error of the operation that tells which provider is changed.
    init(_ visit: ConsoleVisit, _ path: String) async throws {
        guard visit.may(Operation.self) else { throw ConsoleRefusal.roleTooLow(Operation.declaration.scope) }
        self.visit = visit
        self.path = path
        let values = (visit.form ?? visit.query).byName
        let plugins = visit.access.admin.providers.configured.plugins
        listed = Operation.declaration.catalogueName.flatMap { values[$0.name] }
            .flatMap(ProviderCatalogue.embedded.provider(named:))
        let use: String? =
            switch Operation.declaration.entry?.content {
            case .providerEntry: listed?.use ?? Operation.declaration.entry.flatMap { values["\($0.name).use"] }
            case .providerChanges:
                if let id = values["id"] {
                    try await visit.run(ShowProvider(id: id)).provider.use
                } else {
                    nil
                }
            case .catalogueName, .catalogueVariables, .file, .options, nil: nil
            }
        plugin = plugins.first { $0.kind.rawValue == use }
        form = try OperationForm(of: Operation.self, plugin: plugin, from: listed)
        if visit.form != nil {
            contents = FormContents(sent: values)
        } else {
            let thing = try await (Operation.self as? any ThingChange.Type)?.thing(named: values, by: visit)
            contents = FormContents(linked: values, present: thing.map(form.present) ?? [:])
        }
    }

    private var addsProvider: Bool { declaration.entry?.content == .providerEntry }

    /// Whether a provider entry is to be added, of a plugin that is not chosen yet.
    private var lacksPlugin: Bool { addsProvider && plugin == nil }

    /// What the provider asks for when the broker is registered there, which comes before the entry.
    private var redirectURI: String? {
        guard addsProvider, let plugin else { return nil }
        let typed = declaration.entry.flatMap { contents.value("\($0.name).id") }.flatMap { $0.isEmpty ? nil : $0 }
        return ConfiguredProvider.callbackURL(
            of: typed ?? listed?.id ?? plugin.publicInstance?.id ?? "\(plugin.kind.rawValue).NAME",
            at: visit.access.admin.configuration.publicURL)
    }

    /// The form.
    func open() async throws -> Response {
        guard !lacksPlugin else { return try await visit.show(pluginChoice) }
        return try await show([])
    }

    /// What was sent: the form again with what is wrong, a question, or what came of it.
    func answer() async throws -> Response {
        guard !lacksPlugin else { return try await visit.show(pluginChoice) }
        var problems: [FormProblem] = []
        if isChange, visit.origin.reason == nil {
            problems.append(FormProblem(field: ConsoleVisit.reasonField, text: "A reason is required."))
        }
        let body: JSONObject
        switch form.body(of: contents) {
        case .failure(let found): return try await show(problems + found.all)
        case .success(let read): body = read
        }
        guard problems.isEmpty else { return try await show(problems) }
        do {
            let operation = try JSONValueDecoder(unknownNames: .refused).decode(Operation.self, from: .object(body))
            if let misuse = operation.misuse { return try await show([form.problem(misuse: misuse)]) }
            if declaration.losesSomething(with: body), contents.value(FormContents.confirmedName) == nil {
                return try await ask(operation)
            }
            return try await result(try await visit.run(operation), of: operation)
        } catch let error as JSONDecodingError {
            return try await show([form.problem(error)])
        } catch {
            guard !(error is ConsoleRefusal), let failure = AdminFailure(error) else { throw error }
            return try await show([form.problem(failure)])
        }
    }

    private func show(_ problems: [FormProblem]) async throws -> Response {
        let view = OperationFormView(
            form: form, contents: contents, problems: problems, suggestions: try await suggestions(),
            redirectURI: redirectURI, hidden: try visit.form(path), leave: leave)
        return try await visit.show(page(view.markup), problems.isEmpty ? .ok : .badRequest)
    }

    private func ask(_ operation: Operation) async throws -> Response {
        let fields = contents.all.filter { $0.name != ConsoleVisit.tokenField }
        let view = ConfirmationView(
            form: form, contents: contents, question: try await operation.question(visit),
            hidden: try visit.form(path, fields), leave: leave)
        return try await visit.show(page(view.markup, operation.commandLine))
    }

    private func result(_ answer: Operation.Answer, of operation: Operation) async throws -> Response {
        let view = try AnswerView(answer, of: operation)
        let added = adds.flatMap { view.text(at: $0) }.map { (ConsoleLink.below(section, $0), "Open what was added") }
        let back = isRemoval ? section.path : leave
        let markup = view.markup(
            declaration, isFailure: operation.isFailure(answer),
            back: added ?? (back, back == section.path ? "Open \(section.title.lowercased())" : "Go back"))
        return try await visit.show(page(markup, operation.commandLine))
    }

    /// Before a call, and for one whose command reads a file, the line says the command and what is known of the thing.
    private func page(_ content: Markup, _ commandLine: String? = nil) -> ConsolePage {
        ConsolePage(
            title: declaration.heading, section: section, content: content,
            commands: [commandLine ?? form.commandLine(of: contents)].compactMap(\.self))
    }

    private var section: ConsoleSection { ConsoleSection(of: declaration) }

    /// Where the answer has the id of what the operation added; nil where it adds nothing with a page.
    private var adds: [String]? {
        switch declaration.name {
        case AddClient.name: ["client", "clientId"]
        case AddProvider.name: ["provider", "id"]
        case AddWebhook.name: ["webhook", "id"]
        case CreateUserOperation.name: ["localId"]
        default: nil
        }
    }

    /// Whether the thing is gone afterwards.
    private var isRemoval: Bool { ["delete", "remove"].contains { declaration.name.hasSuffix(".\($0)") } }

    /// The page of the thing that the operation is about, else the list of its kind.
    private var leave: String {
        for argument in declaration.arguments where contents.fixed.contains(argument.name) {
            guard let value = contents.value(argument.name) else { continue }
            switch (argument.reference, section) {
            case (.user, _): return ConsoleLink.user(value)
            case (.client, .clients), (.provider, .providers): return ConsoleLink.below(section, value)
            default: continue
            }
        }
        return section.path
    }

    /// The ids to choose from, as far as the administrator may read them.
    private func suggestions() async throws -> [DeclaredArgument.Reference: [OperationFormView.Suggestion]] {
        var all: [DeclaredArgument.Reference: [OperationFormView.Suggestion]] = [:]
        for field in form.fields where !contents.fixed.contains(field.name) {
            switch field.control {
            case .suggestion(.client) where visit.may(ListClients.self):
                all[.client] = try await visit.run(ListClients()).clients.map { .init(id: $0.clientId, name: $0.name) }
            case .suggestion(.provider) where visit.may(ListProviders.self):
                all[.provider] = try await visit.run(ListProviders()).providers.map {
                    .init(id: $0.id, name: $0.displayName)
                }
            default: continue
            }
        }
        return all
    }

    private var pluginChoice: ConsolePage {
        let name = (declaration.entry?.name ?? "") + ".use"
        let rows = visit.access.admin.providers.configured.plugins.map { plugin -> Markup in
            let (kind, id) = (plugin.kind.rawValue, plugin.publicInstance?.id)
            return .row(
                mark: .mark(kind: kind, name: plugin.displayName ?? kind),
                .link(ConsoleLink.address(path, [(name, kind)]), plugin.displayName ?? kind),
                id.map { "\(Markup.code($0)), or an installation of your own" } ?? "<code>\(kind).name</code>")
        }
        return page(
            .head(declaration.heading) + .panel("Which provider?", .rows(rows)) + catalogueChoice)
    }

    /// The providers of the catalogue, which need nothing but a client.
    private var catalogueChoice: Markup {
        guard let from = declaration.catalogueName else { return "" }
        let plugins = visit.access.admin.providers.configured.plugins
        let rows = ProviderCatalogue.embedded.search(nil, for: plugins).map { provider -> Markup in
            .row(
                mark: .mark(kind: provider.use, name: provider.displayName),
                .link(ConsoleLink.address(path, [(from.name, provider.name)]), provider.displayName),
                .code(provider.id))
        }
        return .panel("From the catalogue", .rows(rows))
    }
}

/// All operations that the administrator's role allows, by the place that they belong to.
struct OperationList {
    let allowed: (any AdminOperation.Type) -> Bool

    var page: ConsolePage {
        let all = AdminOperations.all.filter { OperationForm.exists(for: $0.declaration) && allowed($0) }
        let panels = ConsoleSection.allCases.map { section -> Markup in
            let rows = all.filter { ConsoleSection(of: $0.declaration) == section }.map { operation -> Markup in
                .row(
                    .link(OperationLink(operation).href, operation.declaration.heading),
                    .prose(operation.declaration.summary))
            }
            return rows.isEmpty ? "" : .panel(section.title, .rows(rows))
        }
        return ConsolePage(title: "All operations", section: nil, content: .head("All operations") + panels.joined())
    }
}

extension ConsoleSection {
    /// The place that an operation belongs to, by the first part of its name.
    init(of operation: OperationDeclaration) {
        self =
            switch operation.name.prefix(while: { $0 != "." }) {
            case "users", "sessions", "decisions": .users
            case "refusals": .requests
            case "clients": .clients
            case "providers": .providers
            case "webhooks", "events": .webhooks
            case "merges": .merges
            case "withdrawals": .withdrawals
            case "keys", "tokens": .keys
            case "audit": .audit
            case "admin", "console": .access
            default: .home
            }
    }
}

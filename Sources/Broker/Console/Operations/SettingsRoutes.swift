import BrokerStore
import Hummingbird
import ProviderKit

/// The console's pages about apps, providers, webhooks, merges, withdrawals, keys, the audit and administrators.
struct SettingsRoutes: Sendable {
    func add(to routes: ConsoleRoutes) {
        routes.get(ConsoleSection.clients.path, clients)
        routes.get("\(ConsoleSection.clients.path)/{client}", client)
        routes.post("\(ConsoleSection.clients.path)/{client}/check", requiresRecentLogin: false, checkClient)
        routes.get(ConsoleSection.providers.path, providers)
        routes.get("\(ConsoleSection.providers.path)/{provider}", provider)
        routes.post("\(ConsoleSection.providers.path)/{provider}/check", requiresRecentLogin: false, checkProvider)
        routes.get(ConsoleSection.webhooks.path, webhooks)
        routes.get("\(ConsoleSection.webhooks.path)/{webhook}", webhook)
        routes.get(ConsoleSection.merges.path, merges)
        routes.get(ConsoleSection.withdrawals.path, withdrawals)
        routes.get(ConsoleSection.keys.path, keys)
        routes.get(ConsoleSection.audit.path, audit)
        routes.post(AuditView.verifyPath, requiresRecentLogin: false, verify)
        routes.get(ConsoleSection.access.path, access)
    }

    @Sendable
    private func clients(_ visit: ConsoleVisit) async throws -> Response {
        try await visit.show(ClientsView(answer: try await visit.run(ListClients()), buttons: visit.buttons).page)
    }

    @Sendable
    private func client(_ visit: ConsoleVisit) async throws -> Response { try await show(visit, clientCheck: nil) }

    @Sendable
    private func checkClient(_ visit: ConsoleVisit) async throws -> Response {
        try await show(visit, clientCheck: try await visit.run(CheckClient(client: visit.value("client"))))
    }

    private func show(_ visit: ConsoleVisit, clientCheck: CheckClient.Answer?) async throws -> Response {
        let id = visit.value("client")
        let view = ClientView(
            client: try await visit.run(ShowClient(client: id)).client, check: clientCheck,
            checkForm: try visit.form(ConsoleLink.below(.clients, id) + "/check"), buttons: visit.buttons)
        return try await visit.show(view.page)
    }

    @Sendable
    private func providers(_ visit: ConsoleVisit) async throws -> Response {
        try await visit.show(
            ProvidersView(
                answer: try await visit.run(ListProviders()), labels: visit.labels, buttons: visit.buttons
            ).page)
    }

    @Sendable
    private func provider(_ visit: ConsoleVisit) async throws -> Response {
        try await show(visit, providerCheck: nil)
    }

    @Sendable
    private func checkProvider(_ visit: ConsoleVisit) async throws -> Response {
        let check = try await visit.run(CheckProviderOperation(provider: visit.value("provider")))
        return try await show(visit, providerCheck: check)
    }

    private func show(_ visit: ConsoleVisit, providerCheck: CheckProviderOperation.Answer?) async throws -> Response {
        let id = visit.value("provider")
        let view = ProviderEntryView(
            answer: try await visit.run(ShowProvider(id: id)), check: providerCheck,
            checkForm: try visit.form(ConsoleLink.below(.providers, id) + "/check"),
            signIn: SignInPageRoutes.address(of: id, at: visit.access.admin.configuration.publicURL),
            labels: visit.labels,
            buttons: visit.buttons)
        return try await visit.show(view.page)
    }

    @Sendable
    private func webhooks(_ visit: ConsoleVisit) async throws -> Response {
        let view = WebhooksView(
            webhooks: try await visit.run(ListWebhooks()),
            deliveries: try await deliveries(visit, to: nil, at: ConsoleSection.webhooks.path), buttons: visit.buttons)
        return try await visit.show(view.page)
    }

    @Sendable
    private func webhook(_ visit: ConsoleVisit) async throws -> Response {
        let id = visit.value("webhook")
        let all = try await visit.run(ListWebhooks()).webhooks
        guard let webhook = all.first(where: { $0.id.hasSameBytes(as: id) }) else { throw ConsoleRefusal.notFound }
        let view = WebhookView(
            webhook: webhook,
            deliveries: try await deliveries(visit, to: id, at: ConsoleLink.below(.webhooks, id)),
            buttons: visit.buttons)
        return try await visit.show(view.page)
    }

    private func deliveries(
        _ visit: ConsoleVisit, to target: String?, at path: String
    ) async throws -> DeliveryList {
        let state = visit.query[DeliveryList.stateName].flatMap { EventDelivery.State(rawValue: $0) }
        return DeliveryList(
            answer: try await visit.run(DeliveryList.operation(state, target)), state: state, target: target,
            path: path, buttons: visit.buttons)
    }

    @Sendable
    private func merges(_ visit: ConsoleVisit) async throws -> Response {
        let view = MergesView(
            pending: try await visit.run(MergesView.pendingOperation),
            undoable: try await visit.run(MergesView.undoableOperation), labels: visit.labels, buttons: visit.buttons)
        return try await visit.show(view.page)
    }

    @Sendable
    private func withdrawals(_ visit: ConsoleVisit) async throws -> Response {
        let state = visit.query[WithdrawalsView.stateName].flatMap { Withdrawal.State(rawValue: $0) }
        let view = WithdrawalsView(
            answer: try await visit.run(WithdrawalsView.operation(state)), state: state, labels: visit.labels,
            buttons: visit.buttons)
        return try await visit.show(view.page)
    }

    @Sendable
    private func keys(_ visit: ConsoleVisit) async throws -> Response {
        try await visit.show(
            KeysView(answer: try await visit.run(ListSigningKeys(family: nil)), buttons: visit.buttons).page)
    }

    @Sendable
    private func audit(_ visit: ConsoleVisit) async throws -> Response {
        let filter = AuditView.Filter { visit.query[$0] }
        let before = visit.query[AuditView.beforeName]
        var (answer, problem): (ListAudit.Answer, String?) = (.init(entries: [], next: nil), nil)
        do {
            answer = try await visit.run(ListAudit(filter.selection, limit: AuditView.size, before: before))
        } catch let failure as AdminFailure {
            problem = failure.message.asSentence
        }
        let view = AuditView(
            answer: answer, filter: filter, before: before, verifyForm: try visit.form(AuditView.verifyPath),
            problem: problem)
        return try await visit.show(view.page, problem == nil ? .ok : .badRequest)
    }

    /// One stretch of the chain. A longer one goes on with the next form.
    @Sendable
    private func verify(_ visit: ConsoleVisit) async throws -> Response {
        let sums = AuditVerificationView.Sums { visit.form?[$0] }
        let report = try await visit.run(VerifyAuditChain(after: sums.after))
        let view = AuditVerificationView(
            report: report, earlier: sums, form: try visit.form(AuditView.verifyPath, sums.adding(report).fields))
        return try await visit.show(view.page)
    }

    @Sendable
    private func access(_ visit: ConsoleVisit) async throws -> Response {
        let view = AccessView(
            administrators: try await visit.run(ListConsoleAdministrators()),
            tokens: try await visit.run(ListAdminTokens()),
            serviceAccounts: try await visit.run(ListServiceAccounts()), labels: visit.labels, buttons: visit.buttons)
        return try await visit.show(view.page)
    }
}

import BrokerStore
import ProviderKit

/// The registered apps.
struct ClientsView: Sendable {
    let answer: ListClients.Answer
    let buttons: OperationButtons

    var page: ConsolePage {
        let add = buttons.button(AddClient.self, "Add a client", style: .primary)
        let rows = answer.clients.map { client -> [Markup] in
            let link = Markup.link(ConsoleLink.below(.clients, client.clientId), client.name)
            return [
                .named(link, "<code>\(client.clientId)</code>"), "\(client.type.rawValue.capitalizedFirst)",
                .moment(client.createdAt),
            ]
        }
        let list: Markup =
            rows.isEmpty
            ? .empty("Apps that sign users in stand here.") : .table(["App", "Type", "Added"], rows)
        return ConsolePage(
            title: "Clients", section: .clients, content: .head("Clients", .actions([add])) + .panel(list),
            commands: [ListClients().commandLine].compactMap(\.self))
    }
}

/// One app: what is registered, whether its addresses answer, and what can be done.
struct ClientView: Sendable {
    let client: ClientAnswer
    /// What came of asking its addresses; nil before that.
    let check: CheckClient.Answer?
    /// Asks them.
    let checkForm: HiddenForm
    let buttons: OperationButtons

    private var id: [(String, String)] { [("client", client.clientId)] }

    var page: ConsolePage {
        let parts = [
            Markup.breadcrumb([.clients], client.name),
            .head(client.name, .actions(actions)),
            .columns([addresses], [facts]),
            .dangerZone(
                "The app signs no user in any more, and all of its sessions end. An app that is added again gets another id.",
                buttons.button(RemoveClient.self, "Remove the client", id, style: .careful)),
        ]
        return ConsolePage(
            title: client.name, section: .clients, content: parts.joined(),
            commands: [
                ShowClient(client: client.clientId).commandLine, CheckClient(client: client.clientId).commandLine,
            ].compactMap(\.self))
    }

    private var actions: [Markup] {
        [
            client.type == .confidential ? buttons.button(RotateClientSecret.self, "Rotate the secret", id) : "",
            client.type == .native ? buttons.button(ClientPropertyList.self, "Show the property list", id) : "",
            .button(ConsoleLink.refusals(client: client.clientId), "Refused requests"),
            buttons.button(UpdateClient.self, "Change", id),
        ]
    }

    private var addresses: Markup {
        let all =
            client.redirectUris.map { ($0, "Redirect URI") }
            + client.postLogoutRedirectUris.map { ($0, "After sign-out") }
        let rows = all.map { uri, use in Markup.row(.code(uri), "\(use)", end: state(of: uri)) }
        let again = Markup.sendButton(checkForm, check == nil ? "Check now" : "Check again")
        return .panel(
            "Addresses", aside: rows.isEmpty ? "" : again,
            rows.isEmpty ? .empty("No address is registered: the app signs users in on devices only.") : .rows(rows))
    }

    private func state(of uri: String) -> Markup {
        guard let finding = check?.addresses.first(where: { $0.uri.hasSameBytes(as: uri) }) else { return "" }
        let tone: PageTone =
            switch finding.state {
            case .answers: .good
            case .missing: .warn
            case .failing, .unreachable: .bad
            case .onDevice: .neutral
            }
        return .state(tone, finding.text.capitalizedFirst)
    }

    private var facts: Markup {
        var rows: [(name: String, value: Markup)] = [
            ("Client ID", .code(client.clientId)), ("Type", "\(client.type.rawValue.capitalizedFirst)"),
            ("PKCE", "\(client.pkce.rawValue.capitalizedFirst)"),
            ("Signature of tokens", "\(client.idTokenSigningAlg.rawValue)"),
            ("Provider tokens go to", client.providerTokens == "client" ? "the app" : "backends only"),
            ("Your own app", client.isFirstParty ? "Yes" : "No"), ("Added", .moment(client.createdAt)),
        ]
        if let until = client.previousSecretUntil {
            rows.append(("Earlier secret", "valid until \(Markup.moment(until))"))
        }
        if let uri = client.backchannelLogoutUri { rows.append(("Logout tokens go to", .code(uri))) }
        let pages = [
            ("Start page", client.homeUrl), ("Terms", client.termsUrl), ("Privacy policy", client.privacyUrl),
            ("Support", client.supportUrl), ("Logo", client.logo), ("Logo on dark pages", client.logoDark),
        ]
        rows += pages.compactMap { name, value in value.map { (name, .code($0)) } }
        return .panel("Details", .facts(rows))
    }
}

extension String {
    /// With a capital letter.
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

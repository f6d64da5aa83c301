import BrokerStore

/// Who may administer: the console's administrators, admin tokens and service accounts.
struct AccessView: Sendable {
    let administrators: ListConsoleAdministrators.Answer
    let tokens: ListAdminTokens.Answer
    let serviceAccounts: ListServiceAccounts.Answer
    let labels: ProviderLabels
    let buttons: OperationButtons

    var page: ConsolePage {
        ConsolePage(
            title: "Administrators", section: .access,
            content: .head("Administrators", .actions([.button(OperationRoutes.path, "All operations")]))
                + .panel("Console", people) + (invitations ?? "")
                + .panel(
                    "Admin tokens", aside: buttons.button(CreateAdminToken.self, "Create an admin token"), tokenList)
                + .panel(
                    "Service accounts", aside: buttons.button(CreateServiceAccount.self, "Create a service account"),
                    accountList),
            commands: [
                ListConsoleAdministrators().commandLine, ListAdminTokens().commandLine,
                ListServiceAccounts().commandLine,
            ].compactMap(\.self))
    }

    private var people: Markup {
        guard !administrators.administrators.isEmpty else { return .empty("The console has no administrators yet.") }
        return .table(
            ["Administrator", "Role", "Last sign-in", ""],
            administrators.administrators.map { administrator in
                let name = administrator.name ?? administrator.email ?? administrator.subject ?? "Unknown"
                let provider = labels.name(administrator.provider)
                let isInvited = administrator.source == "invitation"
                var actions: [Markup] = []
                if let id = administrator.id {
                    if isInvited {
                        actions.append(
                            buttons.button(SetConsoleRole.self, "Change the role", [("id", id)], spoken: name))
                    }
                    actions.append(
                        buttons.button(
                            RemoveConsoleAdministrator.self, "Remove", [("id", id)], style: .careful, spoken: name))
                }
                return [
                    .named(.name(name), "\(provider) · from \(isInvited ? "an invitation" : "the configuration")"),
                    "\(administrator.role?.rawValue.capitalizedFirst ?? "None")",
                    administrator.lastSignInAt.map { .moment($0) } ?? "Never", .actions(actions),
                ]
            })
    }

    private var invitations: Markup? {
        guard !administrators.invitations.isEmpty else { return nil }
        return .panel(
            "Open invitations",
            .table(
                ["Role", "Made", "Ends"],
                administrators.invitations.map { invitation in
                    [
                        "\(invitation.role.rawValue.capitalizedFirst)", .moment(invitation.createdAt),
                        .moment(invitation.expiresAt),
                    ]
                }))
    }

    private var tokenList: Markup {
        guard !tokens.credentials.isEmpty else { return .empty("Tokens of scripts and backends stand here.") }
        return .table(
            ["Token", "State", "Last used", ""],
            tokens.credentials.map { token in
                let revoke =
                    token.state == "valid"
                    ? buttons.button(
                        RevokeAdminToken.self, "Revoke", [("id", token.id)], style: .careful, spoken: token.name)
                    : ""
                return [
                    .named(.name(token.name), "<code>\(token.id)</code> · \(token.scopes.joined(separator: " "))"),
                    Self.light(token.state, until: token.expiresAt),
                    token.lastUsedAt.map { .moment($0) } ?? "Never", .actions([revoke]),
                ]
            })
    }

    private var accountList: Markup {
        guard !serviceAccounts.serviceAccounts.isEmpty else {
            return .empty("Accounts of backends with the Admin SDK stand here.")
        }
        return .table(
            ["Account", "State", "Last used", ""],
            serviceAccounts.serviceAccounts.map { account in
                let id = [("id", account.id)]
                let actions =
                    account.state == "valid"
                    ? [
                        buttons.button(RotateServiceAccountKey.self, "Give another key", id, spoken: account.name),
                        buttons.button(RevokeServiceAccount.self, "Revoke", id, style: .careful, spoken: account.name),
                    ] : []
                return [
                    .named(
                        .name(account.name), "<code>\(account.email)</code> · \(account.scopes.joined(separator: " "))"),
                    Self.light(account.state, until: nil), account.lastUsedAt.map { .moment($0) } ?? "Never",
                    .actions(actions),
                ]
            })
    }

    private static func light(_ state: String, until: Timestamp?) -> Markup {
        let end: Markup? = until.map { "<p class=\"soft tiny\">until \(Markup.moment($0))</p>" }
        return "\(Markup.state(state == "valid" ? .good : .neutral, state.capitalizedFirst))\(end)"
    }
}

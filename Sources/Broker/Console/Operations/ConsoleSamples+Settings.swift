import BrokerStore
import ProviderKit

/// The pages of apps, providers, webhooks, keys and the audit, and the forms of operations.
extension ConsoleSamples {
    var settings: [(name: String, page: ConsolePage)] {
        let pages: [(String, ConsolePage?)] = [
            ("console-clients", clients([client])), ("console-clients-none", clients([])),
            ("console-client", clientPage(isChecked: true)), ("console-client-unchecked", clientPage(isChecked: false)),
            ("console-providers", providers), ("console-provider", provider(isChecked: true)),
            ("console-provider-unchecked", provider(isChecked: false)),
            ("console-webhooks", webhooks(isEmpty: false)), ("console-webhooks-none", webhooks(isEmpty: true)),
            ("console-webhook", webhookPage), ("console-merges", merges(isEmpty: false)),
            ("console-merges-none", merges(isEmpty: true)), ("console-withdrawals", withdrawals),
            ("console-keys", keys), ("console-audit", audit), ("console-audit-verified", verification(findings: [])),
            (
                "console-audit-broken",
                verification(findings: [["kind": "altered", "first": 312, "last": 312]])
            ),
            ("console-access", access), ("console-operations", OperationList { _ in true }.page),
            ("console-form", form(AddClient.self, [:])),
            (
                "console-form-refused",
                form(
                    CreateAdminToken.self, ["name": app, "lifetimeSeconds": "soon", "scopes.users:read": "yes"],
                    [
                        .init(field: "lifetimeSeconds", text: "Lifetime seconds takes a whole number."),
                        .init(field: ConsoleVisit.reasonField, text: "A reason is required."),
                    ])
            ),
            ("console-question", question), ("console-answer", answerWithSecret),
        ]
        return pages.compactMap { name, page in page.map { (name, $0) } }
    }

    var buttons: OperationButtons { OperationButtons { _ in true } }
    private var hidden: HiddenForm { HiddenForm(action: OperationRoutes.path, fields: [("form", "c2VhbGVk")]) }

    /// An answer as an operation would give it; a test sees that each is one.
    private func sample<Answer: Decodable>(_ document: JSONValue, as _: Answer.Type = Answer.self) -> Answer? {
        try? JSONValueDecoder(unknownNames: .refused).decode(Answer.self, from: document)
    }

    private func moment(_ secondsAgo: Int64) -> JSONValue {
        .string(Timestamp(milliseconds: now.milliseconds - secondsAgo * 1000).text)
    }

    private var client: JSONValue {
        [
            "clientId": "4fJqW8xT0aPzTmLq9bCdWk", "type": "confidential", "name": .string(app),
            "redirectUris": ["https://notebook.example/callback", "com.example.notebook:/callback"],
            "postLogoutRedirectUris": ["https://notebook.example/bye"], "idTokenSigningAlg": "ES256",
            "pkce": "required", "providerTokens": "server", "isFirstParty": true,
            "homeUrl": "https://notebook.example/", "createdAt": moment(8_000_000),
            "previousSecretUntil": moment(-4000),
        ]
    }

    private func clients(_ clients: [JSONValue]) -> ConsolePage? {
        sample(["clients": .array(clients)]).map { ClientsView(answer: $0, buttons: buttons).page }
    }

    private func clientPage(isChecked: Bool) -> ConsolePage? {
        let check: CheckClient.Answer? = sample([
            "addresses": [
                [
                    "use": "redirect", "uri": "https://notebook.example/callback", "state": "unreachable",
                    "text": "no connection to the host",
                ],
                [
                    "use": "redirect", "uri": "com.example.notebook:/callback", "state": "on-device",
                    "text": "an app on a device, which cannot be asked",
                ],
                [
                    "use": "logout", "uri": "https://notebook.example/bye", "state": "answers", "text": "answers 200",
                ],
            ]
        ])
        return sample(client).map {
            ClientView(client: $0, check: isChecked ? check : nil, checkForm: hidden, buttons: buttons).page
        }
    }

    private func entry(_ id: String, _ use: String, _ name: String, _ more: JSONObject = [:]) -> JSONValue {
        var entry: JSONObject = [
            "id": .string(id), "use": .string(use), "displayName": .string(name), "enabled": true, "source": "store",
            "redirectUri": .string("https://id.fernwick.example/oauth/callback/\(id)"), "trustEmail": true,
            "instance": .string("https://\(id)"), "accepts": ["accessToken", "authorizationCode"],
        ]
        for (name, value) in more { entry[name] = value }
        return .object(entry)
    }

    private var providers: ConsolePage? {
        let all: [JSONValue] = [
            entry("github.com", "github", "GitHub"),
            entry("gitlab.com", "gitlab", "GitLab", ["source": "plugins.json"]),
            entry(
                "apple.com", "apple", "Apple",
                ["probesPaused": ["since": moment(4000), "probes": 30, "failures": 24]]),
            entry("1pass.dev", "1pass", "1Pass", ["enabled": false]),
            entry("oidc.acme", "oidc", acme, ["problem": "the entry at /options/issuer: is no URL."]),
        ]
        return sample(["providers": .array(all)]).map {
            ProvidersView(answer: $0, labels: labels, buttons: buttons).page
        }
    }

    private func provider(isChecked: Bool) -> ConsolePage? {
        let pause: JSONObject = ["probesPaused": ["since": moment(4000), "probes": 30, "failures": 24]]
        let answer: ShowProvider.Answer? = sample([
            "provider": entry("apple.com", "apple", "Apple", isChecked ? pause : [:]), "users": 40_005,
            "onlyWayIn": 312,
        ])
        let check: CheckProviderOperation.Answer? = sample([
            "providers": [
                [
                    "id": "apple.com", "code": "key-refused", "text": "the provider refuses the key",
                    "fix": "Make another key at the provider, and change the entry.",
                ], ["id": "apple.com", "code": "ok", "text": "ready for sign-ins"],
            ]
        ])
        return answer.map {
            ProviderEntryView(
                answer: $0, check: isChecked ? check : nil, checkForm: hidden,
                signIn: "https://id.fernwick.example/sign-in", labels: labels, buttons: buttons
            ).page
        }
    }

    private var webhook: JSONValue {
        [
            "id": "wh_4fJqW8xT0aPzTmLq9bCd", "url": "https://shop.example/broker-events",
            "events": ["user.created", "user.deleted"], "enabled": false, "createdAt": moment(800_000),
            "disabledAt": moment(900), "disabledReason": "the receiver answered 410",
        ]
    }

    private func deliveries(isEmpty: Bool, to target: String?, at path: String) -> DeliveryList? {
        func delivery(_ type: String, _ state: String, _ reason: JSONValue?) -> JSONValue {
            var delivery: JSONObject = [
                "event": "evt_4fJqW8xT0aPz", "type": .string(type), "at": moment(900), "localId": .string(localID),
                "target": "wh_4fJqW8xT0aPzTmLq9bCd", "targetKind": "webhook", "state": .string(state), "attempts": 3,
                "data": [:],
            ]
            delivery["reason"] = reason
            return .object(delivery)
        }
        let all = [
            delivery("user.created", "delivered", nil),
            delivery("user.signed-in", "queued", "the receiver answered 503"),
            delivery("user.deleted", "dead", "no answer within 5 s"),
        ]
        return sample(["events": .array(isEmpty ? [] : all), "now": 0]).map {
            DeliveryList(answer: $0, state: isEmpty ? .dead : nil, target: target, path: path, buttons: buttons)
        }
    }

    private func webhooks(isEmpty: Bool) -> ConsolePage? {
        guard let list = deliveries(isEmpty: isEmpty, to: nil, at: ConsoleSection.webhooks.path) else { return nil }
        return sample(["webhooks": isEmpty ? [] : [webhook]]).map {
            WebhooksView(webhooks: $0, deliveries: list, buttons: buttons).page
        }
    }

    private var webhookPage: ConsolePage? {
        guard let list = deliveries(isEmpty: false, to: "wh_4fJqW8xT0aPzTmLq9bCd", at: ConsoleSection.webhooks.path)
        else { return nil }
        return sample(webhook).map { WebhookView(webhook: $0, deliveries: list, buttons: buttons).page }
    }

    private func merges(isEmpty: Bool) -> ConsolePage? {
        func user(_ id: String, _ provider: JSONValue) -> JSONValue {
            [
                "localId": .string(id), "displayName": .string(person), "email": .string(email),
                "customAttributes": #"{"plan":"team"}"#, "providerUserInfo": [["providerId": provider]],
            ]
        }
        var merge: JSONObject = [
            "id": "4mXqW8xT0aPz", "provider": "1pass.dev", "createdAt": moment(70_000),
            "survivor": user(localID, "github.com"), "absorbed": user("u2HkP9sWe3Lb7Tqm08b6", "1pass.dev"),
        ]
        let pending: ListMerges.Answer? = sample(["merges": isEmpty ? [] : [.object(merge)]])
        (merge["mergedAt"], merge["undoableUntil"]) = (moment(90_000), moment(-2_000_000))
        merge["conflicts"] = [["code": "email-taken", "message": "The address belongs to the other user now."]]
        let undoable: ListMerges.Answer? = sample(["merges": isEmpty ? [] : [.object(merge)]])
        guard let pending, let undoable else { return nil }
        return MergesView(pending: pending, undoable: undoable, labels: labels, buttons: buttons).page
    }

    private var withdrawals: ConsolePage? {
        func withdrawal(_ state: JSONValue, _ provider: JSONValue, _ reason: JSONValue) -> JSONValue {
            [
                "receipt": "5d41402abc4b2a76b9719d91", "state": state, "provider": provider,
                "instance": "https://github.com", "client": "Ov23li", "tokenTypeHint": "access_token",
                "cause": "unlinked", "attempts": 5, "createdAt": moment(9000), "queuedAt": moment(8000),
                "reason": reason,
            ]
        }
        return sample([
            "withdrawals": [
                withdrawal("queued", "github.com", "answered 503"), withdrawal("parked", "apple.com", "invalid_client"),
                withdrawal("dead", "oidc.acme", "the token cannot be read"),
            ]
        ]).map { WithdrawalsView(answer: $0, state: nil, labels: labels, buttons: buttons).page }
    }

    private var keys: ConsolePage? {
        func key(_ family: JSONValue, _ state: JSONValue) -> JSONValue {
            [
                "keyId": "q7TmLq9bCdWk4fJqW8xT0a", "family": family, "algorithm": "ES256", "state": state,
                "createdAt": moment(800_000), "activatesAt": moment(700_000), "retiresAt": moment(-900_000),
                "publishedUntil": moment(-990_000),
            ]
        }
        return sample([
            "keys": [
                key("oidc", "next"), key("oidc", "active"), key("identity-toolkit", "retired"),
                key("identity-toolkit", "revoked"),
            ]
        ]).map { KeysView(answer: $0, buttons: buttons).page }
    }

    private var audit: ConsolePage? {
        sample([
            "entries": [
                [
                    "time": moment(300), "event": "user.disabled", "actorKind": "admin",
                    "actor": "console:UPLr2dskwuqa", "actorName": .string(administrator), "user": .string(localID),
                    "reason": .string(reason), "requestId": .string(requestID), "detail": [:],
                ],
                [
                    "time": moment(900), "event": "identity.linked", "actorKind": "user", "actor": .string(localID),
                    "user": .string(localID), "provider": "gitlab.com", "requestId": .string(requestID),
                    "detail": ["rule": "L3"],
                ],
            ], "next": "older",
        ]).map {
            AuditView(
                answer: $0, filter: .init { $0 == "event" ? "user." : nil }, before: nil, verifyForm: hidden,
                problem: nil
            ).page
        }
    }

    private func verification(findings: [JSONValue]) -> ConsolePage? {
        sample([
            "entries": 20_000, "findings": .array(findings), "findingCount": .integer(findings.count), "next": 20_000,
            "removed": 0, "unsealed": 0,
        ]).map { AuditVerificationView(report: $0, earlier: .init { _ in nil }, form: hidden).page }
    }

    private var access: ConsolePage? {
        let administrators: ListConsoleAdministrators.Answer? = sample([
            "administrators": [
                [
                    "id": "UPLr2dskwuqa", "name": .string(administrator), "role": "owner", "source": "invitation",
                    "provider": "github.com", "lastSignInAt": moment(300),
                ],
                [
                    "role": "viewer", "source": "configuration", "provider": "oidc.acme", "email": .string(email),
                ],
            ],
            "invitations": [["role": "operator", "createdAt": moment(300), "expiresAt": moment(-600)]],
        ])
        let tokens: ListAdminTokens.Answer? = sample([
            "credentials": [
                [
                    "id": "HsqhPw8OZfzj", "name": .string(app), "scopes": ["users:read", "events:read"],
                    "state": "valid", "createdAt": moment(90_000), "expiresAt": moment(-90_000),
                ],
                [
                    "id": "4fJqW8xT0aPz", "name": "Calendar", "scopes": ["admin"], "state": "revoked",
                    "createdAt": moment(90_000), "revokedAt": moment(9000), "lastUsedAt": moment(10_000),
                ],
            ]
        ])
        let accounts: ListServiceAccounts.Answer? = sample([
            "serviceAccounts": [
                [
                    "id": "4fJqW8xT0aPz", "name": "calendar", "email": "calendar@demo.iam.example",
                    "scopes": ["users:write"], "state": "valid", "createdAt": moment(90_000), "keys": [],
                ]
            ]
        ])
        guard let administrators, let tokens, let accounts else { return nil }
        return AccessView(
            administrators: administrators, tokens: tokens, serviceAccounts: accounts, labels: labels, buttons: buttons
        ).page
    }
}

/// Forms, questions and answers.
extension ConsoleSamples {
    private func form<Operation: AdminOperation>(
        _ operation: Operation.Type, _ typed: [String: String], _ problems: [FormProblem] = []
    ) -> ConsolePage? {
        let contents =
            typed.isEmpty ? FormContents(linked: [:], present: [:]) : FormContents(sent: typed)
        return (try? OperationForm(of: operation)).map { form in
            let view = OperationFormView(
                form: form, contents: contents, problems: problems, hidden: hidden, leave: ConsoleSection.clients.path)
            return ConsolePage(
                title: form.declaration.heading, section: .clients, content: view.markup,
                commands: [form.commandLine(of: contents)].compactMap(\.self))
        }
    }

    private var question: ConsolePage? {
        (try? OperationForm(of: DeleteUser.self)).map { form in
            let view = ConfirmationView(
                form: form, contents: FormContents(sent: ["user": localID, ConsoleVisit.reasonField: reason]),
                question: OperationQuestion("Delete user \(localID) (\(email)) for good?", otherwise: ""),
                hidden: hidden, leave: ConsoleLink.user(localID))
            return ConsolePage(
                title: form.declaration.heading, section: .users, content: view.markup,
                commands: [DeleteUser(user: localID).commandLine].compactMap(\.self))
        }
    }

    private var answerWithSecret: ConsolePage? {
        guard let operation: RotateClientSecret = sample(["client": "4fJqW8xT0aPzTmLq9bCdWk"]),
            let answer: ClientChangeAnswer = sample([
                "client": client, "clientSecret": "bcs1_made-up-made-up-made-up-made-up-made-up-made",
            ]), let view = try? AnswerView(answer, of: operation)
        else { return nil }
        let markup = view.markup(
            RotateClientSecret.declaration, isFailure: false, back: (ConsoleSection.clients.path, "Open clients"))
        return ConsolePage(
            title: RotateClientSecret.declaration.heading, section: .clients, content: markup,
            commands: [operation.commandLine].compactMap(\.self))
    }
}

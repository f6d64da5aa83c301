import BrokerStore
import ProviderKit

/// The webhooks, and what became of the latest deliveries of events.
struct WebhooksView: Sendable {
    let webhooks: ListWebhooks.Answer
    let deliveries: DeliveryList
    let buttons: OperationButtons

    var page: ConsolePage {
        let rows = webhooks.webhooks.map { webhook -> Markup in
            .row(
                .link(ConsoleLink.below(.webhooks, webhook.id), webhook.url),
                "<code>\(webhook.id)</code> · \(webhook.eventNames)",
                end: webhook.light)
        }
        let list: Markup =
            rows.isEmpty ? .empty("Addresses that are told of events stand here.") : .rows(rows)
        return ConsolePage(
            title: "Webhooks", section: .webhooks,
            content: .head("Webhooks", .actions([buttons.button(AddWebhook.self, "Add a webhook", style: .primary)]))
                + .panel(list) + deliveries.markup,
            commands: [ListWebhooks().commandLine, deliveries.operation.commandLine].compactMap(\.self))
    }
}

/// One webhook with its deliveries.
struct WebhookView: Sendable {
    let webhook: WebhookAnswer
    let deliveries: DeliveryList
    let buttons: OperationButtons

    private var id: [(String, String)] { [("webhook", webhook.id)] }

    var page: ConsolePage {
        let toggle =
            webhook.enabled
            ? buttons.button(DisableWebhook.self, "Disable", id) : buttons.button(EnableWebhook.self, "Enable", id)
        let actions = [
            buttons.button(TestWebhook.self, "Send a test", id),
            buttons.button(RotateWebhookSecret.self, "Rotate the secret", id), toggle,
        ]
        let parts = [
            Markup.breadcrumb([.webhooks], webhook.url), .head("Webhook", .actions(actions)),
            .columns([deliveries.markup], [facts]),
            .dangerZone(
                "Its queued messages are dropped.",
                buttons.button(RemoveWebhook.self, "Remove the webhook", id, style: .careful)),
        ]
        return ConsolePage(
            title: "Webhook", section: .webhooks, content: parts.joined(),
            commands: [ListWebhooks().commandLine, deliveries.operation.commandLine].compactMap(\.self))
    }

    private var facts: Markup {
        var rows: [(name: String, value: Markup)] = [
            ("State", webhook.light), ("URL", .code(webhook.url)), ("ID", .code(webhook.id)),
            ("Events", "\(webhook.eventNames)"),
            ("Added", .moment(webhook.createdAt)),
        ]
        if let reason = webhook.disabledReason { rows.append(("Disabled because", "\(reason)")) }
        if let until = webhook.previousSecretUntil {
            rows.append(("Earlier secret", "signs until \(Markup.moment(until))"))
        }
        return .panel("Details", .facts(rows))
    }
}

/// Deliveries of events with a choice of their state, and the way to repeat them.
struct DeliveryList: Sendable {
    let answer: ListEvents.Answer
    /// The state that is shown; all when nil.
    let state: EventDelivery.State?
    /// The only recipient; all when nil.
    let target: String?
    /// The page's own path.
    let path: String
    let buttons: OperationButtons

    static let stateName = "state"
    /// How many are shown.
    static let maximum = 100

    /// The operation that the list shows.
    static func operation(_ state: EventDelivery.State?, _ target: String?) -> ListEvents {
        ListEvents(state: state, target: target, limit: maximum)
    }

    var operation: ListEvents { Self.operation(state, target) }

    var markup: Markup {
        let choices: [(EventDelivery.State?, String)] = [
            (nil, "All"), (.queued, "Queued"), (.dead, "Given up"), (.delivered, "Delivered"),
        ]
        let tabs = choices.map { choice, text in (address: address(choice), text: text) }
        return .panel("Deliveries", aside: .tabs(tabs, current: address(state)), list + footer)
    }

    private func address(_ state: EventDelivery.State?) -> String {
        ConsoleLink.address(path, state.map { [(Self.stateName, $0.rawValue)] } ?? [])
    }

    private var list: Markup {
        guard !answer.events.isEmpty else { return .empty("No deliveries.", isGood: state == .dead) }
        return .table(
            ["Event", "State", "Time", ""],
            answer.events.reversed().map { delivery in
                let type = delivery["type"]?.string ?? ""
                let (event, target) = (delivery["event"]?.string ?? "", delivery["target"]?.string ?? "")
                let user: Markup? = delivery["localId"]?.string.map { .link(ConsoleLink.user($0), $0) }
                let arguments = [("event", event), ("target", target)]
                let again =
                    delivery["state"] == "queued"
                    ? "" : buttons.button(ReplayEvents.self, "Replay", arguments, spoken: type)
                return [
                    .named("\(type)", "\(user)"),
                    .named(Self.light(delivery), detail(delivery)),
                    delivery["at"]?.string.flatMap { Timestamp(dateText: $0) }.map { .moment($0) } ?? "",
                    .actions([again]),
                ]
            })
    }

    private static func light(_ delivery: JSONObject) -> Markup {
        switch delivery["state"]?.string {
        case "delivered": .state(.good, "Delivered")
        case "dead": .state(.bad, "Given up")
        case "dropped": .state(.neutral, "Dropped")
        default: .state(.warn, "Queued")
        }
    }

    /// The recipient stands there where the list has several.
    private func detail(_ delivery: JSONObject) -> Markup {
        let attempts = delivery["attempts"]?.integer ?? 0
        let tried = attempts == 1 ? "1 attempt" : "\(attempts) attempts"
        let parts = [target == nil ? delivery["target"]?.string : nil, tried, delivery["reason"]?.string]
            .compactMap(\.self)
        return "\(parts.joined(separator: " · "))"
    }

    private var footer: Markup {
        guard answer.events.contains(where: { $0["state"] == "dead" }) else { return "" }
        let arguments = target.map { [("target", $0)] } ?? []
        return .actions([
            buttons.button(ReplayEvents.self, "Replay all that were given up", arguments),
            buttons.button(DropEvents.self, "Drop all that were given up", arguments, style: .careful),
        ])
    }
}

extension WebhookAnswer {
    fileprivate var eventNames: String {
        events.isEmpty || events == ["*"] ? "Every event" : events.joined(separator: ", ")
    }

    fileprivate var light: Markup { enabled ? .state(.good, "Enabled") : .state(.warn, "Disabled") }
}

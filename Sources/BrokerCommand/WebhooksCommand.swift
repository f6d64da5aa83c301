import ArgumentParser
import Broker
import BrokerStore
import ProviderKit

struct WebhooksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webhooks", abstract: "Manage the backends that are told of users' events.",
        discussion: """
            A webhook gets a signed HTTP message (Standard Webhooks) for each event: see Docs/Webhooks.md. Changes take
            effect in every running broker within 5 seconds.
            """.paragraphs,
        subcommands: [
            command(of: AddWebhook.self), command(of: ListWebhooks.self),
            command(of: RemoveWebhook.self),
            command(of: RotateWebhookSecret.self), command(of: EnableWebhook.self),
            command(of: DisableWebhook.self), command(of: TestWebhook.self),
        ])
}

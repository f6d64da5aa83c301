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
            OperationCommand<AddWebhook>.self, OperationCommand<ListWebhooks>.self,
            OperationCommand<RemoveWebhook>.self,
            OperationCommand<RotateWebhookSecret>.self, OperationCommand<EnableWebhook>.self,
            OperationCommand<DisableWebhook>.self, OperationCommand<TestWebhook>.self,
        ])
}

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
            Add.self, List.self, Remove.self, RotateSecret.self, Enable.self, Disable.self, Test.self,
        ])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Add a webhook. The secret is shown once.",
            discussion: """
                Examples:
                  broker webhooks add https://shop.example/broker-events
                  broker webhooks add https://shop.example/broker-events \\
                    --event user.created --event user.deleted
                """.paragraphs)

        @Argument(help: "The URL that messages are posted to.")
        var url: String

        @Option(name: .long, help: "A type of event it gets; repeatable. Without any it gets every type.")
        var event: [String] = []

        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let answer = try await options.run(AddWebhook(url: url, events: event))
                try output(answer) { WebhooksCommand.text($0) }
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the webhooks, the oldest first.",
            discussion: "Example:\n  broker webhooks list --json")

        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let answer = try await options.run(ListWebhooks())
                try output(answer) {
                    $0.webhooks.isEmpty ? "No webhooks." : Table<JSONObject>.webhooks.text($0.webhooks)
                }
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove a webhook and drop its queued messages.",
            discussion: "Example:\n  broker webhooks remove wh_4fJqW8… --yes")

        @OptionGroup var webhook: WebhookArgument

        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                try confirmation.require(
                    "Remove \(webhook.id) and drop its queued messages? [y/N] ", otherwise: "nothing was removed")
                let answer = try await options.run(RemoveWebhook(webhook: webhook.id))
                try output(answer) { "Removed \($0.removed)." }
            }
        }
    }

    struct RotateSecret: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate-secret", abstract: "Rotate the secret of a webhook.",
            discussion: """
                The new secret is printed once. Messages are signed with both secrets for 24 hours, so that every
                receiver can be updated. With --now the old one ends at once, which cannot be undone: use it when the secret
                may have leaked.

                Examples:
                  broker webhooks rotate-secret wh_4fJqW8…
                  broker webhooks rotate-secret wh_4fJqW8… --now --yes --json
                """.paragraphs)

        @OptionGroup var webhook: WebhookArgument

        @Flag(name: .long, help: "End the old secret at once.")
        var now = false

        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                if now {
                    try confirmation.requireIrreversible(
                        "End the present secret of \(webhook.id) at once?", otherwise: "nothing was rotated")
                }
                let answer = try await options.run(RotateWebhookSecret(webhook: webhook.id, now: now))
                try output(answer) { WebhooksCommand.text($0) }
            }
        }
    }

    struct Enable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "enable", abstract: "Enable a webhook. Its dead letters stay until they are replayed.",
            discussion: """
                A webhook that answers 410 is disabled by the broker.

                Example:
                  broker webhooks enable wh_4fJqW8…
                  broker events replay --dead --target wh_4fJqW8…
                """.paragraphs)

        @OptionGroup var webhook: WebhookArgument
        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let answer = try await options.run(EnableWebhook(webhook: webhook.id))
                try output(answer) { Table<JSONObject>.webhooks.text([$0]) }
            }
        }
    }

    struct Disable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "disable", abstract: "Disable a webhook. Its queued messages become dead letters.",
            discussion: "Example:\n  broker webhooks disable wh_4fJqW8…")

        @OptionGroup var webhook: WebhookArgument
        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let answer = try await options.run(DisableWebhook(webhook: webhook.id))
                try output(answer) { Table<JSONObject>.webhooks.text([$0]) }
            }
        }
    }

    struct Test: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "test", abstract: "Post a test message once, and print what came of it.",
            discussion: """
                The message has the type webhook.test and is signed like any other. Exits 1 when it was not delivered.

                Example:
                  broker webhooks test wh_4fJqW8…
                """.paragraphs)

        @OptionGroup var webhook: WebhookArgument
        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let answer = try await options.run(TestWebhook(webhook: webhook.id))
                try output(answer) { $0.delivered ? "Delivered." : "Not delivered: \($0.reason ?? "")." }
                if !answer.delivered { throw ExitCode.failure }
            }
        }
    }

    private static func text(_ answer: WebhookWithSecret) -> TerminalText {
        """
        \(Table<JSONObject>.webhooks.text([answer.webhook]))
        secret: \(answer.secret)
                Store it now: it is not shown again.
        """
    }
}

/// The id of a webhook.
struct WebhookArgument: ParsableArguments {
    @Argument(help: "The webhook's id.")
    var id: String
}

extension Table<JSONObject> {
    /// A table of webhooks.
    fileprivate static var webhooks: Table<JSONObject> {
        Table(
            Table.Column("WEBHOOK") { $0["id"]?.string ?? "" },
            Table.Column("URL", mayBeCut: true) { $0["url"]?.string ?? "" },
            Table.Column("EVENTS", mayBeCut: true) { webhook in
                (webhook["events"]?.array ?? []).compactMap(\.string).joined(separator: ",")
            },
            Table.Column("STATE", mayBeCut: true) { webhook in
                webhook["enabled"]?.bool == true ? "" : "disabled: \(webhook["disabledReason"]?.string ?? "")"
            })
    }
}

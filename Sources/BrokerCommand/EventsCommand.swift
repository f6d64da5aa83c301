import ArgumentParser
import Broker
import BrokerStore
import ProviderKit

struct EventsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events", abstract: "List, follow, replay and drop deliveries of events.",
        discussion: """
            A delivery is one event on its way to one webhook, or a logout token on its way to one client. It is queued,
            delivered, dead (abandoned after `events.retryDays`, or its webhook was disabled) or dropped. Delivered ones
            are stored for a day, dead ones for `events.deadLetterDays`.
            """.paragraphs,
        subcommands: [List.self, Follow.self, Replay.self, Drop.self, Tail.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the latest deliveries, oldest first.",
            discussion: """
                Examples:
                  broker events list
                  broker events list --state dead --target wh_4fJqW8… --json
                """.paragraphs)

        @OptionGroup var filter: EventFilter

        @Option(name: .long, help: ListEvents.help("state"))
        var state: EventDelivery.State?

        @Option(name: .long, help: ListEvents.help("limit"))
        var limit = 100

        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard (1...1000).contains(limit) else { throw ValidationError("--limit takes 1 to 1000.") }
        }

        func run() async throws {
            try await output.reporting {
                let answer = try await options.run(
                    ListEvents(
                        state: state, target: filter.target, type: filter.type, user: filter.user, limit: limit))
                try output(answer) { $0.events.isEmpty ? "No deliveries." : Table<JSONObject>.events.text($0.events) }
                output.noteLimit(limit, reachedBy: answer.events.count)
            }
        }
    }

    struct Follow: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "follow", abstract: "Print deliveries as they are queued, until interrupted.",
            discussion: """
                With --json it prints one JSON document a line.

                Examples:
                  broker events follow
                  broker events follow --type user.deleted --json
                """.paragraphs)

        @OptionGroup var filter: EventFilter
        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                try await options.withExecutor { execute in
                    var known: Set<String> = []
                    var since: Int?
                    while !Task.isCancelled {
                        let answer = try await execute(
                            ListEvents(
                                target: filter.target, type: filter.type, user: filter.user, since: since,
                                limit: since == nil ? 20 : 1000))
                        // Brokers commit in another order than their clocks have: a delivery may appear a little late.
                        since = answer.now - Self.overlap
                        for event in answer.events where known.insert(Self.id(of: event)).inserted { show(event) }
                        if known.count > 20_000 { known = Set(answer.events.map(Self.id)) }
                        try await Task.sleep(for: .seconds(1))
                    }
                }
            }
        }

        /// In milliseconds.
        private static let overlap = 10_000

        private static func id(of event: JSONObject) -> String {
            "\(event["event"]?.string ?? "") \(event["target"]?.string ?? "")"
        }

        private func show(_ event: JSONObject) {
            guard !output.json else { return TerminalText(json: .object(event)).show() }
            func text(_ name: String) -> String { event[name]?.string ?? "" }
            TerminalText(
                escaping: "\(text("at"))  \(text("type"))  \(text("localId"))  \(text("target"))  \(text("event"))"
            ).show()
        }
    }

    struct Replay: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "replay", abstract: "Deliver an event once more, or every dead letter.",
            discussion: """
                The message keeps its id, so that receivers recognize it. A delivered event can be replayed for a day.

                Examples:
                  broker events replay evt_9sK…
                  broker events replay --dead --target wh_4fJqW8…
                """.paragraphs)

        @OptionGroup var selection: EventSelection
        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let answer = try await options.run(ReplayEvents(event: selection.event, target: selection.target))
                try output(answer) { "Queued again: \(String($0.deliveries))." }
            }
        }
    }

    struct Drop: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "drop", abstract: "Give up the queued and dead deliveries of an event, or every dead letter.",
            discussion: """
                Examples:
                  broker events drop evt_9sK… --yes
                  broker events drop --dead --target wh_4fJqW8… --yes
                """.paragraphs)

        @OptionGroup var selection: EventSelection

        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let what = selection.event ?? "every dead letter"
                try confirmation.require("Drop \(what)? [y/N] ", otherwise: "nothing was dropped")
                let answer = try await options.run(DropEvents(event: selection.event, target: selection.target))
                try output(answer) { "Dropped: \(String($0.deliveries))." }
            }
        }
    }
}

/// Which deliveries are shown.
struct EventFilter: ParsableArguments {
    @Option(name: .long, help: ListEvents.help("target"))
    var target: String?

    @Option(name: .long, help: ListEvents.help("type"))
    var type: String?

    @Option(name: .long, help: ListEvents.help("user"), completion: .users)
    var user: String?
}

/// The deliveries that are changed.
struct EventSelection: ParsableArguments {
    @Argument(help: "The event's id.")
    var event: String?

    @Flag(name: .long, help: "Every dead letter instead of one event.")
    var dead = false

    @Option(name: .long, help: ListEvents.help("target"))
    var target: String?

    func validate() throws {
        guard (event != nil) != dead else { throw ValidationError("Name an event, or add --dead.") }
    }
}

extension EventDelivery.State: ExpressibleByArgument {}

extension Table<JSONObject> {
    /// A table of deliveries.
    fileprivate static var events: Table<JSONObject> {
        Table(
            Table.Column("EVENT") { $0["event"]?.string ?? "" },
            Table.Column("TYPE") { $0["type"]?.string ?? "" },
            Table.Column("AT") { String(($0["at"]?.string ?? "").prefix(19)).replacing("T", with: " ") },
            Table.Column("USER") { $0["localId"]?.string ?? "" },
            Table.Column("TARGET") { $0["target"]?.string ?? "" },
            Table.Column("STATE") { $0["state"]?.string ?? "" },
            Table.Column("ATTEMPTS") { String($0["attempts"]?.integer ?? 0) },
            Table.Column("REASON", mayBeCut: true) { $0["reason"]?.string ?? "" })
    }
}

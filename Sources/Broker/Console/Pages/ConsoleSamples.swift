import BrokerStore
import Foundation

/// Every page of the console in its states, with made-up users and apps: for the preview of the pages and for tests.
struct ConsoleSamples {
    var site = "Fernwick"
    var administrator = "Noa Linden"

    var frame: ConsoleFrame {
        ConsoleFrame(
            site: site, name: administrator, role: "Operator",
            signOut: HiddenForm(action: "/console/sign-out", fields: [("form", "c2VhbGVk")]),
            waiting: [.webhooks: 2, .merges: 1])
    }

    var all: [(name: String, page: ConsolePage)] { [("console-parts", parts)] }

    /// The parts that no other sample shows.
    private var parts: ConsolePage {
        ConsolePage(
            title: "Parts", section: nil,
            content: .head(
                "Parts", .actions([.button("/console", "Disable", .careful), .button("/console", "Add", .primary)]))
                + .banner(.bad, "The secret was not rotated.", "Another administrator rotated it a moment ago.")
                + .panel("Empty", .empty("No failed sign-ins in 24 hours", isGood: true))
                + .panel("Empty", .empty("Apps that sign users in stand here.", .button("/console", "Add a client"))),
            commands: ["broker clients list"])
    }
}

import ArgumentParser
import Broker
import BrokerStore
import ProviderKit

struct MergesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merges", abstract: "List, approve, dismiss and undo merges of users.",
        discussion: """
            A provider that merges accounts may report that two users of this broker are the same account. The broker
            stores the merge until you approve or dismiss it. With "autoMerge": true in the provider's entry of
            plugins.json the broker merges the users at once. Users who own two accounts may merge them as well; such a
            merge waits for you if one of the two is disabled or has custom claims that the other one lacks. A merge can be
            undone for 30 days.
            """.paragraphs,
        subcommands: [
            command(of: ListMerges.self), command(of: ShowMerge.self), command(of: ApproveMerge.self),
            command(of: DismissMerge.self), command(of: UndoMergeOperation.self),
        ])
}

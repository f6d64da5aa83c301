import ArgumentParser

extension EventsCommand {
    /// ``Follow`` under its earlier name, for scripts that have it.
    struct Tail: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "tail", abstract: Follow.configuration.abstract,
            discussion: """
                The earlier name of `broker events follow`.

                Example:
                  broker events tail --json
                """.paragraphs,
            shouldDisplay: false)

        @OptionGroup var command: Follow

        func run() async throws { try await command.run() }
    }
}

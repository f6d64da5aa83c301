import ArgumentParser
import Broker

struct ManualCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manual", abstract: "Print the manual page, broker(1).",
        discussion: """
            Made of the same text as --help, so it always describes this version.

            Examples:
              broker manual | man -l -
              broker manual > /usr/local/share/man/man1/broker.1
            """.paragraphs)

    func run() throws {
        TerminalText(program: try ManualPage(help: RootCommand._dumpHelp(), version: BrokerVersion.current).text).show()
    }
}

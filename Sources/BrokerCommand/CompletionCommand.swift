import ArgumentParser
import Broker

struct CompletionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completion", abstract: "Print the completion script of a shell.",
        discussion: """
            Install it once; it completes commands, options and their values.

            Examples:
              broker completion bash > /etc/bash_completion.d/broker
              broker completion zsh > "${fpath[1]}/_broker"
              broker completion fish > ~/.config/fish/completions/broker.fish
            """.paragraphs)

    @Argument(help: "bash, zsh or fish.")
    var shell: Shell

    enum Shell: String, ExpressibleByArgument, CaseIterable {
        case bash, zsh, fish
    }

    func run() {
        let shell: CompletionShell =
            switch shell {
            case .bash: .bash
            case .zsh: .zsh
            case .fish: .fish
            }
        TerminalText(program: RootCommand.completionScript(for: shell)).show()
    }
}

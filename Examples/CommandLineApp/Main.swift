import ArgumentParser

/// A command-line app whose users sign in at a broker: in a browser of this machine, or of another one by a code.
@main struct CommandLineApp: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "CommandLineApp", abstract: "Sign in at a broker and show who you are.",
        subcommands: [
            SignIn.self, WhoAmI.self, Link.self, Unlink.self, Reauthenticate.self, Merge.self, Sessions.self,
            History.self, Export.self, SignOut.self,
            Delete.self,
        ])
}

import ArgumentParser

/// The option of a command that works on the files of the broker's host, and so refuses `--server`.
struct HostOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("Not accepted: the command works on the broker's host.", visibility: .hidden))
    var server: String?

    func validate() throws {
        guard server == nil else { throw ValidationError(CommandFailure.needsHost.message) }
    }
}

extension CommandFailure {
    static let needsHost = CommandFailure(
        code: "NEEDS_HOST",
        "this command works on files of the broker's host: run it there, without --server",
        exitCode: .validationFailure)
}

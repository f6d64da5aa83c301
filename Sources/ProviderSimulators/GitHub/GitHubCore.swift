import Synchronization

/// What the routes of a GitHub simulator share: its memory behind a lock, its clock and how it was started.
final class GitHubCore: Sendable {
    let options: GitHubSimulator.Options
    let traffic = Traffic<GitHubSimulator.Endpoint>()
    private let state: Mutex<GitHubState>

    init(_ options: GitHubSimulator.Options, application: GitHubSimulator.Application) {
        self.options = options
        state = Mutex(GitHubState(options, application: application))
    }

    var clock: SimulatorClock { options.clock }

    /// Where the REST API is mounted.
    var apiPath: String { options.enterprise ? "/api/v3" : "/api" }

    /// Reads or changes the memory; nothing else does meanwhile.
    func withState<Result: Sendable, Failure: Error>(
        _ body: (inout GitHubState) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try state.withLock { state throws(Failure) in try body(&state) }
    }

    /// A copy of the memory as it is now.
    var snapshot: GitHubState { state.withLock { $0 } }
}

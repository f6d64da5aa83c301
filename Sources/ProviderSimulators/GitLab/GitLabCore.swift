import ProviderKitTesting
import Synchronization

/// What the routes of a GitLab simulator share: its memory behind a lock, its clock, its keys and how it was started.
final class GitLabCore: Sendable {
    let options: GitLabSimulator.Options
    let traffic = Traffic<GitLabSimulator.Endpoint>()
    let mint = IDTokenMint(keys: IssuerKeys(style: .thumbprint))
    /// Signs the tokens of CI jobs, which share issuer and key document with ID tokens.
    let jobKeys = IssuerKeys(style: .thumbprint)
    private let state: Mutex<GitLabState>

    init(_ options: GitLabSimulator.Options, application: GitLabSimulator.Application) {
        self.options = options
        state = Mutex(GitLabState(options, application: application))
    }

    var clock: SimulatorClock { options.clock }

    /// The path below which everything stands; empty at the root.
    var prefix: String { options.pathPrefix }

    /// Reads or changes the memory; nothing else does meanwhile.
    func withState<Result: Sendable, Failure: Error>(
        _ body: (inout GitLabState) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try state.withLock { state throws(Failure) in try body(&state) }
    }

    /// A copy of the memory as it is now.
    var snapshot: GitLabState { state.withLock { $0 } }
}

/// A simulated GitHub, faithful on the wire, on 127.0.0.1.
///
/// It speaks what github.com and GitHub Enterprise Server speak to OAuth apps and GitHub Apps: the authorization page
/// with PKCE, the token endpoint with its form-encoded answers and errors in status 200, the device flow, `/user`,
/// `/user/emails` and the token checks under `/applications`. Time, faults and users are under the test's control.
///
/// ```swift
/// let github = try await GitHubSimulator.start()
/// let code = github.authorizationCode(for: github.people()[0], application: github.defaultApplication)
/// // … let the code under test redeem it at github.url …
/// await github.stop()
/// ```
///
/// Unlike GitHub it has no passwords: the page offers every user. All users are fictitious.
public final class GitHubSimulator: DeviceFlowSimulator {
    public let host: SimulatorHost<GitHubState>

    private init(_ host: SimulatorHost<GitHubState>) {
        self.host = host
    }

    /// Starts a simulator and returns once it listens, within milliseconds.
    ///
    /// - Throws: An I/O error when the port is taken.
    public static func start(_ options: Options = .init()) async throws -> GitHubSimulator {
        GitHubSimulator(
            try await SimulatorHost(
                GitHubState(options), port: options.port, clock: options.clock, logger: options.logger))
    }

    /// The base of the REST API: `url` followed by `/api`, or by `/api/v3` as Enterprise Server has it.
    public var apiURL: String { core.read { $0.url + $0.apiPath } }

    /// The `iss` parameter of redirects; can be changed while running.
    public var issuerParameter: IssuerParameter {
        get { core.read(\.issuerParameter) }
        set { core.withState { $0.issuerParameter = newValue } }
    }

    /// The user with this login, in any case.
    public func person(login: String) -> Person? {
        core.read { $0.person(named: login) }
    }

    /// Deletes a user with all grants and tokens.
    public func remove(personID: Int64) {
        core.withState { state in
            state.memory.people.removeAll { $0.id == personID }
            for key in state.grants.keys where key.personID == personID { state.removeGrant(key) }
        }
    }
}

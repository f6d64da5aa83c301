/// A simulated GitLab, faithful on the wire, on 127.0.0.1.
///
/// It speaks what gitlab.com and self-managed installations speak to OAuth applications: the authorization page with
/// PKCE, rotating tokens, ID tokens that live two minutes, the token info that names the application, `/api/v4/user`,
/// revocation, introspection and the device flow. Several may run at once, each an installation of its own, also below
/// a path. Time, faults and users are under the test's control.
///
/// ```swift
/// let gitlab = try await GitLabSimulator.start()
/// let code = gitlab.authorizationCode(for: gitlab.people()[0], application: gitlab.defaultApplication)
/// // … let the code under test redeem it at gitlab.url …
/// await gitlab.stop()
/// ```
///
/// Unlike GitLab it has no passwords: the page offers every user. All users are fictitious.
public final class GitLabSimulator: DeviceFlowSimulator, IDTokenSimulator {
    public let host: SimulatorHost<GitLabState>

    private init(_ host: SimulatorHost<GitLabState>) {
        self.host = host
    }

    /// Starts a simulator and returns once it listens, within milliseconds.
    ///
    /// - Throws: An I/O error when the port is taken.
    public static func start(_ options: Options = .init()) async throws -> GitLabSimulator {
        GitLabSimulator(
            try await SimulatorHost(
                GitLabState(options), port: options.port, below: options.pathPrefix, clock: options.clock,
                logger: options.logger))
    }

    /// The base of the REST API: `url` followed by `/api/v4`.
    public var apiURL: String { url + "/api/v4" }

    /// The `iss` parameter of redirects; can be changed while running.
    public var issuerParameter: IssuerParameter {
        get { core.read(\.issuerParameter) }
        set { core.withState { $0.issuerParameter = newValue } }
    }

    /// The user with this user name, in any case.
    public func person(username: String) -> Person? {
        core.read { $0.person(named: username) }
    }

    /// Deletes a user with all grants; the user's tokens become invalid.
    public func remove(personID: Int64) {
        core.withState { state in
            state.memory.people.removeAll { $0.id == personID }
            for key in state.grants.keys where key.personID == personID { state.removeGrant(key) }
        }
    }

    /// Deletes a client registration, with every grant and token.
    public func remove(clientID: String) {
        core.withState { $0.removeApplication(clientID) }
    }
}

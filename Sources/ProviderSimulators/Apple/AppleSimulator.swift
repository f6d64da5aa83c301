/// A simulated Sign in with Apple, faithful on the wire, on 127.0.0.1.
///
/// It speaks what Apple speaks to apps and web sites: the authorization page with its form post, the token, revocation
/// and migration endpoints with their signed `client_secret`, the shuffled keys, ID tokens in every spelling of truth,
/// and notifications. What a device gives a native app comes from ``nativeCredential(for:application:rawNonce:scopes:)``.
/// Time, faults and users are under the test's control.
///
/// ```swift
/// let apple = try await AppleSimulator.start()
/// let ada = apple.people()[0]
/// let credential = apple.nativeCredential(for: ada, application: apple.nativeApplication, rawNonce: "n")
/// // … let the code under test verify credential.idToken and redeem credential.authorizationCode at apple.url …
/// await apple.stop()
/// ```
///
/// Unlike Apple it has no passwords: the page offers every user. All users are fictitious.
public final class AppleSimulator: IDTokenSimulator {
    public let host: SimulatorHost<AppleState>
    /// The team that exists since the start.
    public let teamID: String
    /// The key of that team: its clients sign their secrets with it.
    public let key: Key
    /// The app that exists since the start.
    public let nativeApplication: Application

    private init(_ host: SimulatorHost<AppleState>, key: Key, native: Application) {
        self.host = host
        self.key = key
        nativeApplication = native
        teamID = host.core.read(\.teamID)
    }

    /// Starts a simulator and returns once it listens, within milliseconds.
    ///
    /// - Throws: An I/O error when the port is taken.
    public static func start(_ options: Options = .init()) async throws -> AppleSimulator {
        let state = AppleState(options)
        let native = state.applications[0]
        var key = options.key ?? Key()
        if key.teamID.isEmpty { key.teamID = state.teamID }
        let host = try await SimulatorHost(
            state, port: options.port, clock: options.clock, logger: options.logger)
        let simulator = AppleSimulator(host, key: key, native: native)
        simulator.register(key)
        return simulator
    }

    /// How it behaves; can be changed while running.
    public var behaviour: Behaviour {
        get { core.read(\.behaviour) }
        set { core.withState { $0.behaviour = newValue } }
    }

    /// Makes honest ID tokens again.
    public func restoreTokens() {
        core.read(\.memory.mint).restore()
    }

    /// Adds a client registration, or replaces the one with the same client ID.
    @discardableResult
    public func register(_ application: Application) -> Application {
        core.withState { $0.register(application) }
    }

    /// The user with this given name, in any case.
    public func person(givenName: String) -> Person? {
        core.read { $0.person(named: givenName) }
    }

    /// Deletes a user with all consents.
    public func remove(personID: String) {
        core.withState { state in
            state.memory.people.removeAll { $0.id == personID }
            for key in state.consents.keys where key.personID == personID { state.removeConsent(key) }
        }
    }

    /// The `sub` of a user in tokens for `application`: the same for all clients of a team.
    public func subject(of person: Person, for application: Application) -> String {
        core.withState { $0.account($0.key(person.id, application.clientID)).subject }
    }

    /// The relay address of a user for an application's team.
    public func relayAddress(of person: Person, for application: Application) -> String {
        core.withState { $0.account($0.key(person.id, application.clientID)).relayAddress }
    }

    /// Transfers an app to another team, as its owners do in App Store Connect.
    ///
    /// From now on keys of the recipient authenticate the client, and for sixty days users can be migrated: ID tokens
    /// name them by the recipient's subject and by `transfer_sub`.
    public func transfer(_ application: Application, to teamID: String) {
        core.withState { $0.transfer(application.clientID, to: teamID) }
    }

    /// Adds users of an app of any size, at little cost: each has consented and hides the address. The subjects are
    /// `000000.crowd.1` and so on; no page lists these users.
    public func addCrowd(_ count: Int, of application: Application) {
        core.withState { $0.addCrowd(count, of: application.clientID) }
    }
}

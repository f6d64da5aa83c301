import ProviderKit
public import ProviderKitTesting

/// A simulated 1Pass ("logi"), faithful on the wire, on 127.0.0.1.
///
/// It speaks what 1Pass speaks to its applications: discovery and keys, the authorization page with compulsory PKCE, the
/// token endpoint with rotating refresh tokens and access tokens that are signed, userinfo with the claims about merged
/// and anonymous accounts, the device flow, device keys, and events by webhook and by polling. Time, faults, users and
/// merges are under the test's control.
///
/// ```swift
/// let onePass = try await OnePassSimulator.start()
/// let code = onePass.authorizationCode(
///     for: onePass.people()[0], application: onePass.defaultApplication, codeChallenge: challenge)
/// // … let the code under test redeem it at onePass.url …
/// await onePass.stop()
/// ```
///
/// Unlike 1Pass it has no passwords: the page offers every user. All users are fictitious.
public final class OnePassSimulator: DeviceFlowSimulator, IDTokenSimulator {
    public let host: SimulatorHost<OnePassState>

    private init(_ host: SimulatorHost<OnePassState>) {
        self.host = host
    }

    /// Starts a simulator and returns once it listens, within milliseconds.
    ///
    /// - Throws: An I/O error when the port is taken.
    public static func start(_ options: Options = .init()) async throws -> OnePassSimulator {
        OnePassSimulator(
            try await SimulatorHost(
                OnePassState(options), port: options.port, clock: options.clock, logger: options.logger))
    }

    /// The behaviour where 1Pass varies; can be changed while running.
    public var behaviour: Behaviour {
        get { core.read(\.behaviour) }
        set { core.withState { $0.behaviour = newValue } }
    }

    /// The user with this preferred name, in any case.
    public func person(named name: String) -> Person? {
        core.read { $0.person(preferredName: name) }
    }

    /// Deletes a user: the tokens become invalid, and clients learn it by `user.deleted`.
    public func remove(personID: Int64) {
        core.withState { $0.removePerson(personID) }
        core.sendWaiting()
    }

    /// The defect of the access tokens made from now on; `nil` for honest ones. Userinfo takes the wrong ones too,
    /// as another issuer's would.
    public var accessTokenForgery: IDTokenForgery? {
        get { core.read(\.accessTokens).forgery }
        set { core.read(\.accessTokens).forgery = newValue }
    }

    /// Makes honest tokens again.
    public func restoreTokens() {
        core.read(\.memory.mint).restore()
        core.read(\.accessTokens).restore()
    }

    /// Signs with a new key from now on; the earlier one stays published for ninety days.
    public func rotateKeys() {
        core.withState { $0.rotateKeys() }
    }
}

import ProviderKit

/// A simulated OpenID Connect provider without a plugin of its own, on 127.0.0.1; honest unless told otherwise.
///
/// Honest, it has discovery, keys, the authorization page with PKCE, all four client authentication methods,
/// rotating refresh tokens with reuse detection, userinfo, revocation and the device flow. Told otherwise, it is the
/// issuer an attacker would run: any discovery document, any key set, forged ID tokens, answers about another user,
/// another issuer's `iss`. With ``Options/Mode/oauth2`` it knows nothing of OpenID Connect and describes users in
/// any JSON that a test makes up.
///
/// ```swift
/// let issuer = try await OpenIDSimulator.start()
/// issuer.forgery = .wrongAudience
/// let code = issuer.authorizationCode(for: issuer.people()[0], application: issuer.defaultApplication)
/// // … let the code under test redeem it at issuer.url, and see it refused …
/// await issuer.stop()
/// ```
public final class OpenIDSimulator: DeviceFlowSimulator, IDTokenSimulator {
    public let host: SimulatorHost<OpenIDState>

    private init(_ host: SimulatorHost<OpenIDState>) {
        self.host = host
    }

    /// Starts a simulator and returns once it listens, within milliseconds.
    ///
    /// - Throws: An I/O error when the port is taken.
    public static func start(_ options: Options = .init()) async throws -> OpenIDSimulator {
        OpenIDSimulator(
            try await SimulatorHost(
                OpenIDState(options), port: options.port, clock: options.clock, logger: options.logger))
    }

    /// The user with this subject.
    public func person(subject: String) -> Person? {
        core.read { $0.person(subject) }
    }

    /// Changes a user. Does nothing when there is no such user.
    @discardableResult
    public func update(subject: String, _ change: (inout Person) -> Void) -> Person? {
        update(personID: subject, change)
    }

    /// Deletes a user with all grants and tokens.
    public func remove(subject: String) {
        core.withState { state in
            state.memory.people.removeAll { $0.subject.hasSameBytes(as: subject) }
            state.removeGrants { $0.key.personID.hasSameBytes(as: subject) }
        }
    }
}

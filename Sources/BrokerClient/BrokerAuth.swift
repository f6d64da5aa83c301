import Foundation
import Locks

/// Signs users in at a broker and keeps their session.
///
/// ```swift
/// let auth = BrokerAuth(.init(issuer: url, clientID: "…", redirectURI: "com.example.app:/callback"))
/// let result = try await auth.signIn(with: .gitHub)
/// let token = try await auth.accessToken()
/// ```
///
/// Make one for the whole app. All calls may come from any task; of sign-ins, links and reauthentications one is under way
/// at a time.
public final class BrokerAuth: Sendable {
    /// How long a sign-in waits for its redirect: 300 seconds.
    public static let handoffTimeout: Duration = .seconds(300)

    /// The registration of the app.
    public let configuration: BrokerConfiguration

    let current: CurrentSession
    let receiver = RedirectReceiver()
    let introductions = SharedIntroductions()
    let endpoints: BrokerEndpoints
    let environment: ClientEnvironment
    private let storage: any SessionStorage
    private let presenter: (any AuthorizationPresenter)?
    private let lastCredential = Mutex<ProviderCredential?>(nil)

    /// - Parameters:
    ///   - configuration: The registration of the app.
    ///   - storage: Where the session is stored. The default is the Keychain, on Linux files in the user's folder for
    ///     state.
    ///   - presenter: Shows the broker's pages. The default is the system's web authentication, on Linux none: a
    ///     command-line tool signs in by ``beginDeviceSignIn()`` or passes a presenter of its own.
    ///   - accountData: Moves the app's data when users are merged.
    public convenience init(
        _ configuration: BrokerConfiguration, storage: (any SessionStorage)? = nil,
        presenter: (any AuthorizationPresenter)? = nil, accountData: (any AccountDataHandler)? = nil
    ) {
        self.init(
            configuration, storage: storage ?? PlatformDefaults.storage,
            presenter: presenter ?? PlatformDefaults.presenter, accountData: accountData,
            environment: ClientEnvironment())
    }

    /// With surroundings of a test's.
    package init(
        _ configuration: BrokerConfiguration, storage: any SessionStorage, presenter: (any AuthorizationPresenter)?,
        accountData: (any AccountDataHandler)?, environment: ClientEnvironment
    ) {
        self.configuration = configuration
        self.storage = storage
        self.presenter = presenter
        self.environment = environment
        endpoints = BrokerEndpoints(configuration, environment)
        current = CurrentSession(
            of: configuration, storage: storage, endpoints: endpoints, environment: environment,
            accountData: accountData)
    }

    var flow: AuthorizationFlow {
        AuthorizationFlow(
            endpoints: endpoints, receiver: receiver, presenter: presenter, environment: environment,
            store: pendingSignIns)
    }

    /// The flow of a login that stays apart from the session. It ends with the app: its redirect must not become the
    /// session's.
    func flowApart(_ endpoints: BrokerEndpoints) -> AuthorizationFlow {
        AuthorizationFlow(
            endpoints: endpoints, receiver: receiver, presenter: presenter, environment: environment, store: nil)
    }

    var pendingSignIns: PendingSignInStore {
        PendingSignInStore(storage: storage, key: .pendingSignIn(of: configuration))
    }

    var accountEndpoint: AccountEndpoint { AccountEndpoint(endpoints: endpoints, session: current) }

    /// The changes of the session from now on. Each access makes a stream of its own; events are not repeated.
    public var events: AsyncStream<SessionEvent> { current.events.stream() }

    /// The session, or `nil` when no user is signed in or the storage cannot be read. Makes no request.
    public var session: AuthSession? { get async { (try? await current.current())?.session } }

    /// The states of the session, from the one of now on. Each access makes a stream of its own, and the first one reads the
    /// stored session. Unlike ``events``, which tell what has happened, a stream misses nothing that was before it.
    public var states: AsyncStream<SessionState> {
        // Made first: otherwise the session may be read before it begins.
        let states = current.states.stream()
        if case .restoring = current.states.latest { Task { [current] in _ = try? await current.current() } }
        return states
    }

    /// The session as it was known last, without waiting and without reading the storage: nil until ``restore()`` or
    /// another call has read it.
    public var lastKnownSession: AuthSession? { current.states.latest.session }

    /// The provider of the last sign-in on this device, to offer it first. It stays after a sign-out, and is removed when
    /// the account is deleted.
    public var lastProvider: ProviderID? {
        get async { (try? await current.data())?.lastProvider.map(ProviderID.init(rawValue:)) }
    }

    /// The credential of the last sign-in, link or reauthentication with one, while it can still be used: the call failed and
    /// did not consume it. With it an app continues after ``BrokerAuthError/accountExists(providers:)``,
    /// ``BrokerAuthError/needConfirmation(providers:)`` and ``BrokerAuthError/recentLoginRequired`` without asking the user
    /// for another one. It is in memory only.
    public var unusedCredential: ProviderCredential? {
        lastCredential.withLock { $0 }.flatMap { $0.use.isUsed ? nil : $0 }
    }

    func keep(_ credential: ProviderCredential) {
        lastCredential.withLock { $0 = credential.use.isUsed ? nil : credential }
    }

    /// Restores the stored session. Call it at every start of the app; it shows no page.
    ///
    /// A session whose user id is missing is refreshed first. Work of the ``AccountDataHandler`` that was interrupted is
    /// resumed.
    ///
    /// - Returns: The session, or `nil` when no user is signed in.
    /// - Throws: ``BrokerAuthError/storageLocked``, ``BrokerAuthError/network(_:)`` or
    ///   ``BrokerAuthError/storageFailed(_:)``; the stored session is unchanged.
    public func restore() async throws(BrokerAuthError) -> AuthSession? { try await current.restore() }
}

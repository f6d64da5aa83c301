public import BrokerClient
public import Foundation
import Locks

/// Signs users in at a broker with the calls of Firebase Authentication.
///
/// An app changes its import to `BrokerFirebaseAuth`, and the line that configures Firebase to
/// ```swift
/// Auth.configure(BrokerAuth(configuration))
/// ```
/// What a broker has not, such as passwords and telephone numbers, is absent here.
public final class Auth: Sendable {
    private static let shared = Auth()

    let state = Mutex(State())

    init() {}

    /// The app's one, for the broker that ``configure(_:)`` named.
    ///
    /// - Returns: The same each time. Before ``configure(_:)`` its calls throw ``AuthErrorCode/internalError``.
    public static func auth() -> Auth { shared }

    /// Says where the app's users sign in, and restores the stored session. Call it once, at the start of the app.
    ///
    /// - Parameter broker: The app's registration at its broker, and where sessions are stored.
    public static func configure(_ broker: BrokerAuth) { shared.use(broker) }

    /// One of its own, for tests.
    package convenience init(_ broker: BrokerAuth) {
        self.init()
        use(broker)
    }

    /// The signed-in user; nil when there is none, and until the stored session was read. Listeners are told when it was.
    public var currentUser: User? { state.withLock { $0.user } }

    /// Takes a URL that the system passed to the app, such as in SwiftUI's `onOpenURL`.
    ///
    /// - Parameter url: Any URL.
    /// - Returns: Whether it is the redirect of a pending sign-in; other URLs are the app's own.
    public func canHandle(_ url: URL) -> Bool { state.withLock { $0.broker }?.handle(url) ?? false }

    /// Creates a user without an identity, or returns the current one that has none.
    ///
    /// - Returns: The user.
    /// - Throws: An error of ``AuthErrors/domain``.
    @discardableResult public func signInAnonymously() async throws -> AuthDataResult {
        let broker = try await ready()
        if let user = currentUser, user.isAnonymous {
            return AuthDataResult(user: user, additionalUserInfo: nil, credential: nil)
        }
        return try await result(of: nil) { () async throws(BrokerAuthError) in try await broker.signInAnonymously() }
    }

    /// Signs a user in.
    ///
    /// - Parameter credential: What a provider gave, or will give at its page.
    /// - Returns: The user, and what the provider says.
    /// - Throws: An error of ``AuthErrors/domain``.
    @discardableResult public func signIn(with credential: any AuthCredential) async throws -> AuthDataResult {
        let (broker, source) = (try await ready(), try credential.source)
        return try await result(of: credential) { () async throws(BrokerAuthError) in
            switch source {
            case .token(let token): try await broker.signIn(with: token)
            case .page(let provider, let options): try await broker.signIn(with: provider, options)
            }
        }
    }

    /// Signs a user in at a provider's page.
    ///
    /// - Parameters:
    ///   - provider: The provider.
    ///   - uiDelegate: Not asked: the system shows the page.
    /// - Returns: The user, and what the provider says.
    /// - Throws: An error of ``AuthErrors/domain``.
    @discardableResult public func signIn(
        with provider: any FederatedAuthProvider, uiDelegate: (any AuthUIDelegate)?
    ) async throws -> AuthDataResult { try await signIn(with: try await provider.credential(with: uiDelegate)) }

    /// Signs out on this device at once; the broker is told after that, and what is under way there ends first.
    ///
    /// - Throws: ``AuthErrorCode/internalError`` before ``configure(_:)``.
    public func signOut() throws {
        let broker = try configured()
        state.withLock { state in
            state.beginSignOut()
            let former = state.lastSignOut
            state.lastSignOut = Task {
                await former?.value
                // The user counts as signed out, also where the broker could not be told.
                try? await broker.signOut()
                self.state.withLock { $0.endSignOut() }
            }
        }
        notifyListeners()
    }

    /// Revokes what the user has granted to the app at Apple, as an app must before it deletes an account.
    ///
    /// - Parameter authorizationCode: A new authorization code of Sign in with Apple.
    /// - Throws: An error of ``AuthErrors/domain``; nothing was revoked then.
    public func revokeToken(withAuthorizationCode authorizationCode: String) async throws {
        let broker = try await ready()
        try await translating {
            () async throws(BrokerAuthError) in
            _ = try await broker.revokeGrant(of: .apple, authorizationCode: authorizationCode)
        }
    }
}

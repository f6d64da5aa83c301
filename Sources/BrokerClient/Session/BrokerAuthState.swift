public import Observation

/// The state of a ``BrokerAuth`` for views: SwiftUI updates what reads it.
///
/// ```swift
/// @State private var state = BrokerAuthState(auth)
///
/// var body: some View {
///     content.task { await state.follow() }
/// }
/// ```
///
/// Before iOS 17 and macOS 14, which have no Observation, an app follows ``BrokerAuth/events`` itself.
@available(iOS 17, macOS 14, *)
@MainActor @Observable public final class BrokerAuthState {
    /// Whether a user is signed in.
    public private(set) var phase = SessionState.restoring

    /// The reason the stored session could not be restored, until ``restore()`` succeeds. The session is not lost.
    public private(set) var restoreError: BrokerAuthError?

    /// The reason the last session ended, until the next one begins.
    public private(set) var signOutReason: SignOutReason?

    /// The session, or nil.
    public var session: AuthSession? { phase.session }

    @ObservationIgnored private let source: SessionSource

    /// The state of `auth`, which is followed by ``follow()``.
    ///
    /// - Parameter auth: What to follow.
    public convenience init(_ auth: BrokerAuth) {
        self.init(
            SessionSource(
                events: { auth.events }, restore: { () async throws(BrokerAuthError) in try await auth.restore() },
                session: { await auth.session }))
    }

    init(_ source: SessionSource) {
        self.source = source
    }

    /// Restores the stored session and follows its changes until the task is cancelled.
    public func follow() async {
        let events = source.events()
        await restore()
        for await event in events { apply(event) }
    }

    /// Restores the stored session. Call it again after ``restoreError``, for example once the device is unlocked.
    public func restore() async {
        // Work on the app's data may take long, and the user is signed in meanwhile.
        if phase == .restoring, let session = await source.session() { phase = .signedIn(session) }
        do throws(BrokerAuthError) {
            let session = try await source.restore()
            restoreError = nil
            phase = session.map(SessionState.signedIn) ?? .signedOut
        } catch {
            restoreError = error
            // Without a network the stored session is still the user's.
            if let session = await source.session() { phase = .signedIn(session) }
        }
    }

    private func apply(_ event: SessionEvent) {
        switch event {
        case .signedIn(let session), .refreshed(let session):
            phase = .signedIn(session)
            (restoreError, signOutReason) = (nil, nil)
        case .signedOut(let reason):
            phase = .signedOut
            signOutReason = reason
        // The session itself comes with a refresh.
        case .merged, .separated, .signInFailed: break
        }
    }
}

/// The source of a ``BrokerAuthState``.
struct SessionSource: Sendable {
    let events: @Sendable () -> AsyncStream<SessionEvent>
    let restore: @Sendable () async throws(BrokerAuthError) -> AuthSession?
    let session: @Sendable () async -> AuthSession?
}

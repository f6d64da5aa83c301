import Observation
import Synchronization
import Testing

@testable import BrokerClient

@Suite("The state for views", .timeLimit(.minutes(20)))
@MainActor struct BrokerAuthStateTests {
    private nonisolated static let ada = AuthSession(userID: "ada", name: "Ada")

    @Test func `it restores the session and then follows the events`() async {
        let (events, continuation) = AsyncStream.makeStream(of: SessionEvent.self)
        let state = BrokerAuthState(
            SessionSource(events: { events }, restore: { nil }, session: { nil }))
        let initial = state.phase

        continuation.yield(.signedIn(Self.ada))
        continuation.yield(.merged(from: "old", into: "ada"))
        continuation.finish()
        await state.follow()

        #expect(initial == .restoring)
        #expect(state.phase == .signedIn(Self.ada) && state.session == Self.ada)
    }

    @Test func `the end of a session is a change with its reason`() async {
        let (events, continuation) = AsyncStream.makeStream(of: SessionEvent.self)
        let state = BrokerAuthState(
            SessionSource(events: { events }, restore: { Self.ada }, session: { Self.ada }))
        await state.restore()
        let hasChanged = Mutex(false)
        withObservationTracking {
            _ = state.phase
        } onChange: {
            hasChanged.withLock { $0 = true }
        }

        let restored = state.session
        continuation.yield(.signedOut(.endedByBroker))
        continuation.finish()
        await state.follow()

        #expect(restored == Self.ada)
        #expect(state.phase == .signedOut && state.signOutReason == .endedByBroker)
        #expect(hasChanged.withLock { $0 })
    }

    @Test func `a locked storage leaves the state open, and the next attempt decides it`() async {
        let attempts = Mutex(0)
        let state = BrokerAuthState(
            SessionSource(
                events: { AsyncStream { $0.finish() } },
                restore: { () async throws(BrokerAuthError) in
                    let attempt = attempts.withLock { attempts in
                        attempts += 1
                        return attempts
                    }
                    if attempt == 1 { throw .storageLocked }
                    return Self.ada
                }, session: { nil }))

        await state.follow()
        let locked = (state.phase, state.restoreError)
        await state.restore()

        #expect(locked == (.restoring, .storageLocked))
        #expect(state.phase == .signedIn(Self.ada) && state.restoreError == nil)
    }

    @Test func `without a network the stored session counts`() async {
        let state = BrokerAuthState(
            SessionSource(
                events: { AsyncStream { $0.finish() } },
                restore: { () async throws(BrokerAuthError) in throw .network(NetworkFailure(.unreachable)) },
                session: { Self.ada }))

        await state.restore()

        #expect(state.phase == .signedIn(Self.ada))
        #expect(state.restoreError == .network(NetworkFailure(.unreachable)))
    }
}

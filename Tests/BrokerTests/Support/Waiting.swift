import Foundation
import ProviderKit
import ProviderSimulators
import Synchronization

@testable import Broker

/// The flow with time that passes as fast as it is asked to.
final class Waiting: Sendable {
    private struct State {
        var sleeps: [Int] = []
        var onSleep: @Sendable (Int) throws -> Void = { _ in }
    }

    private let state = Mutex(State())
    private let broker: TestBroker

    init(_ broker: TestBroker) {
        self.broker = broker
        for var application in broker.simulator.applications() {
            application.deviceFlowEnabled = true
            broker.simulator.register(application)
        }
    }

    /// Every wait so far, in seconds.
    var sleeps: [Int] { state.withLock(\.sleeps) }

    /// What happens at the end of each wait.
    func onSleep(_ act: @escaping @Sendable (Int) throws -> Void) { state.withLock { $0.onSleep = act } }

    /// Lets time pass.
    private func sleep(_ duration: Duration) throws {
        let seconds = Int(duration.components.seconds)
        broker.clock.advance(seconds: TimeInterval(seconds))
        broker.simulator.clock.advance(by: duration)
        let act = state.withLock { state in
            state.sleeps.append(seconds)
            return state.onSleep
        }
        try act(seconds)
    }

    func start(at provider: String) async throws -> DeviceFlowAttempt {
        try await broker.core.redirects.startDeviceFlow(at: provider)
    }

    func finish(
        _ attempt: DeviceFlowAttempt, progress: @Sendable (Int) -> Void = { _ in }
    ) async throws -> VerifiedCredential {
        try await broker.core.redirects.finishDeviceFlow(
            attempt, progress: progress, sleep: { try self.sleep($0) })
    }

    /// The credential of a user who types the code in at once.
    func identity(of login: String, at provider: String) async throws -> VerifiedCredential {
        let attempt = try await start(at: provider)
        broker.simulator.approveDevice(userCode: attempt.authorization.userCode, for: try broker.person(login))
        return try await finish(attempt)
    }
}

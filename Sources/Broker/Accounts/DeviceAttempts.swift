import Foundation
import Synchronization

/// Limits how often devices are introduced: by client network, and by device. An introduction may create a user.
final class DeviceAttempts: Sendable {
    /// Attempts of one device in ``window``.
    static let perDevice = 10
    static let window: TimeInterval = 3600
    static let capacity = 4096

    private struct State {
        var networks = AttemptBudget()
        var devices: [[UInt8]: [Date]] = [:]
    }

    private let state = Mutex(State())

    /// Counts an attempt.
    ///
    /// - Parameters:
    ///   - device: The device.
    ///   - client: The network it counts against; `nil` for a device that has presented its secret.
    ///   - now: The time.
    /// - Throws: ``BrokerError/tooManyAttempts(retryAfter:)``, ``BrokerError/tooManyDeviceAttempts(retryAfter:)``.
    func begin(_ device: [UInt8], from client: ClientNetwork?, at now: Date) throws(BrokerError) {
        let refusal = state.withLock { state -> BrokerError? in
            let recent = (state.devices[device] ?? []).filter { abs(now.timeIntervalSince($0)) < Self.window }
            if recent.count >= Self.perDevice, let first = recent.first {
                let seconds = Self.window - now.timeIntervalSince(first)
                return .tooManyDeviceAttempts(retryAfter: Int(min(max(seconds, 1), Self.window).rounded(.up)))
            }
            if let client, let seconds = state.networks.take(client, at: now) {
                return .tooManyAttempts(retryAfter: seconds)
            }
            if recent.isEmpty { Self.makeRoom(in: &state.devices, at: now) }
            state.devices[device] = recent + [now]
            return nil
        }
        if let refusal { throw refusal }
    }

    /// Forgets devices whose attempts are over, then those that made the fewest.
    private static func makeRoom(in devices: inout [[UInt8]: [Date]], at now: Date) {
        guard devices.count >= capacity else { return }
        devices = devices.filter { $0.value.contains { abs(now.timeIntervalSince($0)) < window } }
        guard devices.count >= capacity else { return }
        for (device, _) in devices.sorted(by: { $0.value.count < $1.value.count }).prefix(capacity / 2) {
            devices[device] = nil
        }
    }
}

import Foundation
import ProviderKit

/// The devices that await a user's decision (RFC 8628).
struct DeviceCodes<PersonID: Sendable & Equatable>: Sendable {
    /// The decision on a device.
    enum Decision: Sendable, Equatable {
        case pending, denied
        case approved(personID: PersonID, scopes: [String])
    }

    /// A device that awaits a decision.
    struct Device: Sendable {
        let clientID: String
        /// The user code, such as `BCDF-2345`.
        let userCode: String
        let scopes: [String]
        let expiresAt: Date
        /// Seconds between polls; grows when the device is hasty.
        var interval: Int
        var polledAt: Date?
        var decision = Decision.pending
    }

    /// The answer to a poll.
    enum Poll: Sendable, Equatable {
        /// The code is unknown or another client's.
        case unknown
        case expired, pending, denied
        /// Polled too fast: wait this many seconds from now on.
        case slowDown(interval: Int)
        /// The user has approved; the code is consumed.
        case approved(personID: PersonID, scopes: [String])
    }

    private var devices: [String: Device] = [:]

    /// Stores a device, and returns the code it polls with.
    mutating func start(_ device: Device, now: Date) -> String {
        devices = devices.filter { $0.value.expiresAt.addingTimeInterval(3600) > now }
        let deviceCode = RandomText.hex(40)
        devices[deviceCode] = device
        return deviceCode
    }

    /// The pending device that shows this code. How the code is typed (case, hyphens, spaces) does not matter.
    func waiting(userCode: String, now: Date) -> Device? {
        entry(userCode, now)?.value
    }

    /// Records the user's decision; `false` when no pending device shows this code.
    mutating func decide(userCode: String, _ decision: Decision, now: Date) -> Bool {
        guard let (deviceCode, _) = entry(userCode, now) else { return false }
        devices[deviceCode]?.decision = decision
        return true
    }

    /// Answers a device's poll; a hasty one waits five seconds longer from now on (RFC 8628 §3.5).
    mutating func poll(_ deviceCode: String, by clientID: String, now: Date) -> Poll {
        guard deviceCode.isASCII, let device = devices[deviceCode], device.clientID.hasSameBytes(as: clientID) else {
            return .unknown
        }
        guard device.expiresAt > now else { return .expired }
        devices[deviceCode]?.polledAt = now
        if let polledAt = device.polledAt, now < polledAt.addingTimeInterval(TimeInterval(device.interval)) {
            devices[deviceCode]?.interval = device.interval + 5
            return .slowDown(interval: device.interval + 5)
        }
        switch device.decision {
        case .pending: return .pending
        case .denied: return .denied
        case .approved(let personID, let scopes):
            devices[deviceCode] = nil
            return .approved(personID: personID, scopes: scopes)
        }
    }

    private func entry(_ userCode: String, _ now: Date) -> (key: String, value: Device)? {
        let typed = Self.normalised(userCode)
        let match = devices.first { Self.normalised($0.value.userCode) == typed }
        guard let match, match.value.decision == .pending, match.value.expiresAt > now else { return nil }
        return match
    }

    private static func normalised(_ code: String) -> String {
        code.uppercased().filter { $0.isLetter || $0.isNumber }
    }
}

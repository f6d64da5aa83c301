import Foundation

/// A device that waits for a person to let it in (RFC 8628).
struct GitHubDevice: Sendable {
    enum Decision: Sendable {
        case pending, denied
        case approved(personID: Int64, scopes: [String])
    }

    /// A quarter of an hour.
    static let lifetime = 900
    /// How many codes of one application may be typed in per hour.
    static let entryLimit = 50

    let clientID: String
    /// What the person types, such as `BCDF-2345`.
    let userCode: String
    let scopes: [String]
    let expiresAt: Date
    /// Seconds between polls; grows when the device is hasty.
    var interval = 5
    var polledAt: Date?
    var decision = Decision.pending
}

extension GitHubState {
    /// Starts the device flow: the device's code and what it must show.
    mutating func startDevice(
        for application: GitHubSimulator.Application, scopes: [String], now: Date
    ) throws(GitHubOAuthFailure) -> (deviceCode: String, device: GitHubDevice) {
        guard application.deviceFlowEnabled else { throw .deviceFlowDisabled }
        devices = devices.filter { $0.value.expiresAt.addingTimeInterval(3600) > now }
        let device = GitHubDevice(
            clientID: application.clientID, userCode: RandomText.typable(4) + "-" + RandomText.typable(4),
            scopes: application.kind == .oauthApp ? GitHubScopes.normalised(scopes) : [],
            expiresAt: now.addingTimeInterval(TimeInterval(GitHubDevice.lifetime)))
        let deviceCode = RandomText.hex(40)
        devices[deviceCode] = device
        return (deviceCode, device)
    }

    /// The device that shows this code and still waits.
    func waitingDevice(userCode: String, now: Date) -> (deviceCode: String, device: GitHubDevice)? {
        let typed = userCode.uppercased().filter { $0.isLetter || $0.isNumber }
        let match = devices.first { $0.value.userCode.replacing("-", with: "") == typed }
        guard let match, case .pending = match.value.decision, match.value.expiresAt > now else { return nil }
        return (match.key, match.value)
    }

    /// Records what the person decided; `false` when no device waits for this code.
    mutating func decideDevice(userCode: String, _ decision: GitHubDevice.Decision, now: Date) -> Bool {
        guard let (deviceCode, device) = waitingDevice(userCode: userCode, now: now) else { return false }
        devices[deviceCode]?.decision = decision
        if case .approved(let personID, let scopes) = decision {
            grant(scopes, to: GrantKey(clientID: device.clientID, personID: personID))
        }
        return true
    }

    /// Counts a typed-in code; `false` when the application has had too many within the hour.
    mutating func enterDeviceCode(of clientID: String, now: Date) -> Bool {
        let recent = deviceEntries[clientID, default: []].filter { $0 > now.addingTimeInterval(-3600) }
        deviceEntries[clientID] = recent + [now]
        return recent.count < GitHubDevice.entryLimit
    }

    /// Answers a device's poll.
    mutating func pollDevice(
        _ deviceCode: String, for application: GitHubSimulator.Application, now: Date
    ) throws(GitHubOAuthFailure) -> GitHubToken {
        guard application.deviceFlowEnabled else { throw .deviceFlowDisabled }
        guard deviceCode.isASCII, let device = devices[deviceCode], device.clientID == application.clientID else {
            throw .incorrectDeviceCode
        }
        guard device.expiresAt > now else { throw .expiredToken }
        devices[deviceCode]?.polledAt = now
        if let polledAt = device.polledAt, now < polledAt.addingTimeInterval(TimeInterval(device.interval)) {
            devices[deviceCode]?.interval = device.interval + 5
            throw .slowDown(interval: device.interval + 5)
        }
        switch device.decision {
        case .pending: throw .authorizationPending
        case .denied: throw .accessDenied
        case .approved(let personID, let scopes):
            devices[deviceCode] = nil
            let key = GrantKey(clientID: device.clientID, personID: personID)
            return issueToken(for: key, scopes: scopes, fromDevice: true, now: now)
        }
    }
}

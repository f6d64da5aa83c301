import Foundation

/// The numbers of GitHub's device flow.
enum GitHubDevice {
    /// A quarter of an hour.
    static let lifetime = 900
    /// How many codes of one application may be typed in per hour.
    static let entryLimit = 50
}

extension GitHubState {
    /// Starts the device flow: the device's code and what it must show.
    mutating func startDevice(
        for application: GitHubSimulator.Application, scopes: [String], interval: Int, now: Date
    ) throws(GitHubOAuthFailure) -> (deviceCode: String, device: DeviceCodes<Int64>.Device) {
        guard application.deviceFlowEnabled else { throw .deviceFlowDisabled }
        let device = DeviceCodes<Int64>.Device(
            clientID: application.clientID, userCode: RandomText.typable(4) + "-" + RandomText.typable(4),
            scopes: application.kind == .oauthApp ? GitHubScopes.normalised(scopes) : [],
            expiresAt: now.addingTimeInterval(TimeInterval(GitHubDevice.lifetime)), interval: interval)
        return (devices.start(device, now: now), device)
    }

    /// Records what the person decided; `false` when no device waits for this code.
    mutating func decideDevice(userCode: String, _ decision: DeviceCodes<Int64>.Decision, now: Date) -> Bool {
        guard let device = devices.waiting(userCode: userCode, now: now) else { return false }
        if case .approved(let personID, let scopes) = decision {
            grant(scopes, to: GrantKey(clientID: device.clientID, personID: personID))
        }
        return devices.decide(userCode: userCode, decision, now: now)
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
        switch devices.poll(deviceCode, by: application.clientID, now: now) {
        case .unknown: throw .incorrectDeviceCode
        case .expired: throw .expiredToken
        case .pending: throw .authorizationPending
        case .denied: throw .accessDenied
        case .slowDown(let interval): throw .slowDown(interval: interval)
        case .approved(let personID, let scopes):
            let key = GrantKey(clientID: application.clientID, personID: personID)
            return issueToken(for: key, scopes: scopes, fromDevice: true, now: now)
        }
    }
}

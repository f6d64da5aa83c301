import Foundation

/// `POST /login/device/code`, and GitHub's rules of the device flow.
extension GitHubState {
    /// User codes of one client that may be entered per hour.
    private static let entryLimit = 50

    mutating func answerDeviceRequest(_ request: SimulatorRequest) throws(Refusal) -> SimulatorResponse {
        let form = try request.parameters()
        guard let application = application(form["client_id"]) else { throw Refusal(Self.unknownClient) }
        guard application.deviceFlowEnabled else {
            return GitHubOAuthAnswer(.deviceFlowDisabled).response(accepting: request.acceptedTypes)
        }
        let scopes = application.kind == .oauthApp ? SimulatedGitHubScopes.parse(form["scope"]) ?? [] : []
        let device = startDevice(
            of: application.clientID, scopes: SimulatedGitHubScopes.normalised(scopes), lifetime: 900,
            interval: options.deviceInterval)
        return GitHubOAuthAnswer(device).response(accepting: request.acceptedTypes)
    }

    mutating func approve(_ device: DeviceCodes<Int64>.Device, by personID: Int64, scopes: [String]) {
        grant(scopes, to: GrantKey(clientID: device.clientID, personID: personID))
    }

    mutating func countEntry(ofClient clientID: String) -> Bool {
        let recent = deviceEntries[clientID, default: []].filter { $0 > now.addingTimeInterval(-3600) }
        deviceEntries[clientID] = recent + [now]
        return recent.count < Self.entryLimit
    }

    /// Redeems a device code.
    mutating func redeemDevice(
        _ code: String?, for application: Application
    ) throws(GitHubOAuthFailure) -> GitHubToken {
        guard application.deviceFlowEnabled else { throw .deviceFlowDisabled }
        switch pollDevice(code, by: application.clientID) {
        case .unknown: throw .incorrectDeviceCode
        case .expired: throw .expiredToken
        case .pending: throw .authorizationPending
        case .denied: throw .accessDenied
        case .slowDown(let interval): throw .slowDown(interval: interval)
        case .approved(let personID, let scopes):
            let key = GrantKey(clientID: application.clientID, personID: personID)
            return issueToken(for: key, scopes: scopes, fromDevice: true)
        }
    }
}

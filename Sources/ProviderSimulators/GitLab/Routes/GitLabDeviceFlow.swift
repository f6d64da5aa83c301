import ProviderKit

/// `POST /oauth/authorize_device`, and GitLab's rules of the device flow.
extension GitLabState {
    mutating func answerDeviceRequest(_ request: SimulatorRequest) throws(Refusal) -> SimulatorResponse {
        let form = try request.parameters()
        let scopes = GitLabScopes.parse(form["scope"]) ?? GitLabScopes.standard
        do throws(OAuthFailure) {
            let application = try authenticate(PresentedClient(form, request))
            guard GitLabScopes.areAllowed(scopes, for: application) else { throw GitLabFailure.invalidScope }
            let device = startDevice(
                of: application.clientID, scopes: scopes, lifetime: 300, interval: 5, hyphenated: false)
            return SimulatorResponse.json(device.json(complete: true)).uncached
        } catch {
            return error.response
        }
    }

    mutating func approve(_ device: DeviceCodes<Int64>.Device, by personID: Int64, scopes: [String]) {
        grant(scopes, to: GrantKey(clientID: device.clientID, personID: personID))
    }

    /// Redeems a device code.
    mutating func redeemDevice(_ code: String?, for application: Application) throws(OAuthFailure) -> GitLabToken {
        switch pollDevice(code, by: application.clientID) {
        case .unknown: throw GitLabFailure.invalidGrant
        case .expired: throw GitLabFailure.expiredToken
        case .pending: throw GitLabFailure.authorizationPending
        case .denied: throw GitLabFailure.accessDenied
        case .slowDown: throw GitLabFailure.slowDown
        case .approved(let personID, let scopes):
            return issueToken(
                for: GrantKey(clientID: application.clientID, personID: personID), scopes: scopes,
                withRefresh: options.givesDevicesRefreshTokens)
        }
    }
}

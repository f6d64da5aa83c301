import ProviderKit

/// `POST /oauth/token`, `POST /oauth/revoke` and `POST /oauth/device_authorization`.
extension OnePassState {
    static let deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"

    mutating func answerTokenRequest(_ request: SimulatorRequest) throws(Refusal) -> SimulatorResponse {
        let form = try request.parameters()
        return SimulatedOnePassAPI.answer(&self) { state throws(OAuthFailure) in
            let application = try state.client(PresentedClient(form, request))
            return .json(try state.tokens(form, for: application).json).uncached
        }
    }

    mutating func answerRevocation(_ request: SimulatorRequest) throws(Refusal) -> SimulatorResponse {
        let form = try request.parameters()
        return SimulatedOnePassAPI.answer(&self) { state throws(OAuthFailure) in
            let application = try state.client(PresentedClient(form, request))
            guard let token = form["token"] else { throw .invalidRequest("token is required.") }
            // The answer does not tell whether the token existed (RFC 7009 §2.2).
            state.revoke(token, of: application.clientID)
            return .json([:])
        }
    }

    /// A client ID is enough here; a secret that comes along must be right.
    mutating func answerDeviceRequest(_ request: SimulatorRequest) throws(Refusal) -> SimulatorResponse {
        let form = try request.parameters()
        let client = PresentedClient(form, request)
        return SimulatedOnePassAPI.answer(&self) { state throws(OAuthFailure) in
            let hasSecret = client.basic != nil || client.bodySecret != nil
            guard let application = hasSecret ? try state.client(client) : state.application(client.bodyID) else {
                throw .invalidClient("Nobody is registered under this client_id.")
            }
            let scopes = OnePassScopeRequest(OnePassScopes.parse(form["scope"]), by: application)
            try scopes.check(for: application)
            let device = state.startDevice(
                of: application.clientID, scopes: scopes.allowed, lifetime: 900,
                interval: state.behaviour.deviceInterval)
            return SimulatorResponse.json(device.json(complete: true)).uncached.reporting(scopes.drift)
        }
    }

    private mutating func tokens(
        _ form: FormFields, for application: Application
    ) throws(OAuthFailure) -> OnePassTokens {
        switch form["grant_type"] {
        case "authorization_code": return try redeem(form, for: application)
        case "refresh_token": return try refresh(form, for: application)
        case Self.deviceGrant: return try redeemDevice(form["device_code"], for: application)
        case nil: throw .invalidRequest("grant_type is required.")
        default: throw OAuthFailure("unsupported_grant_type", "1Pass knows codes, refresh tokens and devices.")
        }
    }

    private mutating func redeemDevice(
        _ code: String?, for application: Application
    ) throws(OAuthFailure) -> OnePassTokens {
        switch pollDevice(code, by: application.clientID) {
        case .unknown: throw .invalidGrant("The device code is unknown.")
        case .expired: throw OAuthFailure("expired_token", "The device code has expired.")
        case .pending: throw OAuthFailure("authorization_pending", "The person has not decided yet.")
        case .denied: throw OAuthFailure("access_denied", "The person said no.")
        case .slowDown: throw OAuthFailure("slow_down", "Wait five seconds longer between polls.")
        case .approved(let personID, let scopes):
            return signIn(personID, to: application.clientID, scopes: scopes)
        }
    }
}

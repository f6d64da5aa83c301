import HTTPTypes
import ProviderKit

/// `POST /oauth/token` and `POST /oauth/revoke`.
struct OnePassTokenRoutes: Sendable {
    static let path = "/oauth/token"
    static let revocationPath = "/oauth/revoke"
    static let deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"

    let core: OnePassCore

    func add(to routes: SimulatorRoutes<OnePassSimulator.Endpoint>) {
        routes.on(.post, Self.path, as: .token) { request in
            let form = try request.parameters()
            return OnePassAPI.answer(core) { () throws(OAuthFailure) in
                .json(try tokens(form, PresentedClient(form, request)).json).uncached
            }
        }
        routes.on(.post, Self.revocationPath, as: .revoke) { request in
            let form = try request.parameters()
            return OnePassAPI.answer(core) { () throws(OAuthFailure) in
                try core.withState { state throws(OAuthFailure) in
                    let application = try state.client(PresentedClient(form, request))
                    guard let token = form["token"] else { throw .invalidRequest("token is required.") }
                    // Whether there was such a token is nobody's business (RFC 7009 §2.2).
                    state.revoke(token, of: application.clientID)
                    return .json([:])
                }
            }
        }
    }

    private func tokens(_ form: FormFields, _ client: PresentedClient) throws(OAuthFailure) -> OnePassTokens {
        try core.withState { state throws(OAuthFailure) in
            let application = try state.client(client)
            let now = core.clock.now
            switch form["grant_type"] {
            case "authorization_code": return try state.redeem(form, for: application, now: now)
            case "refresh_token": return try state.refresh(form, for: application, now: now)
            case Self.deviceGrant: return try state.pollDevice(form, for: application, now: now)
            case nil: throw .invalidRequest("grant_type is required.")
            default: throw OAuthFailure("unsupported_grant_type", "1Pass knows codes, refresh tokens and devices.")
            }
        }
    }
}

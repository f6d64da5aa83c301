import HTTPTypes
import ProviderKit

/// `GET /.well-known/oauth-authorization-server/login/oauth` (RFC 8414; the well-known part precedes the issuer's path).
struct GitHubMetadataRoutes: Sendable {
    let core: GitHubCore

    func add(to routes: SimulatorRoutes<GitHubSimulator.Endpoint>) {
        routes.on(.get, "/.well-known/oauth-authorization-server/login/oauth", as: .metadata) { [core] _ in
            let github = core.snapshot
            return .json([
                "issuer": .string(github.issuer),
                "authorization_endpoint": .string(github.url + GitHubAuthorizeRoutes.path),
                "token_endpoint": .string(github.url + GitHubTokenRoutes.path),
                "device_authorization_endpoint": .string(github.url + "/login/device/code"),
                "response_types_supported": ["code"],
                "grant_types_supported": [
                    "authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code",
                ],
                "code_challenge_methods_supported": core.options.checksCodeChallenge ? ["S256"] : [],
                "authorization_response_iss_parameter_supported": .bool(github.issuerParameter != .off),
            ])
        }
    }
}

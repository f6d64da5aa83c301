import HTTPTypes
import ProviderKit

/// Discovery and keys.
struct AppleMetadataRoutes: Sendable {
    let core: AppleCore

    func add(to routes: SimulatorRoutes<AppleSimulator.Endpoint>) {
        routes.on(.get, "/.well-known/openid-configuration", as: .discovery) { [core] _ in
            .json(Self.configuration(core.snapshot))
        }
        // Apple sends no cache headers with its keys.
        routes.on(.get, "/auth/keys", as: .keys) { [core] _ in .json(core.keyDocument) }
    }

    private static func configuration(_ apple: AppleState) -> JSONValue {
        [
            "issuer": .string(apple.issuer),
            "authorization_endpoint": .string(apple.url + AppleAuthorizeRoutes.path),
            "token_endpoint": .string(apple.url + AppleTokenRoutes.path),
            "revocation_endpoint": .string(apple.url + AppleTokenRoutes.revocationPath),
            "jwks_uri": .string(apple.url + "/auth/keys"),
            "response_types_supported": ["code"],
            "response_modes_supported": ["query", "fragment", "form_post"],
            "subject_types_supported": ["pairwise"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "scopes_supported": ["openid", "email", "name"],
            "token_endpoint_auth_methods_supported": ["client_secret_post"],
            "claims_supported": [
                "aud", "email", "email_verified", "exp", "iat", "is_private_email", "iss", "nonce", "nonce_supported",
                "real_user_status", "sub", "transfer_sub",
            ],
        ]
    }
}

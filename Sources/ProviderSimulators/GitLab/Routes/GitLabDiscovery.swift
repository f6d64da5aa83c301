import ProviderKit

/// The discovery document of an installation, as gitlab.com's.
struct GitLabDiscovery {
    let url: String

    var document: JSONValue {
        [
            "issuer": .string(url), "authorization_endpoint": .string(url + GitLabState.authorizePath),
            "token_endpoint": .string(url + GitLabState.tokenPath),
            "revocation_endpoint": .string(url + "/oauth/revoke"),
            "introspection_endpoint": .string(url + "/oauth/introspect"),
            "userinfo_endpoint": .string(url + "/oauth/userinfo"),
            "jwks_uri": .string(url + "/oauth/discovery/keys"), "scopes_supported": Self.texts(Self.scopes),
            "response_types_supported": ["code"], "response_modes_supported": ["query", "fragment"],
            // GitLab calls the device grant this, not by its URN.
            "grant_types_supported": ["authorization_code", "device_code", "refresh_token"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
            "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["RS256"],
            "claim_types_supported": ["normal"], "claims_supported": Self.texts(Self.claims),
            "code_challenge_methods_supported": ["plain", "S256"],
        ]
    }

    private static func texts(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }

    private static let scopes = [
        "api", "read_api", "read_user", "read_repository", "write_repository", "sudo", "openid", "profile", "email",
    ]

    private static let claims = [
        "iss", "sub", "aud", "exp", "iat", "sub_legacy", "name", "nickname", "preferred_username", "email",
        "email_verified", "website", "profile", "picture", "groups", "groups_direct",
        "https://gitlab.org/claims/groups/owner", "https://gitlab.org/claims/groups/maintainer",
        "https://gitlab.org/claims/groups/developer",
    ]
}

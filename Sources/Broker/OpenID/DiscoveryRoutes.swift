import BrokerStore
import OAuth
import ProviderKit

/// The metadata for OpenID Connect libraries: discovery (OpenID Connect Discovery §3, RFC 8414) and keys.
struct DiscoveryRoutes: Sendable {
    let issuer: String
    let keys: SigningKeys
    let grants: [any TokenGrant]
    /// The authentication context classes that clients may request.
    let acrValues: [String]

    /// To be called last: the document names those endpoints that are there.
    func add(to routes: Routes) {
        let document = PublicDocument(
            document(of: routes.table).serialized(), lifetime: SigningKeySchedule.documentLifetime)
        for path in [OAuthPaths.discovery, OAuthPaths.metadata] {
            routes.document(path, pages: .any) { request, _ in document.response(to: request) }
        }
        routes.document(OAuthPaths.keys, pages: .any) { [keys] request, _ in keys.current.jwks.response(to: request) }
    }

    private func document(of table: RouteTable) -> JSONObject {
        var document = JSONObject([
            ("issuer", .string(issuer)), ("jwks_uri", .string(issuer + OAuthPaths.keys)),
        ])
        for (name, path) in Self.endpoints where table.match(path) != nil { document[name] = .string(issuer + path) }
        for (name, value) in capabilities { document[name] = value }
        if !acrValues.isEmpty { document["acr_values_supported"] = .array(acrValues.map(JSONValue.string)) }
        return document
    }

    private static let endpoints = [
        ("authorization_endpoint", OAuthPaths.authorization), ("token_endpoint", OAuthPaths.token),
        ("userinfo_endpoint", OAuthPaths.userInfo), ("revocation_endpoint", OAuthPaths.revocation),
        ("introspection_endpoint", OAuthPaths.introspection), ("end_session_endpoint", OAuthPaths.logout),
        ("device_authorization_endpoint", OAuthPaths.deviceAuthorization),
        ("pushed_authorization_request_endpoint", OAuthPaths.pushedAuthorization),
        ("app_authorization_endpoint", OAuthPaths.appAuthorization),
    ]

    private var capabilities: JSONObject {
        // An access token of a service account, or an admin token (RFC 7662 §2.1).
        let introspection: JSONValue = ["client_secret_basic", "client_secret_post", "Bearer"]
        let all: JSONValue = ["client_secret_basic", "client_secret_post", "none"]
        return [
            "scopes_supported": .array(Scope.allCases.map { .string($0.rawValue) }),
            "response_types_supported": ["code"], "response_modes_supported": ["query"],
            "grant_types_supported": .array(grants.map { .string(type(of: $0).type) }),
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": .array(
                StoredSigningKey.Algorithm.allCases.map { .string($0.rawValue) }),
            "token_endpoint_auth_methods_supported": all, "revocation_endpoint_auth_methods_supported": all,
            "introspection_endpoint_auth_methods_supported": introspection,
            "code_challenge_methods_supported": [.string(CodeChallenge.method)],
            "authorization_response_iss_parameter_supported": true,
            "prompt_values_supported": ["none", "login", "consent", "select_account", "link"],
            "backchannel_logout_supported": true, "backchannel_logout_session_supported": true,
            "claim_types_supported": ["normal"],
            "claims_supported": .array(Self.claims.map(JSONValue.string)),
            "claims_parameter_supported": false, "request_parameter_supported": false,
            "request_uri_parameter_supported": false, "ui_locales_supported": ["en", "ko"],
        ]
    }

    private static let claims = SessionClaim.all.filter {
        !$0.documents.isDisjoint(with: [.idToken, .userInfo])
    }.map(\.name)
}

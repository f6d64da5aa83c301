import HTTPTypes
import ProviderKit
import ProviderKitTesting

/// Discovery and keys (OpenID Connect Discovery §4, RFC 7517 §5).
struct OpenIDMetadataRoutes: Sendable {
    let core: OpenIDCore

    func add(to routes: SimulatorRoutes<OpenIDSimulator.Endpoint>) {
        routes.on(.get, OpenIDSimulator.Endpoint.discovery.path, as: .discovery) { _ in
            let state = core.snapshot
            let honest = document(state)
            return .json(state.lies.discovery ?? .object(honest.merging(state.lies.discoveryMembers)))
        }
        routes.on(.get, OpenIDSimulator.Endpoint.keys.path, as: .keys) { _ in
            .json(core.snapshot.lies.keySet ?? core.mint.keys.document)
        }
    }

    private func document(_ state: OpenIDState) -> JSONObject {
        func url(_ endpoint: OpenIDSimulator.Endpoint) -> JSONValue { .string(state.url + endpoint.path) }
        return [
            "issuer": .string(state.url), "authorization_endpoint": url(.authorize), "token_endpoint": url(.token),
            "userinfo_endpoint": url(.userinfo), "jwks_uri": url(.keys), "revocation_endpoint": url(.revoke),
            "device_authorization_endpoint": url(.deviceAuthorization),
            "scopes_supported": .array(OpenIDSimulator.standardScopes.map(JSONValue.string)),
            "response_types_supported": ["code"], "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": [.string(core.options.algorithm.rawValue)],
            "token_endpoint_auth_methods_supported": [
                "client_secret_basic", "client_secret_post", "private_key_jwt", "none",
            ],
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": .bool(state.lies.issuerParameter != .off),
        ]
    }
}

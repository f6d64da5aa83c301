import HTTPTypes
import ProviderKit

/// `/.well-known/…`: the discovery document and the keys.
struct OnePassMetadataRoutes: Sendable {
    let core: OnePassCore

    func add(to routes: SimulatorRoutes<OnePassSimulator.Endpoint>) {
        routes.on(.get, "/.well-known/openid-configuration", as: .discovery) { [core] _ in
            .json(.object(Self.document(core.snapshot)))
        }
        routes.on(.get, "/.well-known/jwks.json", as: .keys) { [core] _ in
            var response = SimulatorResponse.json(core.keys.document(now: core.clock.now))
            response.headers[.cacheControl] = "public, max-age=3600"
            return response
        }
    }

    private static func document(_ onePass: OnePassState) -> JSONObject {
        func at(_ path: String) -> JSONValue { .string(onePass.url + path) }
        var document: JSONObject = [
            "issuer": .string(onePass.issuer), "authorization_endpoint": at(OnePassAuthorizeRoutes.path),
            "token_endpoint": at(OnePassTokenRoutes.path), "jwks_uri": at("/.well-known/jwks.json"),
            "revocation_endpoint": at(OnePassTokenRoutes.revocationPath),
            "device_authorization_endpoint": at(OnePassDeviceFlowRoutes.path),
            "response_types_supported": ["code"], "subject_types_supported": ["public"],
            "grant_types_supported": ["authorization_code", "refresh_token", .string(OnePassTokenRoutes.deviceGrant)],
            "id_token_signing_alg_values_supported": ["RS256"], "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post", "none"],
            "scopes_supported": .array(OnePassSimulator.Application.standardScopes.map(JSONValue.string)),
        ]
        if onePass.behaviour.namesUserinfoEndpoint {
            document["userinfo_endpoint"] = at(OnePassUserinfoRoutes.path)
        }
        return document
    }
}

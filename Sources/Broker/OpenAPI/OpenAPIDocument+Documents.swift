import HTTPTypes
import ProviderKit

/// Public documents, and what OpenID Connect clients call.
extension OpenAPIDocument {
    static func documents(projectID: String) -> [OpenAPIOperation] {
        let account = "securetoken@system.gserviceaccount.com"
        let keys = [
            ("/\(projectID)/.well-known/jwks.json", "projectKeys"),
            ("/service_accounts/v1/jwk/\(account)", "googleKeys"),
            ("/v1/sessionCookiePublicKeys", "sessionCookieKeys"),
            (OAuthPaths.keys, "keys"),
        ]
        let certificates = [
            ("/robot/v1/metadata/x509/\(account)", "certificates"),
            ("/identitytoolkit/v3/relyingparty/publicKeys", "publicKeys"),
        ]
        let metadata = [
            ("/\(projectID)/.well-known/openid-configuration", "projectMetadata"), (OAuthPaths.discovery, "discovery"),
            (OAuthPaths.metadata, "authorizationServerMetadata"),
        ]
        return keys.map { document($0, $1, "Returns the keys that verify tokens.", Schema.reference("Keys")) }
            + certificates.map {
                document(
                    $0, $1, "Returns the certificates that verify ID tokens and cookies.",
                    Schema.reference("Certificates"))
            }
            + metadata.map { document($0, $1, "Returns the metadata of the issuer.", Schema.anyObject) }
            + [
                document(path, "openAPI", "Returns this document.", Schema.anyObject),
                document(
                    "/", "root", "Says that the broker answers.",
                    Schema.answer(["broker": Schema.answer(["ready": Schema.boolean])])),
                document(
                    "/healthz", "health", "Says that the process is alive.",
                    Schema.answer(["status": Schema.string, "version": Schema.string])),
                document(
                    "/readyz", "readiness", "Says whether the broker can serve.",
                    Schema.answer(["status": Schema.string])),
            ]
    }

    private static func document(
        _ path: String, _ id: String, _ summary: String, _ schema: JSONValue
    ) -> OpenAPIOperation {
        OpenAPIOperation(.get, path, id, summary, answer: schema)
    }

    /// An operation of an OAuth client, with a form.
    static func client(
        _ path: String, _ id: String, _ summary: String, form: JSONValue, answer: JSONValue
    ) -> OpenAPIOperation {
        OpenAPIOperation(.post, path, id, summary, answer: answer).with {
            ($0.access, $0.errors, $0.body) = (.client, .oauth, .form(form))
        }
    }

    static let openID: [OpenAPIOperation] = [
        client(
            OAuthPaths.pushedAuthorization, "pushAuthorizationRequest", "Stores an authorization request (RFC 9126).",
            form: Schema.request(["client_id": Schema.string, "response_type": Schema.string]),
            answer: Schema.answer(["request_uri": Schema.string, "expires_in": Schema.integer])
        ).with { $0.status = 201 },
        client(
            OAuthPaths.token, "token", "Exchanges a grant for tokens (RFC 6749 §3.2).",
            form: Schema.request(
                ["grant_type": Schema.string],
                optional: [
                    "client_id": Schema.string, "client_secret": Schema.string, "code": Schema.string,
                    "code_verifier": Schema.string, "redirect_uri": Schema.string, "refresh_token": Schema.string,
                    "device_code": Schema.string, "scope": Schema.string, "id_token_hint": Schema.string,
                    "subject_token": Schema.string, "subject_token_type": Schema.string,
                    "actor_token": Schema.string, "actor_token_type": Schema.string, "provider": Schema.string,
                    "nonce": Schema.string, "authorization_code": Schema.string, "access_token": Schema.string,
                    "user": Schema.string, "prompt": Schema.string, "platform": Schema.string,
                    "device_secret": Schema.string, "authorization_response": Schema.string,
                    "accept_merge": Schema.string, "merge_token": Schema.string,
                ]),
            answer: Schema.answer(
                [
                    "access_token": Schema.string, "token_type": Schema.constant("Bearer"),
                    "expires_in": Schema.integer, "scope": Schema.string,
                ],
                optional: [
                    "id_token": Schema.string, "refresh_token": Schema.string, "provider_token": Schema.anyObject,
                    "issued_token_type": Schema.string, "broker": Schema.reference("Broker"),
                    "is_new_user": Schema.boolean, "provider": Schema.string, "user": Schema.reference("Account"),
                    "device_secret": Schema.string,
                ])),
        client(
            ServiceAccountKeyFile.tokenPath, "serviceAccountToken",
            "Exchanges the assertion of a service account for an access token (RFC 7523).",
            form: Schema.request(
                ["grant_type": Schema.string, "assertion": Schema.string], optional: ["scope": Schema.string]),
            answer: Schema.answer([
                "access_token": Schema.string, "token_type": Schema.constant("Bearer"),
                "expires_in": Schema.integer, "scope": Schema.string,
            ])
        ).with { $0.access = .none },
        client(
            OAuthPaths.revocation, "revoke", "Revokes a token (RFC 7009).",
            form: Schema.request(
                ["token": Schema.string], optional: ["client_id": Schema.string, "client_secret": Schema.string]),
            answer: Schema.answer([:])),
        client(
            OAuthPaths.introspection, "introspect", "Describes a token (RFC 7662).",
            form: Schema.request(
                ["token": Schema.string], optional: ["client_id": Schema.string, "client_secret": Schema.string]),
            answer: Schema.claims(
                of: .introspection, ["active"], with: ["active": Schema.boolean, "token_type": Schema.string])
        ).with { $0.access = .clientOrAdministrator(.introspectTokens) },
        client(
            OAuthPaths.deviceAuthorization, "authorizeDevice", "Begins the sign-in of a device (RFC 8628).",
            form: Schema.request(["client_id": Schema.string], optional: ["scope": Schema.string]),
            answer: Schema.answer([
                "device_code": Schema.string, "user_code": Schema.string, "verification_uri": Schema.string,
                "verification_uri_complete": Schema.string, "expires_in": Schema.integer, "interval": Schema.integer,
            ])),
        OpenAPIOperation(
            .get, OAuthPaths.appAuthorization, "listAppProviders",
            "Returns the providers whose apps and pages a native client may open itself (RFC 8252).",
            answer: Schema.answer([
                "providers": Schema.array(
                    of: Schema.answer([
                        "provider": Schema.string, "display_name": Schema.string, "redirect_uris": Schema.strings,
                    ]))
            ])
        ).with { ($0.errors, $0.query) = (.oauth, [Schema.query("client_id", required: true)]) },
        client(
            OAuthPaths.appAuthorization, "authorizeApp",
            "Begins a sign-in, link or reauthentication of a native client at a provider.",
            form: Schema.request(
                ["client_id": Schema.string, "provider": Schema.string, "redirect_uri": Schema.string],
                optional: [
                    "provider_scope": Schema.string, "login_hint": Schema.string, "prompt": Schema.string,
                    "actor_token": Schema.string, "actor_token_type": Schema.string,
                ]),
            answer: Schema.answer([
                "authorization_uri": Schema.string, "handle": Schema.string, "state": Schema.string,
                "expires_in": Schema.integer,
            ])),
        userInfo(.get, "userInfo"),
        userInfo(.post, "userInfoByPost").with {
            $0.body = .form(Schema.request(optional: ["access_token": Schema.string]))
        },
    ]
}

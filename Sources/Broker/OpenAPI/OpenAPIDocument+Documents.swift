import HTTPTypes
import ProviderKit

/// Public documents, and what OpenID Connect clients call.
extension OpenAPIDocument {
    private static let serviceAccount = "securetoken@system.gserviceaccount.com"

    static let certificates = "/robot/v1/metadata/x509/\(serviceAccount)"

    static func documents(projectID: String) -> [OpenAPIOperation] {
        let keys = [
            ("/\(projectID)/.well-known/jwks.json", "projectKeys"),
            ("/service_accounts/v1/jwk/\(serviceAccount)", "googleKeys"),
            ("/v1/sessionCookiePublicKeys", "sessionCookieKeys"), (OAuthPaths.keys, "keys"),
        ]
        let metadata = [
            ("/\(projectID)/.well-known/openid-configuration", "projectMetadata"), (OAuthPaths.discovery, "discovery"),
        ]
        return keys.map { document($0, $1, "Returns the keys that verify tokens.", Schema.reference("Keys")) }
            + metadata.map { document($0, $1, "Returns the metadata of the issuer.", Schema.anyObject) }
            + [
                document(
                    certificates, "certificates", "Returns the certificates that verify ID tokens and cookies.",
                    Schema.reference("Certificates")),
                document(path, "openAPI", "Returns this document.", Schema.anyObject),
                document(
                    "/", "root", "Says that the broker answers; browsers that ask for `text/html` get a page.",
                    Schema.answer([
                        .value("broker", Schema.answer([.flag("ready", "Always `true`.")]), "The broker.")
                    ])),
                document(
                    "/healthz", "health", "Says that the process is alive.",
                    Schema.answer([.text("status", "`ok`."), .text("version", "The broker's version.")])),
                document(
                    "/readyz", "readiness", "Says whether the broker can serve.",
                    Schema.answer([.text("status", "`ready`.")])),
                picture(BrandPath.image("{image}"), "brandImage", "Returns a picture of the site's brand."),
                picture(
                    BrandPath.logo("{image}", ofClient: "{client}"), "clientLogo", "Returns the logo of a client."),
            ]
    }

    private static func document(
        _ path: String, _ id: String, _ summary: String, _ schema: JSONValue
    ) -> OpenAPIOperation {
        OpenAPIOperation(.get, path, id, summary, answer: schema)
    }

    private static func picture(_ path: String, _ id: String, _ summary: String) -> OpenAPIOperation {
        document(path, id, summary, Schema.string).with {
            ($0.answer, $0.furtherStatuses) = (("image/*", Schema.string), [404])
        }
    }

    /// An operation of an OAuth client, with a form.
    static func client(
        _ path: String, _ id: String, _ summary: String, _ parameters: [DeclaredParameter],
        example: [String]? = nil, answer: JSONValue
    ) -> OpenAPIOperation {
        OpenAPIOperation(.post, path, id, summary, answer: answer)
            .taking(form: parameters + OAuthParameter.client, example: example)
            .with { ($0.access, $0.errors) = (.client, .oauth) }
    }

    static let openID: [OpenAPIOperation] = [
        client(
            OAuthPaths.pushedAuthorization, "pushAuthorizationRequest", "Stores an authorization request (RFC 9126).",
            OAuthParameter.pushed,
            answer: Schema.answer([
                .text("request_uri", "The `request_uri` of the authorization request."), .expiresInSeconds,
            ])
        ).with { $0.status = 201 },
        client(
            OAuthPaths.token, "token", "Exchanges a grant for tokens (RFC 6749 §3.2).",
            [OAuthParameter.grantType.required.choices(OAuthRoutes.grants.map { $0.type })]
                + OAuthRoutes.grants.flatMap { $0.parameters },
            example: ["grant_type", "refresh_token", "client_id"],
            answer: Schema.answer(
                [.accessToken, .tokenType, .expiresInSeconds, .scope],
                optional: [
                    .text("id_token", "The ID token, with the scope `openid`."),
                    .text("refresh_token", "The refresh token, with the scope `offline_access`."),
                    .value("provider_token", Schema.anyObject, "The provider's token, for clients that get it."),
                    .text("issued_token_type", "The type of the access token (RFC 8693 §2.2.1)."), .broker,
                    .flag("is_new_user", "Whether the login created the user."),
                    .text("provider", "The provider of the login, or of the identity that was linked."),
                    .value("user", Schema.reference("Account"), "The user, with the scope `account`."),
                    .text("device_secret", "The secret of the device, when it is issued."),
                ])),
        OpenAPIOperation(
            .post, ServiceAccountKeyFile.tokenPath, "serviceAccountToken",
            "Exchanges the assertion of a service account for an access token (RFC 7523).",
            answer: Schema.answer([.accessToken, .tokenType, .expiresInSeconds, .scope])
        ).taking(form: [
            OAuthParameter.grantType.required.choices([ServiceAccountAssertions.grantType])
                .example(ServiceAccountAssertions.grantType),
            OAuthParameter.assertion.required,
            DeclaredParameter("scope", "The scopes of the access token; those of the assertion when absent."),
        ]).with { $0.errors = .oauth },
        client(
            OAuthPaths.revocation, "revoke", "Revokes a token (RFC 7009).", [OAuthParameter.token.required],
            answer: Schema.answer()),
        client(
            OAuthPaths.introspection, "introspect", "Describes a token (RFC 7662).", [OAuthParameter.token.required],
            answer: Schema.claims(
                of: .introspection, ["active"],
                with: [
                    .flag("active", "Whether the token is valid."), .text("token_type", "The type of an access token."),
                ])
        ).with { $0.access = .clientOrAdministrator(.introspectTokens) },
        client(
            OAuthPaths.deviceAuthorization, "authorizeDevice", "Begins the sign-in of a device (RFC 8628).",
            [OAuthParameter.scope],
            answer: Schema.answer([
                .text("device_code", "The code that the device polls with."),
                .text("user_code", "The code that the user enters."),
                .text("verification_uri", "The page that takes the code."),
                .text("verification_uri_complete", "The page with the code."), .expiresInSeconds,
                .integer("interval", "The seconds between two polls."),
            ])),
        OpenAPIOperation(
            .get, OAuthPaths.appAuthorization, "listAppProviders",
            "Returns the providers whose apps and pages a native client may open itself (RFC 8252).",
            answer: Schema.answer([
                .list(
                    "providers",
                    of: Schema.answer([
                        .text("provider", "The provider's id."), .text("display_name", "The name that is shown."),
                        .texts("redirect_uris", "The redirect URIs that both have registered."),
                    ]), "The providers.")
            ])
        ).with { ($0.errors, $0.query) = (.oauth, [OAuthParameter.clientID.required]) },
        client(
            OAuthPaths.appAuthorization, "authorizeApp",
            "Begins a sign-in, link or reauthentication of a native client at a provider.",
            AppAuthorizationRequest.parameters,
            answer: Schema.answer([
                .text("authorization_uri", "The address to open."),
                .text("handle", "The `subject_token` of the exchange that follows."),
                .text("state", "The state that the provider returns."), .expiresInSeconds,
            ])),
        userInfo(.get, "userInfo"),
        userInfo(.post, "userInfoByPost").taking(form: [OAuthParameter.accessToken]),
    ]
}

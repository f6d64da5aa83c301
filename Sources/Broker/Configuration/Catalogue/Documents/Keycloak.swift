extension ProviderCatalogue {
    static let keycloak = #"""
        {
          "id": "oidc.keycloak",
          "name": "Keycloak",
          "use": "oidc",
          "options": {
            "issuer": "https://{host}/realms/{realm}",
            "scopes": ["openid", "email", "profile"],
            "claims": {
              "email": "/email",
              "emailVerified": "/email_verified",
              "displayName": "/name",
              "givenName": "/given_name",
              "familyName": "/family_name",
              "screenName": "/preferred_username",
              "pictureUrl": "/picture"
            }
          },
          "variables": [
            {
              "name": "host",
              "description": "The host of Keycloak; the path too if it has one.",
              "pattern": "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?(/[A-Za-z0-9._~-]+)*$",
              "example": "id.example"
            },
            {
              "name": "realm",
              "description": "The name of the realm.",
              "pattern": "^[A-Za-z0-9._-]+$",
              "example": "acme"
            }
          ],
          "button": { "text": "Continue with Keycloak", "background": "#4D4D4D", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://www.keycloak.org/securing-apps/oidc-layers",
            "console": "https://{host}/admin/"
          },
          "registration": [
            "Create a client of the type OpenID Connect with Client authentication and Standard flow.",
            "Enter the valid redirect URI.",
            "Set trustEmail if the realm verifies addresses and users cannot set them as verified."
          ],
          "facts": [
            {
              "fact": "The discovery document is /realms/{realm}/.well-known/openid-configuration below Keycloak's base URL.",
              "about": ["endpoints"],
              "page": "https://github.com/keycloak/keycloak/blob/1683a2e031ff8cba2290480c583e67452269df1c/docs/guides/securing-apps/partials/oidc/available-endpoints.adoc",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The endpoints below /realms/{realm}/protocol/openid-connect are auth, token, userinfo, logout, certs and revoke; userinfo takes a bearer token and answers standard claims.",
              "about": ["endpoints", "userinfo"],
              "page": "https://github.com/keycloak/keycloak/blob/1683a2e031ff8cba2290480c583e67452269df1c/docs/guides/securing-apps/partials/oidc/available-endpoints.adoc",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "A client with Client authentication has the credential Client ID and Secret by default, or a signed JWT.",
              "about": ["authentication"],
              "page": "https://github.com/keycloak/keycloak/blob/03f1a16370d3870d2b9b2a667af764f2134f2d8c/docs/documentation/server_admin/topics/clients/oidc/con-confidential-client-credentials.adoc",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The scopes profile and email are client scopes of every realm, with the claims of OpenID Connect; scopes are separated by spaces.",
              "about": ["scopes"],
              "page": "https://github.com/keycloak/keycloak/blob/3924b418601101be59181901b8ce8718291ed834/docs/documentation/server_admin/topics/clients/con-client-scopes.adoc",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Userinfo answers the standard claims of OpenID Connect, of which sub identifies the user.",
              "about": ["userinfo"],
              "page": "https://github.com/keycloak/keycloak/blob/1683a2e031ff8cba2290480c583e67452269df1c/docs/guides/securing-apps/partials/oidc/available-endpoints.adoc",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "sub is the id of the user, a UUID, and email_verified is what the realm knows of the address.",
              "page": "https://www.keycloak.org/securing-apps/oidc-layers",
              "read": "2026-11-26",
              "verified": "memory"
            }
          ]
        }
        """#
}

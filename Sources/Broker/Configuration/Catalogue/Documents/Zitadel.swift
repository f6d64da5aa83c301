extension ProviderCatalogue {
    static let zitadel = #"""
        {
          "id": "oidc.zitadel",
          "name": "ZITADEL",
          "use": "oidc",
          "options": {
            "issuer": "https://{host}",
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
              "description": "The custom domain of the instance.",
              "pattern": "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?$",
              "example": "login.example"
            }
          ],
          "button": { "text": "Continue with ZITADEL", "background": "#1F2937", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://zitadel.com/docs/apis/openidoauth/endpoints",
            "console": "https://{host}/ui/console"
          },
          "registration": [
            "Create an application of the type Web in a project, with the authentication method Basic.",
            "Enter the redirect URI.",
            "Set trustEmail if the instance's administrators do not set addresses as verified by hand."
          ],
          "facts": [
            {
              "fact": "The discovery document is within the issuer's domain; the authorization endpoint is /oauth/v2/authorize.",
              "about": ["endpoints"],
              "page": "https://github.com/zitadel/zitadel/blob/026747a74cf5f33d69c1893451ae00575795e727/docs/docs/apis/openidoauth/endpoints.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Clients authenticate with client_secret_basic, client_secret_post, private_key_jwt or none; PKCE with S256 is accepted.",
              "about": ["authentication"],
              "page": "https://github.com/zitadel/zitadel/blob/026747a74cf5f33d69c1893451ae00575795e727/docs/docs/apis/openidoauth/endpoints.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Scopes are separated by spaces and openid is required; where an access token is issued, claims of profile and email are at userinfo and not in the ID token, unless the client's settings ask for it.",
              "about": ["scopes", "userinfo"],
              "page": "https://github.com/zitadel/zitadel/blob/026747a74cf5f33d69c1893451ae00575795e727/docs/docs/apis/openidoauth/endpoints.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "sub is the id of the user, email_verified says that ZITADEL verified the address, preferred_username is the login name.",
              "about": ["userinfo"],
              "page": "https://github.com/zitadel/zitadel/blob/012fff93bd22b25df0fdd04ef4a2df40639bb82b/docs/docs/apis/openidoauth/claims.md",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}

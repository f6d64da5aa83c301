extension ProviderCatalogue {
    static let authelia = #"""
        {
          "id": "oidc.authelia",
          "name": "Authelia",
          "use": "oidc",
          "options": {
            "issuer": "https://{host}",
            "tokenEndpointAuthMethod": "client_secret_basic",
            "scopes": ["openid", "profile", "email"],
            "claims": {
              "email": "/email",
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
              "description": "Host name of the Authelia installation.",
              "pattern": "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?$",
              "example": "auth.mail.example"
            }
          ],
          "button": { "text": "Continue with Authelia", "background": "#113155", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://www.authelia.com/integration/openid-connect/introduction/",
            "console": "https://www.authelia.com/configuration/identity-providers/openid-connect/clients/"
          },
          "registration": [
            "Add a client to identity_providers.oidc.clients in the configuration of Authelia.",
            "Give it the redirect URI, the scopes openid, profile and email, and token_endpoint_auth_method client_secret_basic.",
            "Let the hash of the secret stand in the configuration, and the secret in the entry."
          ],
          "facts": [
            {
              "fact": "The issuer is the address of the installation; the authorization endpoint is /api/oidc/authorization, the token endpoint /api/oidc/token, userinfo /api/oidc/userinfo and the keys /jwks.json.",
              "about": ["endpoints"],
              "page": "https://github.com/authelia/authelia/blob/0417ac017ef57d0b2dcb7cda76b9a6769f5fa92c/docs/content/integration/openid-connect/introduction.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "A client is registered with one of client_secret_basic, client_secret_post, client_secret_jwt, private_key_jwt or none.",
              "about": ["authentication"],
              "page": "https://github.com/authelia/authelia/blob/0417ac017ef57d0b2dcb7cda76b9a6769f5fa92c/docs/content/integration/openid-connect/introduction.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The scopes are openid, profile, email and offline_access.",
              "about": ["scopes"],
              "page": "https://github.com/authelia/authelia/blob/1017685a06f03472addfc6b1849e4f5251596ef3/docs/content/integration/openid-connect/openid-connect-1.0-claims.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "sub is a UUID that belongs to the user; only it and the issuer identify the user.",
              "about": ["userinfo"],
              "page": "https://github.com/authelia/authelia/blob/1017685a06f03472addfc6b1849e4f5251596ef3/docs/content/integration/openid-connect/openid-connect-1.0-claims.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "name, given_name, family_name, preferred_username, picture and email are answered by userinfo and are not in the ID token.",
              "about": ["userinfo"],
              "page": "https://github.com/authelia/authelia/blob/1017685a06f03472addfc6b1849e4f5251596ef3/docs/content/integration/openid-connect/openid-connect-1.0-claims.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "email_verified is always true: Authelia takes the addresses of its backend for verified, so the entry does not read it.",
              "page": "https://github.com/authelia/authelia/blob/1017685a06f03472addfc6b1849e4f5251596ef3/docs/content/integration/openid-connect/openid-connect-1.0-claims.md",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}

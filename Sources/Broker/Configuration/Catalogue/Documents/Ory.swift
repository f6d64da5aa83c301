extension ProviderCatalogue {
    static let ory = #"""
        {
          "id": "oidc.ory",
          "name": "Ory Network",
          "use": "oidc",
          "options": {
            "issuer": "https://{project}.projects.oryapis.com",
            "tokenEndpointAuthMethod": "client_secret_post",
            "scopes": ["openid", "offline_access"]
          },
          "variables": [
            {
              "name": "project",
              "description": "Slug of the Ory project.",
              "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$",
              "example": "playful-swan-1234abcd"
            }
          ],
          "button": { "text": "Continue with Ory Network", "background": "#0F172A", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://www.ory.com/docs/oauth2-oidc/authorization-code-flow",
            "console": "https://console.ory.sh/"
          },
          "registration": [
            "Create an OAuth 2 client in the project with the grants authorization_code and refresh_token.",
            "Set its token endpoint authentication method to client_secret_post.",
            "Add the redirect URI.",
            "For name and address, let the project add claims and name their pointers in the entry."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is https://PROJECT.projects.oryapis.com/oauth2/auth, the token endpoint POST /oauth2/token, the keys /.well-known/jwks.json.",
              "about": ["endpoints"],
              "page": "https://github.com/ory/docs/blob/0f8c27e71120b6087b234189c56b01bc85b66fa9/docs/oauth2-oidc/authorization-code-flow.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The client sends client_id and client_secret in the form; its token-endpoint-auth-method has to be client_secret_post.",
              "about": ["authentication"],
              "page": "https://github.com/ory/docs/blob/0f8c27e71120b6087b234189c56b01bc85b66fa9/docs/oauth2-oidc/authorization-code-flow.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The scopes are openid and offline_access.",
              "about": ["scopes"],
              "page": "https://github.com/ory/docs/blob/0f8c27e71120b6087b234189c56b01bc85b66fa9/docs/oauth2-oidc/authorization-code-flow.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "GET /userinfo with a bearer token answers sub, a UUID; further claims are those that the project's hook adds, below ext.",
              "about": ["endpoints", "userinfo"],
              "page": "https://github.com/ory/docs/blob/2477c2a6312c4ab13dfc611d4ab507f6026a5545/docs/oauth2-oidc/userinfo-oidc.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "ID tokens are signed with RS256.",
              "page": "https://github.com/ory/docs/blob/2477c2a6312c4ab13dfc611d4ab507f6026a5545/docs/oauth2-oidc/userinfo-oidc.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}

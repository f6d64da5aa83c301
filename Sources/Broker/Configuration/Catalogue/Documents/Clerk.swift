extension ProviderCatalogue {
    static let clerk = #"""
        {
          "id": "oidc.clerk",
          "name": "Clerk",
          "use": "oidc",
          "options": {
            "issuer": "https://{host}",
            "tokenEndpointAuthMethod": "client_secret_basic",
            "scopes": ["openid", "profile", "email", "offline_access"],
            "claims": { "email": "/email", "displayName": "/name" }
          },
          "variables": [
            {
              "name": "host",
              "description": "Host name of Clerk's Frontend API for the instance.",
              "pattern": "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?$",
              "example": "clerk.mail.example"
            }
          ],
          "button": { "text": "Continue with Clerk", "background": "#6C47FF", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://clerk.com/docs/guides/configure/auth-strategies/oauth/how-clerk-implements-oauth",
            "console": "https://dashboard.clerk.com/last-active?path=oauth-applications"
          },
          "registration": [
            "Add an OAuth application in the Clerk dashboard, with the scopes openid, profile, email and offline_access.",
            "Add the redirect URI, and leave the application confidential.",
            "Copy the client ID and the client secret; the host is that of the discovery URL shown there."
          ],
          "facts": [
            {
              "fact": "The issuer is the address of the Frontend API; the authorization endpoint is /oauth/authorize, the token endpoint /oauth/token and the keys /.well-known/jwks.json.",
              "about": ["endpoints"],
              "page": "https://github.com/clerk/clerk-docs/blob/013e7fe12c4770dac45df51c28bb6eb7014279fc/docs/guides/configure/auth-strategies/oauth/how-clerk-implements-oauth.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The client authenticates with client_secret_basic, or is public.",
              "about": ["authentication"],
              "page": "https://github.com/clerk/clerk-docs/blob/013e7fe12c4770dac45df51c28bb6eb7014279fc/docs/guides/configure/auth-strategies/oauth/how-clerk-implements-oauth.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The scopes are openid, profile, email and offline_access.",
              "about": ["scopes"],
              "page": "https://github.com/clerk/clerk-docs/blob/013e7fe12c4770dac45df51c28bb6eb7014279fc/docs/guides/configure/auth-strategies/oauth/how-clerk-implements-oauth.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "sub is the id of the user; email and name are claims.",
              "about": ["userinfo"],
              "page": "https://github.com/clerk/clerk-docs/blob/013e7fe12c4770dac45df51c28bb6eb7014279fc/docs/guides/configure/auth-strategies/oauth/how-clerk-implements-oauth.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "ID tokens are signed with RS256, and PKCE with S256 is supported.",
              "page": "https://github.com/clerk/clerk-docs/blob/013e7fe12c4770dac45df51c28bb6eb7014279fc/docs/guides/configure/auth-strategies/oauth/how-clerk-implements-oauth.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}

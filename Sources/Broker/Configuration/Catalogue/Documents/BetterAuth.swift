extension ProviderCatalogue {
    static let betterAuth = #"""
        {
          "id": "oauth2.better-auth",
          "name": "Better Auth",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://{host}/api/auth/oauth2/authorize",
            "tokenUrl": "https://{host}/api/auth/oauth2/token",
            "userinfoUrl": "https://{host}/api/auth/oauth2/userinfo",
            "tokenEndpointAuthMethod": "client_secret_basic",
            "pkce": true,
            "scopes": ["openid", "profile", "email"],
            "claims": {
              "subject": "/sub",
              "email": "/email",
              "emailVerified": "/email_verified",
              "displayName": "/name",
              "givenName": "/given_name",
              "familyName": "/family_name",
              "pictureUrl": "/picture"
            }
          },
          "variables": [
            {
              "name": "host",
              "description": "Host name of the installation.",
              "pattern": "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?$",
              "example": "app.mail.example"
            }
          ],
          "button": { "text": "Continue with Better Auth", "background": "#111111", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://www.better-auth.com/docs/plugins/oidc-provider",
            "console": "https://www.better-auth.com/docs/plugins/oidc-provider#register-a-new-client"
          },
          "registration": [
            "Mount the OIDC provider plugin in the Better Auth installation.",
            "Register a client with the redirect URI, or write it into trustedClients."
          ],
          "facts": [
            {
              "fact": "The token endpoint is /oauth2/token and userinfo /oauth2/userinfo, below /api/auth of the installation.",
              "about": ["endpoints"],
              "page": "https://github.com/better-auth/better-auth/blob/02644c93941342766f598ef0bffebebe7904fd08/docs/content/docs/plugins/oidc-provider.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The authorization endpoint is /oauth2/authorize, unless the installation gives it another path.",
              "about": ["endpoints"],
              "page": "https://github.com/better-auth/better-auth/blob/02644c93941342766f598ef0bffebebe7904fd08/docs/content/docs/plugins/oidc-provider.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "A client is registered with client_secret_basic, which is the default, client_secret_post or none.",
              "about": ["authentication"],
              "page": "https://github.com/better-auth/better-auth/blob/02644c93941342766f598ef0bffebebe7904fd08/docs/content/docs/plugins/oidc-provider.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The scopes are openid, profile and email, separated by spaces.",
              "about": ["scopes"],
              "page": "https://github.com/better-auth/better-auth/blob/02644c93941342766f598ef0bffebebe7904fd08/docs/content/docs/plugins/oidc-provider.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Userinfo takes a bearer token and answers sub, the user's id, with profile also name, picture, given_name and family_name, with email also email and email_verified.",
              "about": ["userinfo"],
              "page": "https://github.com/better-auth/better-auth/blob/02644c93941342766f598ef0bffebebe7904fd08/docs/content/docs/plugins/oidc-provider.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The plugin is to be replaced by the OAuth provider plugin.",
              "page": "https://github.com/better-auth/better-auth/blob/02644c93941342766f598ef0bffebebe7904fd08/docs/content/docs/plugins/oidc-provider.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}

extension ProviderCatalogue {
    static let vercel = #"""
        {
          "id": "oidc.vercel",
          "name": "Vercel",
          "use": "oidc",
          "options": {
            "issuer": "https://vercel.com",
            "scopes": ["openid", "email", "profile"],
            "claims": { "email": "/email", "screenName": "/preferred_username", "pictureUrl": "/picture" }
          },
          "button": { "text": "Continue with Vercel", "background": "#000000", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://vercel.com/docs/sign-in-with-vercel/authorization-server-api",
            "console": "https://vercel.com/docs/sign-in-with-vercel/manage-from-dashboard"
          },
          "registration": [
            "Create an app in the team's settings, for Sign in with Vercel.",
            "Enter the authorization callback URL.",
            "Choose the permissions openid, email and profile.",
            "Generate a client secret."
          ],
          "facts": [
            {
              "fact": "The discovery document is https://vercel.com/.well-known/openid-configuration; the authorization endpoint is https://vercel.com/oauth/authorize.",
              "about": ["endpoints"],
              "page": "https://vercel.com/docs/sign-in-with-vercel/authorization-server-api",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The issuer is https://vercel.com, the token endpoint https://api.vercel.com/login/oauth/token, userinfo https://api.vercel.com/login/oauth/userinfo; ID tokens are signed with RS256.",
              "about": ["endpoints"],
              "page": "https://vercel.com/.well-known/oauth-authorization-server",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token endpoint takes client_secret_basic and client_secret_post; PKCE with S256 is supported.",
              "about": ["authentication"],
              "page": "https://vercel.com/.well-known/oauth-authorization-server",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The scopes are openid, email, profile and offline_access, separated by spaces; what the app is not configured for is left out.",
              "about": ["scopes"],
              "page": "https://vercel.com/docs/sign-in-with-vercel/authorization-server-api",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The claims are sub, email, preferred_username and picture; subjects are public.",
              "about": ["userinfo"],
              "page": "https://vercel.com/.well-known/oauth-authorization-server",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Nothing says that the address is verified.",
              "page": "https://vercel.com/.well-known/oauth-authorization-server",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}

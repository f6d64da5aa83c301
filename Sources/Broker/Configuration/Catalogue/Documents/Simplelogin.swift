extension ProviderCatalogue {
    static let simplelogin = #"""
        {
          "id": "oauth2.simplelogin",
          "name": "SimpleLogin",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://app.simplelogin.io/oauth2/authorize",
            "tokenUrl": "https://app.simplelogin.io/oauth2/token",
            "tokenEndpointAuthMethod": "client_secret_post",
            "pkce": false,
            "scopes": ["profile"],
            "claims": {
              "subject": { "in": "token", "pointer": "/user/sub" },
              "email": { "in": "token", "pointer": "/user/email" },
              "emailVerified": { "in": "token", "pointer": "/user/email_verified" },
              "displayName": { "in": "token", "pointer": "/user/name" },
              "pictureUrl": { "in": "token", "pointer": "/user/avatar_url" }
            }
          },
          "button": { "text": "Continue with SimpleLogin", "background": "#BE1E2D", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://simplelogin.io/docs/siwsl/code-flow/",
            "console": "https://app.simplelogin.io/developer"
          },
          "registration": [
            "Create an app in the developer part of SimpleLogin.",
            "Add the redirect URI.",
            "Copy the OAuth client id and client secret."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is https://app.simplelogin.io/oauth2/authorize, the token endpoint POST https://app.simplelogin.io/oauth2/token, userinfo https://app.simplelogin.io/oauth2/userinfo.",
              "about": ["endpoints"],
              "page": "https://simplelogin.io/docs/siwsl/app/",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The client sends client_id and client_secret in the body of the token request, with grant_type, code and redirect_uri.",
              "about": ["authentication"],
              "page": "https://github.com/simple-login/docs/blob/098f11ce08b813661744b75192c11cd24d78b59d/content/docs/code-flow.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "profile is the one scope: address, name and avatar.",
              "about": ["scopes"],
              "page": "https://github.com/simple-login/docs/blob/098f11ce08b813661744b75192c11cd24d78b59d/content/docs/code-flow.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token answer has the member user with sub, email, email_verified, name and avatar_url, so no request for the profile is needed.",
              "about": ["userinfo"],
              "page": "https://github.com/simple-login/docs/blob/098f11ce08b813661744b75192c11cd24d78b59d/content/docs/code-flow.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The address may be an alias that belongs to this client alone.",
              "page": "https://github.com/simple-login/docs/blob/098f11ce08b813661744b75192c11cd24d78b59d/content/docs/code-flow.md",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}

extension ProviderCatalogue {
    static let raindrop = #"""
        {
          "id": "oauth2.raindrop",
          "name": "Raindrop.io",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://raindrop.io/oauth/authorize",
            "tokenUrl": "https://raindrop.io/oauth/access_token",
            "userinfoUrl": "https://api.raindrop.io/rest/v1/user",
            "tokenEndpointAuthMethod": "client_secret_post",
            "pkce": false,
            "tokenRequest": { "format": "json" },
            "requiredClaims": { "/result": true },
            "claims": { "subject": "/user/_id", "email": "/user/email", "displayName": "/user/fullName" }
          },
          "button": { "text": "Continue with Raindrop.io", "background": "#0B7ED0", "foreground": "#000000" },
          "links": {
            "documentation": "https://developer.raindrop.io/v1/authentication/token",
            "console": "https://app.raindrop.io/settings/integrations"
          },
          "registration": [
            "Create an app in the integrations settings.",
            "Enter the redirect URI.",
            "Copy the client ID and the client secret."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is https://raindrop.io/oauth/authorize with client_id and redirect_uri.",
              "about": ["endpoints"],
              "page": "https://github.com/raindropio/developer-site/blob/0c3551ed53f54002b430c70e81464b6fb164e1c6/v1/authentication/token.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token endpoint is POST https://raindrop.io/oauth/access_token.",
              "about": ["endpoints"],
              "page": "https://github.com/raindropio/developer-site/blob/0c3551ed53f54002b430c70e81464b6fb164e1c6/v1/authentication/token.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The client sends client_id and client_secret with code, redirect_uri and grant_type.",
              "about": ["authentication"],
              "page": "https://github.com/raindropio/developer-site/blob/0c3551ed53f54002b430c70e81464b6fb164e1c6/v1/authentication/token.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token request is JSON.",
              "page": "https://developer.raindrop.io/v1/authentication/token",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "There are no scopes: neither request has the parameter.",
              "about": ["scopes"],
              "page": "https://github.com/raindropio/developer-site/blob/0c3551ed53f54002b430c70e81464b6fb164e1c6/v1/authentication/token.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "GET https://api.raindrop.io/rest/v1/user with a bearer token answers result and user with _id, email and fullName.",
              "about": ["endpoints", "userinfo"],
              "page": "https://github.com/raindropio/developer-site/blob/026c957173fa2245687154ef66a8c269690a8f03/v1/user/authenticated.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "A refused code is answered with error, and a profile with result false is none.",
              "page": "https://github.com/raindropio/developer-site/blob/026c957173fa2245687154ef66a8c269690a8f03/v1/user/authenticated.md",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}

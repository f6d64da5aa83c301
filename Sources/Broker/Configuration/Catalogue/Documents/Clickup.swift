extension ProviderCatalogue {
    static let clickup = #"""
        {
          "id": "oauth2.clickup",
          "name": "ClickUp",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://app.clickup.com/api",
            "tokenUrl": "https://api.clickup.com/api/v2/oauth/token",
            "userinfoUrl": "https://api.clickup.com/api/v2/user",
            "tokenEndpointAuthMethod": "client_secret_post",
            "tokenRequest": { "format": "json" },
            "pkce": false,
            "claims": {
              "subject": "/user/id",
              "email": "/user/email",
              "displayName": "/user/username",
              "pictureUrl": "/user/profilePicture"
            }
          },
          "button": { "text": "Continue with ClickUp", "background": "#6647F0", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://developer.clickup.com/docs/authentication.md",
            "console": "https://app.clickup.com/settings/apps"
          },
          "registration": [
            "Create an app in the settings of a workspace, under Apps.",
            "Enter the redirect URL.",
            "Copy the client ID and the client secret."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is https://app.clickup.com/api with client_id and redirect_uri.",
              "about": ["endpoints"],
              "page": "https://developer.clickup.com/docs/authentication.md",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "The token endpoint is POST https://api.clickup.com/api/v2/oauth/token with JSON.",
              "about": ["endpoints"],
              "page": "https://developer.clickup.com/docs/authentication.md",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "The client sends client_id and client_secret in the JSON.",
              "about": ["authentication"],
              "page": "https://developer.clickup.com/docs/authentication.md",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "There are no scopes; a user chooses workspaces.",
              "about": ["scopes"],
              "page": "https://developer.clickup.com/docs/authentication.md",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "GET https://api.clickup.com/api/v2/user with a bearer token answers user with the number id, username, email and profilePicture.",
              "about": ["userinfo"],
              "page": "https://developer.clickup.com/docs/authentication.md",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "OAuth 2.0 with the authorization code serves the apps of others.",
              "page": "https://developer.clickup.com/docs/authentication.md",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}

extension ProviderCatalogue {
    static let box = #"""
        {
          "id": "oauth2.box",
          "name": "Box",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://account.box.com/api/oauth2/authorize",
            "tokenUrl": "https://api.box.com/oauth2/token",
            "userinfoUrl": "https://api.box.com/2.0/users/me",
            "tokenEndpointAuthMethod": "client_secret_post",
            "pkce": false,
            "claims": { "subject": "/id", "email": "/login", "displayName": "/name" }
          },
          "button": { "text": "Continue with Box", "background": "#0061D5", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://developer.box.com/guides/authentication/oauth2/",
            "console": "https://app.box.com/developers/console"
          },
          "registration": [
            "Create a custom app with user authentication (OAuth 2.0) in the developer console.",
            "Enter the redirect URI.",
            "Leave only the scope to read files, or less, in the configuration of the app."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is https://account.box.com/api/oauth2/authorize with client_id and response_type=code.",
              "about": ["endpoints"],
              "page": "https://github.com/box/developer.box.com/blob/014b0f0a25459ea11f15e254aee73c36da9a4045/content/guides/authentication/oauth2/without-sdk.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token endpoint is POST https://api.box.com/oauth2/token with a form of grant_type and code.",
              "about": ["endpoints"],
              "page": "https://github.com/box/developer.box.com/blob/014b0f0a25459ea11f15e254aee73c36da9a4045/content/guides/authentication/oauth2/without-sdk.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The client sends client_id and client_secret in the form.",
              "about": ["authentication"],
              "page": "https://github.com/box/developer.box.com/blob/014b0f0a25459ea11f15e254aee73c36da9a4045/content/guides/authentication/oauth2/without-sdk.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "A parameter scope may only narrow the scopes of the application.",
              "about": ["scopes"],
              "page": "https://github.com/box/developer.box.com/blob/014b0f0a25459ea11f15e254aee73c36da9a4045/content/guides/authentication/oauth2/without-sdk.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "GET /users/me answers the user who authorized the application.",
              "about": ["endpoints", "userinfo"],
              "page": "https://developer.box.com/reference/get-users-me/",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The user has id, the unique identifier, name and login, the primary address.",
              "about": ["userinfo"],
              "page": "https://github.com/box/box-openapi/blob/26db1704ca00427bf93d5c8a5b9327f899b7a46b/content/responses/user--mini.yml",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Nothing says that the address is verified.",
              "page": "https://github.com/box/box-openapi/blob/26db1704ca00427bf93d5c8a5b9327f899b7a46b/content/responses/user--mini.yml",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}
